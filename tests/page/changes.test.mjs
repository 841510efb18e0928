import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { captured, changesOf, moveNumbers, newPlaces, turned } = await load("board_ui/changes.js");

const GAME = { seats: [{ name: "red" }, { name: "blue" }], actions: [{ word: "swap" }] };

const RED = { owner: 0 };
const BLUE = { owner: 1 };

test("a piece that was moved and turned counts as moved", () => {
  const changes = [{ moved: [0, 3] }, { recoloured: 3 }, { recoloured: 4 }, { removed: 5 }];
  const sorted = changesOf({ changes });
  assert.deepEqual(sorted, { placed: [], removed: [5], moved: [[0, 3]], recoloured: [4] });
});

test("the eye goes to what arrived, or else to what turned", () => {
  assert.deepEqual(newPlaces({ changes: [{ placed: 1 }, { moved: [0, 3] }, { recoloured: 4 }] }), [1, 3]);
  assert.deepEqual(newPlaces({ changes: [{ recoloured: 4 }] }), [4]);
  assert.deepEqual(newPlaces({ changes: [] }), []);
});

test("captures are pieces of the other player, and never by a button", () => {
  const parent = { state: { pieces: [RED, BLUE, BLUE, null] } };
  const changes = [{ removed: 0 }, { removed: 1 }, { recoloured: 2 }, { placed: 3 }];
  const state = { player: "red", move: "d1", changes, pieces: [null, null, RED, RED] };
  assert.deepEqual(captured(GAME, { parent, state }), [1]);
  assert.deepEqual(turned(GAME, { parent, state }), [2]);
  const swapped = { ...state, move: "swap" };
  assert.deepEqual([captured(GAME, { parent, state: swapped }), turned(GAME, { parent, state: swapped })], [[], []]);
  assert.deepEqual(captured(GAME, { parent: null, state }), []);
});

test("each piece has the number of the move that put it there", () => {
  const states = [[], [{ placed: 0 }], [{ placed: 1 }], [{ moved: [0, 2] }], [{ removed: 1 }, { placed: 4 }]];
  const path = states.map((changes, ply) => ({ ply, state: { changes } }));
  const numbers = moveNumbers({ path: () => path });
  assert.deepEqual([...numbers].sort(), [[2, 3], [4, 4]]);
});
