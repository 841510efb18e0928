import assert from "node:assert/strict";
import test from "node:test";

import { emptyStorage, load } from "./page.mjs";

const savedGames = await load("game/savedGames.js");
const { keepHere, recallHere } = await load("game/storage.js");

const line = (moves, rest = {}) => JSON.stringify({ game: "hex", size: 5, moves, ...rest });

test("the latest game comes first, and the same game is there once", () => {
  emptyStorage();
  assert.deepEqual(savedGames.games(), []);
  assert.equal(savedGames.add([line(["a1"])]), 1);
  assert.equal(savedGames.add([line(["b2"]), line(["c3"])]), 2);
  // The same with its fields in another order.
  assert.equal(savedGames.add([JSON.stringify({ moves: ["a1"], size: 5, game: "hex" })]), 1);
  assert.deepEqual(savedGames.games().map(({ plies, line }) => [plies, JSON.parse(line).moves[0]]), [[1, "a1"], [1, "b2"], [1, "c3"]]);
});

test("a removed game can be put back where it was", () => {
  emptyStorage();
  const lines = ["a1", "b2", "c3"].map((move) => line([move]));
  savedGames.add(lines);
  const undo = savedGames.remove(lines[1]);
  assert.deepEqual(savedGames.games().map(({ line }) => line), [lines[0], lines[2]]);
  undo();
  assert.deepEqual(savedGames.games().map(({ line }) => line), lines);
});

test("names are written into the game, and taken out again", () => {
  emptyStorage();
  savedGames.add([line(["a1"])]);
  savedGames.relabel(line(["a1"]), { name: "First", players: { red: "Ann" }, date: "" });
  const [{ line: labelled, name, players }] = savedGames.games();
  assert.deepEqual([name, players], ["First", { red: "Ann" }]);
  savedGames.relabel(labelled, {});
  assert.deepEqual(JSON.parse(savedGames.games()[0].line), JSON.parse(line(["a1"])));
});

test("a game that goes on, or gets a name, is kept once, with those who played it", () => {
  emptyStorage();
  const seats = { red: "You", blue: "Engine, casual" };
  savedGames.addGame(line(["a1"]), { id: "x", seats });
  savedGames.relabel(line(["a1"]), { name: "First" });
  assert.deepEqual(savedGames.games().map(({ name, id, seats }) => [name, id, seats]), [["First", "x", seats]]);
  savedGames.addGame(line(["a1", "b2"], { name: "First" }), { id: "x", seats });
  assert.deepEqual(savedGames.games().map(({ name, plies }) => [name, plies]), [["First", 2]]);
  // Another game with the same beginning, and games of files.
  savedGames.addGame(line(["a1"]), { id: "y", seats: null });
  savedGames.add([line(["c3"]), line(["d4"])]);
  assert.equal(savedGames.games().length, 4);
});

// The games with the days that they have, as they are listed.
const listed = () => savedGames.games().map(({ moves, date, opened }) => [moves.join(" "), date, opened]);

// Makes all that is kept so many days older.
const age = (days) => {
  const entries = JSON.parse(window.localStorage.getItem("hexzero.games"));
  const aged = entries.map((entry) => ({ ...entry, when: entry.when - days * 86_400_000 }));
  window.localStorage.setItem("hexzero.games", JSON.stringify(aged));
  return new Date(aged[0].when).toISOString().slice(0, 10);
};

