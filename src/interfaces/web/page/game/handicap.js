// A handicap: the weaker player has the first seat, and gets the first move without swap, or stones before the other one moves.

import { seatNames } from "./games.js";

export const NONE = "none";
const MOVE = "move";
const MOST_STONES = 4;

// The same game without the swap, as its games of handicap are played, or null.
const withoutSwap = ({ games }, game) =>
  game.swaps ? (games.find(({ id, network, swaps }) => id !== game.id && network === game.network && !swaps) ?? null) : null;

// The handicaps of a game on one of its boards, as choices. A small board has no room for many stones.
export const handicapsOf = (about, game, size) => {
  const numbers = Array.from({ length: MOST_STONES - 1 }, (_, i) => i + 2).filter((n) => size > 2 * n);
  const stones = numbers.map((n) => [String(n), `${n} stones`]);
  return [
    [NONE, "None"],
    ...(withoutSwap(about, game) ? [[MOVE, "No swap"]] : []),
    ...(game.arranges ? stones : []),
  ];
};

// Tells what a handicap gives whom.
export const handicapNote = (game, choice) => {
  const [first, second] = seatNames(game);
  if (choice === MOVE) return `For a weaker ${first}, who moves first: ${second} may not swap.`;
  return choice === NONE ? "" : `For a weaker ${first}, whose stones are there already. Then ${second} moves.`;
};

// The stones of a setup as a handicap, or 0.
export const handicapStones = ({ stones = null }) => {
  const isHandicap = stones && stones.first.length > 1 && !stones.second.length && stones.to_move === "second";
  return isHandicap ? stones.first.length : 0;
};

// Places for stones, about the middle of a board and far from one another.
export const handicapPlaces = ({ places }, count) => {
  const distance = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const playable = places.filter(({ playable }) => playable);
  const mean = (axis) => playable.reduce((sum, { centre }) => sum + centre[axis], 0) / playable.length;
  const middle = [mean(0), mean(1)];
  const farthest = Math.max(...playable.map(({ centre }) => distance(centre, middle)));
  const near = playable.filter(({ centre }) => distance(centre, middle) <= farthest / 2);
  const candidates = near.length < 2 * count ? playable : near;
  const chosen = [];
  while (chosen.length < Math.min(count, candidates.length)) {
    // Rounded, so that equal distances are equal: then the first place counts.
    const worth = ({ centre }) =>
      Math.round(1000 * (chosen.length ? Math.min(...chosen.map((other) => distance(centre, other.centre))) : -distance(centre, middle)));
    chosen.push(candidates.reduce((best, place) => (worth(place) > worth(best) ? place : best)));
  }
  return chosen.map(({ label }) => label);
};

// Returns a setup with a handicap. `layoutOf(game, size)` gives the board's layout.
export const withHandicap = async (about, setup, choice, layoutOf) => {
  if (choice === NONE) return setup;
  if (choice === MOVE) return { ...setup, game: withoutSwap(about, about.games.find(({ id }) => id === setup.game)).id };
  const first = handicapPlaces(await layoutOf(setup.game, setup.size), Number(choice));
  return { ...setup, stones: { first, second: [], to_move: "second" } };
};
