// How well a person played in the games that were reviewed: by game, by opening, and over time.

import { ownPlayers } from "./mistakes.js";
import { keep, recallList } from "../game/storage.js";

const KEPT = "reviews";
export const MAX_REVIEWS = 1000;
// The number of latest games whose mean shows how play changes.
const RECENT = 10;

// The reviews, the latest first: the game, its first move, and a player's accuracy and points.
export const reviews = () => recallList(KEPT, (one) => typeof one?.accuracy === "number");

// Notes a review of the game on the board; one of the same game replaces it.
export const note = (session, review, now = Date.now()) => {
  const { game, size, id = null } = session.setup;
  const moves = session.tip.moves();
  const winner = session.result?.winner ?? null;
  const found = ownPlayers(session).flatMap((player) => {
    const { accuracy } = review.players.find((one) => one.player === player) ?? {};
    if (typeof accuracy !== "number") return [];
    const points = !session.result ? null : winner === null ? 0.5 : Number(winner === player);
    const begins = player === session.players[0];
    return [{ key: id ?? moves.join(" "), player, game, size, begins, opening: moves[0] ?? "", accuracy, points, when: now }];
  });
  const isNew = ({ key, player }) => !found.some((one) => one.key === key && one.player === player);
  keep(KEPT, [...found, ...reviews().filter(isNew)].slice(0, MAX_REVIEWS));
};

const mean = (numbers) => (numbers.length ? numbers.reduce((sum, number) => sum + number, 0) / numbers.length : null);

const groups = (list, keyOf) => {
  const found = new Map();
  for (const one of list) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return found;
};

const figures = (list) => ({
  games: list.length,
  accuracy: mean(list.map(({ accuracy }) => accuracy)),
  points: mean(list.flatMap(({ points }) => (points === null ? [] : [points]))),
});

// For each game on each of its boards, the most played first: the figures of all, of the latest, and of those before; the accuracies in
// the order of time; and the openings that were played.
export const trends = (list = reviews()) =>
  [...groups(list, ({ game, size }) => `${game} ${size}`).values()]
    .map((of) => ({
      game: of[0].game,
      size: of[0].size,
      all: figures(of),
      latest: figures(of.slice(0, RECENT)),
      before: figures(of.slice(RECENT)),
      curve: of.map(({ accuracy }) => accuracy).toReversed(),
      openings: [...groups(of, ({ opening, begins }) => `${begins} ${opening}`).values()]
        .map((same) => ({ opening: same[0].opening, begins: same[0].begins, ...figures(same) }))
        .toSorted((a, b) => b.games - a.games),
    }))
    .toSorted((a, b) => b.all.games - a.all.games);
