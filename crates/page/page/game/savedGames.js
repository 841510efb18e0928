// The games that this browser keeps, the latest first: each a line as in files, and when it was put there.

import { gameOf } from "./games.js";
import { keep, newId, recallList } from "./storage.js";

export const MAX_GAMES = 500;

const storedEntries = () => recallList("games", (entry) => typeof entry?.line === "string");

// The day of a time, or nothing where there is none.
const dayOf = (when) => {
  const date = new Date(when || NaN);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
};

// Returns the moves of a line, without its variations.
const parseLine = ({ line, when, id = null, seats = null, opened = false }) => {
  try {
    const { game, size, setup: stones = null, moves, result, resigned, on_time: onTime, name = "", players = {}, date = "" } = JSON.parse(line);
    const day = date || dayOf(when);
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

// The fields in which lines of the same game may differ: what searches found, and the position at which it opens.
const ASIDE = ["analysis", "shown"];

// The fields with what is said and tried beside a game.
const NOTES = ["analysis", "variations", "comments", "marks"];

const parsed = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
};

// A game with its fields in a fixed order, as different programs write them in different ones, and without some of them.
const canonical = (game, left = []) =>
  JSON.stringify(game, (key, value) => {
    if (left.includes(key)) return undefined;
    const isObject = value && typeof value === "object" && !Array.isArray(value);
    return isObject ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
  });

// The texts that identify an entry: its id, its game, and its game with the date that `asFile` writes.
export const keysOf = ({ line, id = null, when = null }) => {
  const game = parsed(line);
  const dated = { ...game, date: game?.date || dayOf(when) || undefined };
  return [id, canonical(game, ASIDE), canonical(dated, ASIDE)].filter(Boolean);
};

// Returns a function that finds the entry of a game: the one with the first of its keys that any entry has.
const finder = (entries) => {
  const known = new Map(entries.toReversed().flatMap((entry) => keysOf(entry).map((key) => [key, entry])));
  return (game) => known.get(keysOf(game).find((key) => known.has(key)));
};

const longer = (line, other = "") => (other.length > line.length ? other : line);

// A line with the game alone.
const bare = (line) => canonical(parsed(line), NOTES);

// Adds entries before the others, and returns how many are kept. They replace entries of the same game, also one that lacks their
// variations and comments, or an earlier state of it.
const addAll = (added) => {
  const fresh = new Map(added.map((entry) => [canonical(parsed(entry.line)), entry]));
  const keys = new Set(added.flatMap(keysOf));
  const bareLines = new Set(added.map(({ line }) => bare(line)));
  const isThere = (entry) => keysOf(entry).some((key) => keys.has(key)) || bareLines.has(canonical(parsed(entry.line)));
  return Math.min(fresh.size, keepAll([...fresh.values(), ...storedEntries().filter((entry) => !isThere(entry))]));
};

// Adds games of files, as lines. One that is here already keeps its id, players and date; of its two lines the longer has more findings.
export const add = (lines) => {
  const [find, when] = [finder(storedEntries()), Date.now()];
  const added = lines.map((line) => {
    const old = find({ line, when });
    return { id: newId(), when, ...old, line: longer(line, old?.line) };
  });
  return addAll(added);
};

// Keeps the game on the board: its line; the id that it has as long as it is played and renamed; who plays each side, in words; and whether
// it was opened from a file or a link, not played here.
export const addGame = (line, { id = null, seats = null, opened = false }) => {
  const entries = storedEntries();
  const find = finder(entries);
  const sameId = entries.find((entry) => id && entry.id === id);
  // What was opened may be here under another id. A game that is played here again is a new one, with the same moves too.
  const old = sameId ?? (opened ? (find({ line }) ?? find({ line: bare(line) })) : undefined);
  const keys = keysOf({ line });
  // Looking at a game does not change it, but may find something. A link brings no findings.
  const looked = { ...old, id: old?.id ?? id, line: sameId ? line : longer(line, old?.line) };
  if (old && keysOf(old).some((key) => keys.includes(key))) keepAll(entries.with(entries.indexOf(old), looked));
  else addAll([{ line, id, seats: seats ?? old?.seats, opened: old ? old.opened : opened, when: Date.now() }]);
};

// Changes the name, players and date of a game.
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
export const asFile = () => games().map(({ line, date }) => `${JSON.stringify({ ...JSON.parse(line), date })}\n`).join("");

// True if all words occur in the description of a game.
export const matches = (texts, sought) => {
  const all = texts.join(" ").toLowerCase();
  return sought.toLowerCase().split(/\s+/).every((word) => all.includes(word));
};
