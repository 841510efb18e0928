// Names and sentences, composed of the page's words and the game's: players, boards, pieces, moves, and whole positions for screen
// readers.

import { changesOf } from "../board_ui/changes.js";
import { buttonNamed, buttonOf } from "../board_ui/picks.js";
import { capital, commas, counted, list, sentence } from "../board_ui/text.js";
import { ENGINE, FRIEND, PERSON, sizeText } from "../game/games.js";
import { captureTexts, spoken } from "./moves.js";

// Returns the engine's time for a move, in words.
const effortText = ({ seconds = null, visits = null }) =>
  visits !== null ? counted(visits, "visit per move", "visits per move") : seconds !== null ? `${seconds} s per move` : "";

// Describes how strong the engine is as a player: its level, or at full strength its time for a move; nothing for a person.
export const strengthOf = (session, player) => {
  if (session.roleOf(player) !== ENGINE) return "";
  const level = session.levelOf(player);
  return level === "full" ? effortText(session.effortOf(player)) : level;
};

export const ROLES = { [PERSON]: "You", [FRIEND]: "Friend", [ENGINE]: "Engine" };

// Describes who plays each side, for a game that is kept; null for two unknown people at one board.
export const seatsOf = (session) => {
  if (session.allPeople) return session.setup.seats ?? null;
  const isWatched = session.setup.shared && !session.setup.shared.seat;
  const role = (player) => (isWatched ? "Player" : ROLES[session.roleOf(player)]);
  const words = (player) => [role(player), strengthOf(session, player)].filter(Boolean).join(", ");
  return Object.fromEntries(session.players.map((player) => [player, words(player)]));
};

// The names, by player, of the engines in a file.
export const engineNames = (session) => {
  const engines = session.players.filter((player) => session.roleOf(player) === ENGINE);
  return Object.fromEntries(engines.map((player) => [player, ["hexzero", strengthOf(session, player)].filter(Boolean).join(", ")]));
};

export const playerName = (session, player) => {
  const { labels, seats } = session.setup;
  if (session.isExercise) return player === session.tip.state.to_move ? "You" : "Opponent";
  if (session.allPeople) return labels?.players?.[player] || seats?.[player] || "Player";
  return seatsOf(session)[player];
};

const goals = ({ seats: [first, second] }) => `${capital(first.name)} ${first.goal}, ${second.name} ${second.goal}.`;

const withSize = (words, game, size) => commas([words, sizeText(game, size)].filter(Boolean));

export const boardLabel = (game, size) => `${withSize("Board", game, size)}. ${goals(game)}`;

// A piece in words, for screen readers.
export const pieceName = ({ seats }, { owner, symbol = null, number = 0 }) => {
  const plain = number ? `stack of ${number}` : "stone";
  const what = symbol ? `${symbol} ${plain}` : plain;
  if (owner !== null) return `${seats[owner].name} ${what}`;
  return symbol ? what : `neutral ${what}`;
};

// A certain result, as a verb of the player to move.
export const VERBS = { won: "wins", lost: "loses", drawn: "draws" };

// A certain result for the player to move, with the most moves of both players to the end.
export const certain = ({ value, plies }) => VERBS[value] + (plies ? ` in ${plies}` : "");

// Tells how a game ended: on the board, by resignation or by time.
export const reasonOf = (session, { reason, loser }) => {
  if (reason === "resignation" && loser) return `${loser} resigns`;
  if (reason === "time") return `${loser} ran out of time`;
  return session.game.endings.find(({ key }) => key === reason)?.words ?? "the game is over";
};

// Tells who has won a game, and how.
export const ending = (session, result) => {
  const how = reasonOf(session, result);
  return sentence(result.winner ? `${result.winner} wins: ${how}` : `draw: ${how}`);
};

// The buttons that may be pressed in a position, with their moves.
export const buttons = (game, state) =>
  state.legal
    .filter((action) => buttonOf(action) !== null)
    .map((action) => ({ ...game.actions[buttonOf(action)], index: buttonOf(action), move: action.name }));

const PRESENT = 0;
const PAST = 1;

