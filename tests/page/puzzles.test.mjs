import assert from "node:assert/strict";
import test from "node:test";

import { emptyStorage, load } from "./page.mjs";

const stored = emptyStorage();

const { Progress, Puzzles, isSolved } = await load("puzzles/puzzles.js");
const { MISTAKES, known, note } = await load("own_play/mistakes.js");

const PUZZLES = ["a", "b", "c"].map((id) => ({ id }));
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

// A game of a person, who plays red, against the engine.
const SESSION = {
  players: ["red", "blue"],
  allPeople: false,
  roleOf: (player) => (player === "red" ? "person" : "engine"),
  setup: { game: "hex", size: 5 },
};

// A progress with a clock that a test sets.
const begun = () => {
  const at = { time: 0, kept: {} };
  at.progress = () => new Progress(at.kept, (kept) => (at.kept = structuredClone(kept)), () => at.time);
  return at;
};

test("new puzzles come in their order, solved ones no more", () => {
  const at = begun();
  assert.equal(at.progress().next(PUZZLES).id, "a");
  at.progress().note("a", true);
  at.time = 100 * DAY;
  assert.equal(at.progress().next(PUZZLES).id, "b");
  assert.equal(at.progress().next(PUZZLES, "b").id, "c", "another one, if there is one");
  at.progress().note("b", true);
  at.progress().note("c", true);
  assert.equal(at.progress().next(PUZZLES), null);
  assert.deepEqual(at.progress().counts(PUZZLES), { solved: 3, due: 0, of: 3 });
});

test("a failed puzzle comes again, later each time that it is solved", () => {
  const at = begun();
  at.progress().note("a", false);
  assert.equal(at.progress().next(PUZZLES).id, "b", "not at once");
  assert.deepEqual(at.progress().counts(PUZZLES), { solved: 0, due: 0, of: 3 });
  at.time += 10 * MINUTE;
  assert.equal(at.progress().next(PUZZLES).id, "a");
  for (const wait of [1, 4, 14]) {
    at.progress().note("a", true);
    at.time += wait * DAY - 1;
    assert.equal(at.progress().next(PUZZLES).id, "b");
    at.time += 1;
    assert.equal(at.progress().next(PUZZLES).id, "a", `after ${wait} days`);
  }
  at.progress().note("a", true);
  at.time += 1000 * DAY;
  assert.equal(at.progress().next(PUZZLES).id, "b");
});

test("a streak ends with the first failure, and the longest stays", () => {
  const at = begun();
  for (const id of ["a", "b"]) at.progress().note(id, true);
  assert.deepEqual([at.progress().streak, at.progress().longest], [2, 2]);
  at.progress().note("c", false);
  assert.deepEqual([at.progress().streak, at.progress().longest], [0, 2]);
});

test("a mistake in a game comes again although it is mended at once", () => {
  const at = begun();
  at.progress().note("a", true, true);
  assert.equal(at.progress().next(PUZZLES).id, "b");
  at.time += DAY;
  assert.equal(at.progress().next(PUZZLES).id, "a");
});

test("in place of a mistake any good move will do, in a puzzle only the best", () => {
  const good = { isBest: false, loss: 0.02 };
  assert.ok(isSolved({ fault: "blunder" }, good) && !isSolved({ fault: "blunder" }, { ...good, loss: 0.2 }));
  assert.ok(!isSolved({}, good) && isSolved({}, { isBest: true, loss: 0 }));
});

test("a review's mistakes are kept once, those of the person alone", () => {
  const reviews = new Map();
  const position = (player, move, fault) => {
    const parent = { moves: () => ["a1", "b2"] };
    const made = { parent, state: { player } };
    reviews.set(made, { move, fault, best: "c3", line: ["c3", "d4"], before: 0.8, after: 0.3 });
    return made;
  };
  const mistakes = [position("red", "e5", "blunder"), position("blue", "a4", "mistake")];
  const reviewer = { mistakes, reviewOf: (one) => reviews.get(one) };
  assert.deepEqual([note(SESSION, reviewer, 1), note(SESSION, reviewer, 2)], [1, 1]);
  const [one, ...others] = known();
  assert.deepEqual(others, []);
  assert.deepEqual([one.moves, one.solution, one.reply, one.played, one.before, one.when], [["a1", "b2"], "c3", ["d4"], "e5", 0.8, 2]);
  assert.equal(note({ ...SESSION, allPeople: true, setup: { ...SESSION.setup, opened: true } }, reviewer), 0, "a game from elsewhere");
  const seats = { red: "Engine, casual", blue: "You" };
  assert.equal(note({ ...SESSION, allPeople: true, setup: { ...SESSION.setup, opened: true, seats } }, reviewer), 1);
  assert.equal(known()[0].played, "a4");
});

test("a first move is no mistake to be mended, but that after stones which were set up is", () => {
  stored.clear();
  const made = { parent: { moves: () => [] }, state: { player: "red" } };
  const reviewer = { mistakes: [made], reviewOf: () => ({ move: "c3", fault: "blunder", best: "a2", line: ["a2"], before: 0.5, after: 0.3 }) };
  assert.deepEqual([note(SESSION, reviewer), known()], [0, []]);
  assert.equal(note({ ...SESSION, setup: { ...SESSION.setup, stones: { first: ["c3"] } } }, reviewer), 1);
  // One that was kept before.
  stored.set("hexzero.mistakes", stored.get("hexzero.mistakes").replace(/"stones":\{[^}]*\}/, '"stones":null'));
  assert.deepEqual(known(), []);
});

test("mistakes in a game that is not offered here wait for it", async () => {
  const mistake = (game) => ({ id: game, game, size: 5, moves: ["a1"], solution: "c3" });
  stored.set("hexzero.mistakes", JSON.stringify([mistake("own"), mistake("hex")]));
  const puzzles = new Puzzles({ games: [{ id: "hex" }] }, new EventTarget(), null, null);
  assert.deepEqual((await puzzles.load(MISTAKES)).map(({ game }) => game), ["hex"]);
  assert.equal(known().length, 2);
});
