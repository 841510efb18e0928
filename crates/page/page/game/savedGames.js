// The games that this browser keeps, the latest first: each a line as in files, and when it was put there.

import { gameOf } from "./games.js";
import { keep, recall } from "./storage.js";

const MAX_GAMES = 500;

// Leaves out entries of another version and other faults.
const storedEntries = () => {
  const kept = recall("games", []);
  return Array.isArray(kept) ? kept.filter((entry) => typeof entry?.line === "string") : [];
};

// Returns the moves of a line, without its variations.
const parseLine = ({ line, when, id = null, seats = null, opened = false }) => {
  try {
    const { game, size, setup: stones = null, moves, result, resigned, on_time: onTime, name = "", players = {}, date = "" } = JSON.parse(line);
    const day = date || (when ? new Date(when).toISOString().slice(0, 10) : "");
    return [{ line, when, id, seats, opened, game, size, stones, moves, plies: moves.length, result, resigned, on_time: onTime, name, players, date: day }];
  } catch {
    return [];
  }
};

export const games = () => storedEntries().flatMap(parseLine);

// True if games of a kind are kept, with or without the swap.
export const hasPlayed = (about, { network }) => games().some(({ game }) => gameOf(about, game)?.network === network);

// Reads the games of a file, in the form in which this browser keeps them.
export const parseLines = (text) => text.split("\n").flatMap((line) => parseLine({ line }));

// Keeps them, and returns how many there was room for. Where there is no room for all, the oldest go.
const keepAll = (entries) => {
  let kept = entries.slice(0, MAX_GAMES);
  while (!keep("games", kept)) {
    if (kept.length < 2) return 0;
    kept = kept.slice(0, Math.floor(kept.length * 0.8));
  }
  return kept.length;
};

// A line with its fields in a fixed order, as different programs write them in different ones.
const canonical = (line) => {
  const sorted = (_key, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  try {
    return JSON.stringify(JSON.parse(line), sorted);
  } catch {
    return line;
  }
};

// The game of a line without what has been said and tried beside it.
const withoutNotes = (line) => {
  try {
    const { variations, comments, marks, analysis, ...game } = JSON.parse(line);
    return JSON.stringify(game);
  } catch {
    return line;
  }
};

// Adds games before the others, and returns how many are kept. One that is there already, or without the variations and comments
// of a new one, or in an earlier state, is there only once.
const addAll = (games) => {
  const fresh = new Map(games.map((game) => [canonical(game.line), { ...game, when: Date.now() }]));
  const held = new Set([...fresh.keys()].flatMap((line) => [line, canonical(withoutNotes(line))]));
  const ids = new Set(games.map(({ id }) => id).filter(Boolean));
  const others = storedEntries().filter(({ line, id }) => !ids.has(id) && !held.has(canonical(line)));
  return Math.min(fresh.size, keepAll([...fresh.values(), ...others]));
};

// Adds games of files, as lines.
export const add = (lines) => addAll(lines.map((line) => ({ line })));

// Keeps the game on the board: its line; the id that it has as long as it is played and renamed; who plays each side, in words; and whether
// it was opened from a file or a link, not played here.
export const addGame = (line, { id = null, seats = null, opened = false }) => addAll([{ line, id, seats, opened }]);

export const newId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);

// Says something else of a game: its name, players and date.
export const relabel = (line, labels) => {
  const { name, players, date, ...game } = JSON.parse(line);
  const labelled = JSON.stringify({ ...game, ...Object.fromEntries(Object.entries(labels).filter(([, value]) => value)) });
  keepAll(storedEntries().map((entry) => (entry.line === line ? { ...entry, line: labelled } : entry)));
};

// Removes a game, and returns a function that puts it back where it was.
export const remove = (line) => {
  const before = storedEntries();
  const index = before.findIndex((entry) => entry.line === line);
  // Another window may have taken it off already.
  if (index < 0) return () => add([line]);
  keepAll(before.toSpliced(index, 1));
  return () => keepAll(storedEntries().toSpliced(index, 0, before[index]));
};

// All games as a file.
export const asFile = () =>
  games()
    .map(({ line, date }) => `${JSON.stringify({ ...JSON.parse(line), date })}\n`)
    .join("");

// True if all words occur in the description of a game.
export const matches = (texts, sought) => {
  const all = texts.join(" ").toLowerCase();
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
};