// A move in words, by what it changed: easier to understand by ear than its name in files. `tense` is that of the verb.
const describeMove = (session, position, tense) => {
  const { player, move, pieces } = position.state;
  const { placed, moved, removed } = changesOf(position.state);
  const { places } = session.layout;
  const label = (place) => places[place].label;
  if (moved.length) {
    const ways = moved.map(([from, to]) => `${label(from)} to ${label(to)}`);
    return `${["moves", "moved"][tense]} ${list(ways)}`;
  }
  const before = position.parent?.state.pieces ?? [];
  const left = removed.find((place) => before[place]?.owner === session.players.indexOf(player));
  const reached = pieces.flatMap((piece, place) =>
    piece && place !== left && JSON.stringify(piece) !== JSON.stringify(before[place]) ? [label(place)] : [],
  );
  if (left !== undefined && reached.length) return `${["spreads", "spread"][tense]} from ${label(left)} to ${list(reached)}`;
  const [place, ...more] = placed;
  const { number = 0, symbol = null } = pieces[place] ?? {};
  if (places[place]?.kind === "edge") {
    const filled = `${["fills", "filled"][tense]} edge ${label(place)}`;
    const cells = list(more.map((cell) => `cell ${label(cell)}`));
    return more.length ? `${filled} and ${["captures", "captured"][tense]} ${cells}` : filled;
  }
  if (number) return `${["spawns", "spawned"][tense]} on ${label(place)}`;
  if (symbol) return `${["puts", "put"][tense]} ${symbol} on ${label(place)}`;
  return `${["plays", "played"][tense]} ${spoken(session, move)}`;
};

// Says how many stones each player needs at least to join its sides, in games about that.
export const distances = ({ needs: [one, other], outcome }, [first, second]) =>
  one && other && !outcome
    ? `Shortest paths: ${first} needs ${counted(one.stones, "stone", "stones")}, ${second} ${other.stones}.`
    : "";

export const wasPlayed = (session, position) => {
  const { player, move } = position.state;
  const button = buttonNamed(session.game, move);
  if (button) return sentence(`${capital(player)} ${button.done}`);
  const played = `${capital(player)} ${describeMove(session, position, PAST)}`;
  return sentence(commas([played, ...captureTexts(session, position, ["capturing", "taking over"])]));
};

// A move in words, for screen readers.
export const moveAnnouncement = (session, position) => {
  const { player, move, outcome } = position.state;
  if (!move) return position.comment || (session.setup.stones ? "Set-up position." : "The board is empty.");
  const button = buttonNamed(session.game, move);
  const words = button
    ? `${capital(player)} ${button.done}`
    : list([`${capital(player)} ${describeMove(session, position, PRESENT)}`, ...captureTexts(session, position)]);
  const offers = buttons(session.game, position.state).map(({ label }) => label);
  return [
    sentence(words),
    outcome && ending(session, outcome),
    offers.length && `Also possible: ${list(offers)}.`,
    position.comment && `Comment: ${position.comment}`,
  ].filter(Boolean).join(" ");
};

// The game and its board, in short.
export const playing = (game, size) => withSize(game.title, game, size);

// The row of a place, by its name: `c3` and `Lc3` are of row 3, and `3,6` of row 3. Places of other names have none.
const rowOf = (label) => {
  const [, board, row] = /^([A-Z]?)[a-z]+(\d+)$/.exec(label) ?? /^([A-Z]?)(\d+),\d+$/.exec(label) ?? [];
  if (row === undefined) return "";
  return board ? `board ${board}, row ${row}` : `row ${row}`;
};

// Lists the pieces row by row: `Row 1: c1 red. Row 2: b2 blue, d2 red.`
const rows = ({ game, layout, current }) => {
  const found = new Map();
  current.state.pieces.forEach((piece, place) => {
    if (!piece) return;
    const { label } = layout.places[place];
    const row = rowOf(label);
    if (!found.has(row)) found.set(row, []);
    found.get(row).push(`${label} ${pieceName(game, piece).replace(/ stone$/, "")}`);
  });
  return [...found].map(([row, pieces]) => sentence(row ? `${row}: ${commas(pieces)}` : commas(pieces)));
};

// Says whose turn it is, or how the game ended; the last move; and the pieces, row by row.
export const positionText = (session) => {
  const { state, ply } = session.current;
  const result = session.exploring ? state.outcome : session.result;
  const turn = result ? ending(session, result) : `${capital(state.to_move)} to move.`;
  const pieces = rows(session);
  const last = ply > 0 ? [`Move ${ply}: ${moveAnnouncement(session, session.current)}`] : [];
  return [turn, ...last, ...(pieces.length ? pieces : ["The board is empty."])].join(" ");
};
