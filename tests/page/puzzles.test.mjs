import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { Progress } = await load("puzzles/puzzles.js");

const PUZZLES = ["a", "b", "c"].map((id) => ({ id }));
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

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
