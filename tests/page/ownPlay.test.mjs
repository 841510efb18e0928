import assert from "node:assert/strict";
import test from "node:test";

import { emptyStorage, load } from "./page.mjs";

const { MAX_REVIEWS, note, reviews, trends } = await load("own_play/reviews.js");
const { ownRecord } = await load("own_play/explorer.js");
const { asFile, restore } = await load("own_play/backup.js");
const { MAX_MISTAKES } = await load("own_play/mistakes.js");
const { recordAt } = await load("panels/explorer.js");
const savedGames = await load("game/savedGames.js");

const session = ({ id, moves = ["a1", "b2"], winner = "red", size = 5 }) => ({
  players: ["red", "blue"],
  allPeople: false,
  roleOf: (player) => (player === "red" ? "person" : "engine"),
  setup: { game: "hex", size, id },
  tip: { moves: () => moves },
  result: { winner },
});
const review = (accuracy) => ({ players: [{ player: "red", accuracy }, { player: "blue", accuracy: 99 }] });

test("a review is noted once, of the person alone", () => {
  emptyStorage();
  note(session({ id: "one" }), review(80), 1);
  note(session({ id: "one" }), review(82), 2);
  note(session({ id: "two", winner: "blue" }), review(60), 3);
  note(session({ id: "three" }), review(null), 4);
  assert.deepEqual(reviews().map(({ key, accuracy, points }) => [key, accuracy, points]), [["two", 60, 0], ["one", 82, 1]]);
});

test("trends by game, by time and by opening", () => {
  emptyStorage();
  for (let i = 0; i < 14; i++)
    note(session({ id: `g${i}`, moves: [i % 2 ? "c3" : "a1"], winner: i < 4 ? "blue" : "red" }), review(50 + i), i);
  note(session({ id: "other", size: 7 }), review(10), 99);
  const [five, seven] = trends();
  assert.deepEqual([five.size, five.all.games, five.latest.games, five.before.games, seven.all.accuracy], [5, 14, 10, 4, 10]);
  assert.deepEqual([five.latest.accuracy, five.before.accuracy], [58.5, 51.5]);
  assert.deepEqual([five.latest.points, five.before.points, five.before.games], [1, 0, 4]);
  assert.deepEqual([five.curve[0], five.curve.at(-1)], [50, 63], "the oldest first");
  assert.deepEqual(five.openings.map(({ opening, games }) => [opening, games]), [["c3", 7], ["a1", 7]]);
});

test("one file has all of it, and adds what is not there yet", () => {
  emptyStorage();
  note(session({ id: "one" }), review(80), 1);
  const elsewhere = asFile();
  emptyStorage();
  note(session({ id: "two" }), review(70), 2);
  assert.deepEqual(restore(elsewhere), { games: 0, mistakes: 0, reviews: 1 });
  assert.deepEqual(restore(elsewhere).reviews, 0, "once is enough");
  assert.deepEqual(reviews().map(({ key }) => key), ["two", "one"], "the latest first");
  for (const text of ['{"game":"hex","moves":[]}', "null", "7"]) assert.throws(() => restore(text), SyntaxError, text);
  assert.throws(() => restore(elsewhere.replace('"version":1', '"version":7')), /version 7/);
});

test("a file does not bring more games than the browser keeps", () => {
  const stored = emptyStorage();
  const games = Array.from({ length: savedGames.MAX_GAMES }, (_, i) => ({ line: JSON.stringify({ game: "hex", size: 5, moves: [`m${i}`] }), when: 10 + i }));
  stored.set("hexzero.games", JSON.stringify([{ ...games[0], id: "x", when: 5000 }, ...games.slice(1)]));
  const file = asFile();
  const [old, recent] = [["a1"], ["b2"]].map((moves) => JSON.stringify({ game: "hex", size: 5, moves }));
  stored.set("hexzero.games", JSON.stringify([{ line: recent, when: 6000 }, { line: old, when: 1 }]));
  assert.equal(restore(file).games, savedGames.MAX_GAMES - 1);
  const kept = savedGames.games();
  assert.equal(kept.length, savedGames.MAX_GAMES);
  assert.deepEqual([kept[0].line, kept.some(({ line }) => line === old)], [recent, false], "the latest are kept");
  for (const [name, most] of [["mistakes", MAX_MISTAKES], ["reviews", MAX_REVIEWS]]) {
    const many = Array.from({ length: most + 1 }, (_, i) => ({ id: `${i}`, key: `${i}`, player: 0, when: i }));
    emptyStorage().set(`hexzero.${name}`, JSON.stringify(many));
    const tooMany = asFile();
    emptyStorage();
    assert.equal(restore(tooMany)[name], most, name);
  }
});

