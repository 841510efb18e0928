import assert from "node:assert/strict";
import test from "node:test";

import { load, withTime } from "./page.mjs";

const { Clock, clockTime } = await load("game/clock.js");

test("time runs for one player, and a move adds the increment", () =>
  withTime((pass) => {
    const clock = new Clock({ seconds: 60, increment: 2 }, ["red", "blue"]);
    pass(5);
    assert.deepEqual(clock.all(), { red: 60, blue: 60 });
    clock.start("red");
    pass(10);
    assert.deepEqual([clock.left("red"), clock.left("blue"), clock.running], [50, 60, "red"]);
    clock.press("red");
    clock.start("blue");
    pass(3);
    assert.deepEqual(clock.all(), { red: 52, blue: 57 });
  }));

test("no clock goes below zero, and a stopped one stands still", () =>
  withTime((pass) => {
    const clock = new Clock({ seconds: 4, increment: 0 }, ["red", "blue"]);
    clock.start("red");
    pass(9);
    assert.equal(clock.left("red"), 0);
    clock.set({ red: 3, blue: 1 });
    pass(9);
    assert.deepEqual([clock.all(), clock.running], [{ red: 3, blue: 1 }, null]);
  }));

test("times are written with tenths only where every second counts", () => {
  const written = [0, 0.04, 9.94, 9.96, 10, 10.2, 59.5, 60, 61, 3599.5, 3600, 36_061].map(clockTime);
  const wanted = ["0:00.0", "0:00.0", "0:09.9", "0:10", "0:10", "0:11", "1:00", "1:00", "1:01", "1:00:00", "1:00:00", "10:01:01"];
  assert.deepEqual(written, wanted);
});
