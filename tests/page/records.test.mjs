// Texts that are pasted: links, games, and moves of a game on the board.
import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { areMoves, recordOfMoves } = await load("game/records.js");

test("a list of moves is no link and no game", () => {
  for (const text of ["a1", "d2 swap c4", "0,0 10,5", "s:0,0 s:1,2", "a1-b2 x:c3", "1. a1 2. b2"]) assert.ok(areMoves(text), text);
  const others = ["(;GM[11])", "{}", "https://hexworld.org/board/#5", "hexworld.org/board/#5", "#5,a1", "11r9c1,a1b2", "11x12,:s", "5,"];
  for (const text of others) assert.ok(!areMoves(text), text);
});

test("moves are those of a game like the one on the board", () => {
  assert.equal(recordOfMoves(" 1. a1\n2. swap ", { game: "hex", size: 5 }), '{"game":"hex","size":5,"moves":["a1","swap"]}');
  const stones = { first: ["a1"], second: [] };
  assert.deepEqual(JSON.parse(recordOfMoves("b2", { game: "hex", size: 5, stones })).setup, stones);
});
