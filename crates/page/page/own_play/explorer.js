// One's own games beside the engine's opening map: how they went after each move of a position.

import { PERSON } from "../game/games.js";
import * as savedGames from "../game/savedGames.js";
import { ROLES } from "../text/sentences.js";

const endOf = ({ result, resigned }, player) => {
  if (result === "draw") return "drawn";
  if (!result && !resigned) return null;
  return (resigned ? resigned !== player : result === player) ? "won" : "lost";
};

// Counts the games that a person won, lost and drew after each move of the position after `moves`. In games of a person against an engine
// or a friend only those count in which the person had the seat of `player`; if it is null, either.
export const ownRecord = ({ game, size, moves, player = null }, games = savedGames.games()) => {
  const record = new Map();
  for (const one of games) {
    const next = one.moves[moves.length];
    const isHere = one.game === game && one.size === size && !one.stones && next && moves.every((move, i) => one.moves[i] === move);
    if (!isHere || !one.seats) continue;
    const own = Object.keys(one.seats).filter((seat) => one.seats[seat] === ROLES[PERSON]);
    const end = own.length === 1 && (player === null || own[0] === player) ? endOf(one, own[0]) : null;
    if (!end) continue;
    const counts = record.get(next) ?? { won: 0, lost: 0, drawn: 0 };
    counts[end] += 1;
    record.set(next, counts);
  }
  return record;
};
