import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const text = await load("board_ui/text.js");

test("counts take the singular for one only, and separate thousands", () => {
  const moves = [0, 1, 2, 4000].map((number) => text.counted(number, "move", "moves"));
  assert.deepEqual(moves, ["0 moves", "1 move", "2 moves", "4,000 moves"]);
});

test("shares, and numbers in little room", () => {
  assert.deepEqual([0, 0.256, 1].map(text.percent), ["0%", "26%", "100%"]);
  assert.deepEqual([0.25, 0.256].map(text.percentFine), ["25%", "25.6%"]);
  // Large letters or small, as the version of the browser has it.
  assert.deepEqual([999, 1234, 2_000_000].map((number) => text.short(number).toUpperCase()), ["999", "1.2K", "2M"]);
  assert.deepEqual([3, 0.123456, 12_345].map(text.rounded), ["3", "0.1235", "12,345"]);
  assert.equal(text.oneDecimal(2), "2.0");
});

test("lists and sentences", () => {
  assert.equal(text.list(["a1", "b2", "c3"]), "a1, b2 and c3");
  assert.equal(text.commas(["a1", "b2", "c3"]), "a1, b2, c3");
  assert.deepEqual(["red wins", "Red wins."].map(text.sentence), ["Red wins.", "Red wins."]);
  assert.equal(text.capital(""), "");
});

test("dates are written out; anything else stays as it is", () => {
  assert.equal(text.day("2026-11-22"), "22 Nov 2026");
  for (const other of ["", "yesterday", "2026-13-40", "2026-11"]) assert.equal(text.day(other), other);
});