test("a game that is only looked at keeps its place, its day and its players", () => {
  emptyStorage();
  const seats = { red: "You", blue: "Engine, casual" };
  savedGames.addGame(line(["a1"]), { id: "x", seats });
  savedGames.addGame(line(["b2"]), { id: "y", seats });
  savedGames.add([line(["c3"], { shown: 0 })]);
  const day = age(40);
  const before = [["c3", day, false], ["b2", day, false], ["a1", day, false]];
  // Opened here, with the findings of a search; from a file; and from a link, with another id.
  savedGames.addGame(line(["a1"], { analysis: { 1: "62.5 4000 b2" } }), { id: "x", seats, opened: true });
  const [{ id: z }] = savedGames.games();
  savedGames.addGame(line(["c3"]), { id: z, opened: true });
  savedGames.addGame(line(["b2"]), { id: "other", opened: true });
  assert.deepEqual(listed(), before);
  assert.deepEqual(savedGames.games().map(({ id }) => id), [z, "y", "x"]);
  assert.deepEqual(savedGames.games()[1].seats, seats);
  savedGames.addGame(line(["a1"]), { id: "link", opened: true });
  assert.ok(savedGames.games()[2].line.includes("62.5"), "what was found is kept");
  // A move changes it, and a comment.
  savedGames.addGame(line(["a1", "b1"]), { id: "x", seats, opened: true });
  savedGames.addGame(line(["c3"], { comments: { 1: "good" } }), { id: z, opened: true });
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(listed(), [["c3", today, false], ["a1 b1", today, false], ["b2", day, false]]);
  // A comment on what a link has opened.
  savedGames.addGame(line(["b2"], { comments: { 1: "good" } }), { id: "other", opened: true });
  assert.deepEqual(listed(), [["b2", today, false], ["c3", today, false], ["a1 b1", today, false]]);
  assert.deepEqual(savedGames.games()[0].seats, seats);
  // The same moves, played again.
  age(40);
  savedGames.addGame(line(["a1", "b1"]), { id: "again", seats });
  assert.deepEqual(listed()[0], ["a1 b1", today, false]);
  assert.equal(savedGames.games().length, 3);
});

test("a game that an earlier version kept without an id is known by its moves", () => {
  const entry = { line: line(["a1"]), when: Date.UTC(2026, 1, 3) };
  emptyStorage().set("hexzero.games", JSON.stringify([entry]));
  savedGames.addGame(line(["a1"]), { id: "z", opened: true });
  assert.deepEqual(savedGames.games().map(({ id, date }) => [id, date]), [["z", "2026-02-03"]]);
});

test("games without a date are not doubled by a file of all games", () => {
  emptyStorage();
  const seats = { red: "You", blue: "Engine, casual" };
  savedGames.addGame(line(["a1"]), { id: "x", seats });
  savedGames.add([line(["b2"]), line(["c3"], { date: "2020-02-02" })]);
  const day = age(40);
  const lines = savedGames.asFile().trim().split("\n");
  savedGames.addGame(line(["a1"], { analysis: { 1: "62.5 4000 b2" } }), { id: "x", opened: true });
  assert.equal(savedGames.add(lines), 3);
  assert.deepEqual(listed(), [["b2", day, false], ["c3", "2020-02-02", false], ["a1", day, false]]);
  const { id, seats: who, line: longest } = savedGames.games()[2];
  assert.deepEqual([id, who, longest.includes("62.5")], ["x", seats, true]);
  // Where nothing is kept they come with their days.
  emptyStorage();
  savedGames.add(lines);
  assert.deepEqual(listed().map(([, date]) => date), [day, "2020-02-02", day]);
});

test("where there is no room for all, the oldest go", () => {
  emptyStorage(500);
  const kept = savedGames.add(Array.from({ length: 20 }, (_, i) => line([`a${i}`])));
  assert.ok(kept > 2 && kept < 20, String(kept));
  assert.equal(JSON.parse(savedGames.games()[0].line).moves[0], "a0");
  emptyStorage(0);
  assert.equal(savedGames.add([line(["a1"])]), 0);
});

test("what other versions left in the browser does no harm", () => {
  for (const text of ["nonsense", "{}", "[1, null, {\"line\": 7}]", '[{"line": "{}"}]', '[{"line": "x"}]', '[{"line": "null", "when": "x"}]']) {
    emptyStorage().set("hexzero.games", text);
    assert.deepEqual(savedGames.games(), [], text);
    assert.equal(savedGames.add([line(["a1"])]), 1, text);
  }
});

test("a search finds all words, in any order and case", () => {
  const texts = ["Ann – Ben", "Hex 11"];
  assert.deepEqual(["hex ann", "BEN", "", "ann 13"].map((sought) => savedGames.matches(texts, sought)), [true, true, true, false]);
});

test("a window goes on with its own game, a new one with the last", () => {
  emptyStorage();
  const first = window;
  keepHere("game", 1);
  emptyStorage();
  window.localStorage = first.localStorage;
  assert.equal(recallHere("game", null), 1);
  keepHere("game", 2);
  window.sessionStorage = first.sessionStorage;
  assert.equal(recallHere("game", null), 1);
});
