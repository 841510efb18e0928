// The mistakes in one's own games, as reviews find them: puzzles that come again until they are learnt.

import { PERSON } from "../game/games.js";
import { keep, recallList } from "../game/storage.js";
import { ROLES } from "../text/sentences.js";

// The name of these puzzles beside those of the games.
export const MISTAKES = "mistakes";

const KEPT = "mistakes";
export const MAX_MISTAKES = 400;

// A first move has nothing on the board to learn from.
const isFirst = ({ moves, stones = null }) => !moves.length && !stones;

// The mistakes, the latest first.
export const known = () => recallList(KEPT, (one) => one?.solution && Array.isArray(one.moves) && !isFirst(one));

// The players whose moves were made by a person here; none in a game from elsewhere.
export const ownPlayers = (session) => {
  const { players, setup, allPeople } = session;
  if (!allPeople) return players.filter((player) => session.roleOf(player) === PERSON);
  if (setup.seats) return players.filter((player) => setup.seats[player] === ROLES[PERSON]);
  return setup.opened ? [] : players;
};

const puzzleOf = ({ setup }, position, { best, line, before, after, move, fault }, when) => {
  const { game, size, stones = null } = setup;
  const moves = position.parent.moves();
  const id = JSON.stringify([game, size, stones, moves.join(" "), move]);
  return { id, game, size, stones, moves, solution: best, reply: line.slice(1), before, after, played: move, fault, when };
};

// The positions after the mistakes that a person made in a reviewed game.
export const ofGame = (session, reviewer) => {
  const players = ownPlayers(session);
  const { stones = null } = session.setup;
  return reviewer.mistakes.filter(({ state, parent }) => players.includes(state.player) && !isFirst({ moves: parent.moves(), stones }));
};

// Keeps the mistakes of a reviewed game, and returns how many there are.
export const note = (session, reviewer, now = Date.now()) => {
  const found = ofGame(session, reviewer).map((position) => puzzleOf(session, position, reviewer.reviewOf(position), now));
  const ids = new Set(found.map(({ id }) => id));
  keep(KEPT, [...found, ...known().filter(({ id }) => !ids.has(id))].slice(0, MAX_MISTAKES));
  return found.length;
};
