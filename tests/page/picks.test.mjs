import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { Picking, buttonOf, restOf, sourceOf } = await load("board_ui/picks.js");

const place = (place) => ({ place });
const direction = (direction) => ({ direction });

const MOVES = [
  { name: "a1", picks: [place(0)] },
  { name: "a1-b1", picks: [place(0), place(1)] },
  { name: "a1-c1", picks: [place(0), place(2)] },
  { name: "b1 up", picks: [place(1), direction(4)] },
  { name: "c1=x", picks: [place(2), { choice: 1 }] },
  { name: "swap", picks: [{ button: 0 }] },
];

const names = (moves) => moves.map(({ name }) => name);

test("a path narrows the moves down until one is left", () => {
  const start = new Picking(MOVES);
  assert.deepEqual([start.complete, start.only, start.source], [null, null, null]);
  assert.deepEqual([...start.of("place").keys()], [0, 1, 2]);
  assert.deepEqual([...start.of("button").keys()], [0]);
  const first = start.with(place(0));
  assert.deepEqual(names(first.open), ["a1", "a1-b1", "a1-c1"]);
  // A move that may be played, and that others go on from.
  assert.deepEqual([first.complete.name, first.only, first.source], ["a1", null, 0]);
  assert.deepEqual([...first.of("place")].map(([to, moves]) => [to, names(moves)]), [[1, ["a1-b1"]], [2, ["a1-c1"]]]);
  const second = first.with(place(2));
  assert.deepEqual([second.only.name, second.source, second.before === first], ["a1-c1", 2, true]);
});

test("a place is not a direction of the same number", () => {
  const picked = new Picking(MOVES).with(place(1));
  assert.deepEqual(names(picked.with(direction(4)).open), ["b1 up"]);
  assert.deepEqual(picked.with(place(4)).open, []);
});

test("the parts of a move", () => {
  assert.deepEqual(MOVES.map(sourceOf), [0, 0, 0, 1, 2, null]);
  assert.deepEqual(MOVES.map(buttonOf), [null, null, null, null, null, 0]);
  const none = { target: null, direction: null, choice: null };
  assert.deepEqual(MOVES.map(restOf), [
    none,
    { ...none, target: 1 },
    { ...none, target: 2 },
    { ...none, direction: 4 },
    { ...none, choice: 1 },
    none,
  ]);
});