test("a game that has gone on here is not added again by a file", () => {
  const after = (...moves) => savedGames.addGame(JSON.stringify({ game: "hex", size: 5, moves }), { id: "one" });
  emptyStorage();
  after("a1");
  const earlier = asFile();
  after("a1", "b2");
  assert.equal(restore(earlier).games, 0);
  assert.deepEqual(savedGames.games().map(({ plies }) => plies), [2]);
});

test("a file does not bring a game that is here under another id, or without a date", () => {
  const stored = emptyStorage();
  const line = (more = {}) => JSON.stringify({ game: "hex", size: 5, moves: ["a1"], ...more });
  const when = Date.UTC(2026, 1, 3);
  const keepGames = (...games) => stored.set("hexzero.games", JSON.stringify(games));
  keepGames({ line: line(), when }, { line: line({ moves: ["b2"] }), when, id: "x" });
  const file = asFile();
  // It was opened here, which gave it an id and the findings of a search.
  keepGames({ line: line({ analysis: { 1: "62.5 4000 b2" } }), when, id: "y" });
  assert.equal(restore(file).games, 1);
  assert.equal(restore(file).games, 0);
  // A file of all games has brought it with its day.
  keepGames({ line: line({ date: "2026-02-03" }), when: when + 1e9 });
  assert.equal(restore(file).games, 1);
  // Damage does no harm.
  for (const text of ["{}", "[null, 7]"]) {
    stored.set("hexzero.games", text);
    assert.equal(restore(file).games, 2, text);
  }
});

test("games are counted by the next move, as their player sees them", () => {
  const [asRed, asBlue] = [{ red: "You", blue: "Engine, casual" }, { red: "Engine, casual", blue: "You" }];
  const game = (moves, seats, end, rest = {}) => ({ game: "hex", size: 5, stones: null, moves: moves.split(" "), seats, ...end, ...rest });
  const games = [
    game("a1 b2", asRed, { result: "red" }),
    game("a1 c3", asRed, { resigned: "red" }),
    game("a1 c3", asRed, { result: "draw" }),
    game("a1 c3 d4", asBlue, { resigned: "red" }),
    // None of these counts: unfinished, too short, on another board, from a set-up position, of unknown players, of two people.
    game("a1 c3", asRed, {}),
    { ...game("", asRed, { result: "red" }), moves: [] },
    game("a1", asRed, { result: "red" }, { size: 7 }),
    game("a1", asRed, { result: "red" }, { stones: { first: ["a1"] } }),
    game("a1", null, { result: "red" }),
    game("a1", { red: "You", blue: "You" }, { result: "red" }),
  ];
  const at = (moves, player) => Object.fromEntries(ownRecord({ game: "hex", size: 5, moves, player }, games));
  assert.deepEqual(at([], "red"), { a1: { won: 1, lost: 1, drawn: 1 } });
  assert.deepEqual(at(["a1"], "red"), { b2: { won: 1, lost: 0, drawn: 0 }, c3: { won: 0, lost: 1, drawn: 1 } });
  assert.deepEqual(at(["a1"], "blue"), { c3: { won: 1, lost: 0, drawn: 0 } });
  assert.deepEqual(at(["a1"], null).c3, { won: 1, lost: 1, drawn: 1 }, "with either colour");
  assert.deepEqual(at(["b2"], "red"), {});
});

test("the record beside the opening map follows the games that are kept and deleted", () => {
  emptyStorage();
  const lines = ["red", "blue"].map((result) => JSON.stringify({ game: "hex", size: 5, moves: ["a1", "b2"], result }));
  const setup = { game: "hex", size: 5, roles: { red: "person", blue: "engine" } };
  const session = { current: { moves: () => [] }, setup, players: ["red", "blue"], allPeople: false };
  lines.forEach((line, id) => savedGames.addGame(line, { id: `game ${id}`, seats: { red: "You", blue: "Engine" } }));
  assert.deepEqual(recordAt(session).get("a1"), { won: 1, lost: 1, drawn: 0 });
  const bringBack = savedGames.remove(lines[1]);
  assert.deepEqual(recordAt(session).get("a1"), { won: 1, lost: 0, drawn: 0 });
  bringBack();
  assert.deepEqual(recordAt(session).get("a1"), { won: 1, lost: 1, drawn: 0 });
});
