// The games that this browser keeps, the latest first: each a line as in files, and when it was put there.

import { keep, recall } from "./memory.js";

const MOST = 500;

// Leaves out entries of another version and other faults.
const stored = () => {
  const kept = recall("games", []);
  return Array.isArray(kept) ? kept.filter((entry) => typeof entry?.line === "string") : [];
};

// Returns the moves of a line, without its variations.
const read = ({ line, when, id = null, seats = null }) => {
  try {
    const { game, size, moves, result, resigned, on_time: onTime, name = "", players = {}, date = "" } = JSON.parse(line);
    const day = date || (when ? new Date(when).toISOString().slice(0, 10) : "");
    return [{ line, when, id, seats, game, size, plies: moves.length, result, resigned, on_time: onTime, name, players, date: day }];
  } catch {
    return [];
  }
};

export const games = () => stored().flatMap(read);

export const isEmpty = () => !stored().length;

// The games of a file, as those of the shelf.
export const ofLines = (text) => text.split("\n").flatMap((line) => read({ line }));

// Keeps them, and returns how many there was room for. Where there is no room for all, the oldest go.
const keepAll = (entries) => {
  let kept = entries.slice(0, MOST);
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
const bare = (line) => {
  try {
    const { variations, comments, marks, ...game } = JSON.parse(line);
    return JSON.stringify(game);
  } catch {
    return line;
  }
};

// Puts games on the shelf, in front, and returns how many are kept. One that is there already, or without the variations and comments
// of a new one, or in an earlier state, is there only once.
const putAll = (games) => {
  const fresh = new Map(games.map((game) => [canonical(game.line), { ...game, when: Date.now() }]));
  const held = new Set([...fresh.keys()].flatMap((line) => [line, canonical(bare(line))]));
  const ids = new Set(games.map(({ id }) => id).filter(Boolean));
  const others = stored().filter(({ line, id }) => !ids.has(id) && !held.has(canonical(line)));
  return Math.min(fresh.size, keepAll([...fresh.values(), ...others]));
};

// The same for games of files, as lines.
export const put = (lines) => putAll(lines.map((line) => ({ line })));

// Keeps the game on the board: its line; the id that it has as long as it is played and renamed; and who plays each side, in words.
export const putGame = (line, { id = null, seats = null }) => putAll([{ line, id, seats }]);

export const newId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);

// Says something else of a game: its name, players and date.
export const label = (line, labels) => {
  const { name, players, date, ...game } = JSON.parse(line);
  const labelled = JSON.stringify({ ...game, ...Object.fromEntries(Object.entries(labels).filter(([, value]) => value)) });
  keepAll(stored().map((entry) => (entry.line === line ? { ...entry, line: labelled } : entry)));
};

// Takes a game off the shelf, and gives back what puts it where it was.
export const remove = (line) => {
  const before = stored();
  const index = before.findIndex((entry) => entry.line === line);
  // Another window may have taken it off already.
  if (index < 0) return () => put([line]);
  keepAll(before.toSpliced(index, 1));
  return () => keepAll(stored().toSpliced(index, 0, before[index]));
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
