import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { cut, effects, reason, selectionPrompt, wayOf } = await load("text/moves.js");
const { Picking } = await load("board_ui/picks.js");
const { resultChange } = await load("panels/reviewPanel.js");

const SESSION = {
  players: ["red", "blue"],
  game: { actions: [{ word: "swap" }], seats: [{ name: "red" }, { name: "blue" }] },
  layout: { places: ["a1", "b1", "a2", "b2"].map((label) => ({ label })) },
};

const need = (stones, way) => ({ stones, way });
const state = (needs, rest = {}) => ({ pieces: [null, null, null, null], changes: [], needs, outcome: null, player: "red", move: "b2", ...rest });
const BEFORE = state([need(2, [0, 2]), need(1, [2, 3])]);

test("a move that makes the other player's shortest way longer has cut it", () => {
  const after = state([need(1, [0, 2]), need(3, [2, 3])]);
  assert.deepEqual(effects(SESSION, BEFORE, after), ["stops blue's threat to win in 1"]);
  assert.deepEqual(cut(SESSION, BEFORE, after).way, [2, 3]);
  assert.equal(cut(SESSION, BEFORE, after).owner, 1);
  assert.deepEqual(effects(SESSION, BEFORE, state([need(1, [0, 2]), null])), ["blocks blue's last path"]);
});

test("far from the end, a way is told of by its stones", () => {
  const [far, cutOff, nearer] = [[5, 6], [5, 8], [4, 6]].map(([red, blue]) => state([need(red, [0, 2]), need(blue, [2, 3])]));
  assert.deepEqual(effects(SESSION, far, cutOff), ["blocks blue's shortest path, which now takes 8 stones instead of 6"]);
  assert.equal(reason(SESSION, { parent: { state: far }, state: nearer }), "It shortens red's path to 4 stones; blue needs 6.");
});

test("one that only goes on with its own way says how far that is, and one that does neither nothing", () => {
  const closer = state([need(1, [0, 2]), need(1, [2, 3])]);
  assert.equal(reason(SESSION, { parent: { state: BEFORE }, state: closer }), "It threatens to win in 1.");
  assert.equal(reason(SESSION, { parent: { state: BEFORE }, state: state(BEFORE.needs) }), "");
  assert.deepEqual([wayOf(SESSION, BEFORE, closer).owner, wayOf(SESSION, BEFORE, closer).way], [0, [0, 2]]);
  assert.equal(wayOf(SESSION, BEFORE, state(BEFORE.needs)), null);
  // A player who is cut off already cannot be cut off again, and games about something else have no paths.
  assert.equal(cut(SESSION, state([need(1, []), null]), state([need(1, []), null])), null);
  assert.deepEqual(effects(SESSION, state([null, null]), state([null, null])), []);
});

test("captures, points and the end are reasons too; a swap is none", () => {
  const pieces = [null, { owner: 1 }, null, null];
  const before = state([null, null], { pieces, standing: { what: "captured cells", points: [1, 0] } });
  const after = state([null, null], {
    changes: [{ placed: 0 }, { removed: 1 }],
    standing: { what: "captured cells", points: [3, 0] },
    outcome: { winner: "red" },
  });
  assert.deepEqual(effects(SESSION, before, after), ["wins", "captures b1", "raises red's captured cells by 2"]);
  assert.deepEqual(effects(SESSION, BEFORE, state([need(1, []), need(5, [])], { move: "swap" })), []);
});

test("a review tells what a move did to the result of its player", () => {
  const said = (reviewed, state = {}) => resultChange({ player: "red", before: 0.54, after: 0.3, ...reviewed }, { to_move: "blue", outcome: null, ...state });
  assert.equal(said({}), "red's win rate goes from 54% to 30%");
  assert.equal(said({ after: 0.54 }), "red's win rate stays at 54%");
  const [won, lost] = ["won", "lost"].map((value) => ({ value, plies: 2 }));
  assert.equal(said({ proven_before: won, proven_after: won }), "red had a win in 2, and now has a loss in 2");
  assert.equal(said({ proven_before: won, proven_after: won }, { to_move: "red" }), "red had a win in 2, and now has a win in 2", "the turn goes on");
  assert.equal(said({ proven_after: lost }), "red had a win rate of 54%, and now has a win in 2");
  assert.equal(said({ proven_before: won }), "red had a win in 2, and now has a win rate of 30%");
  assert.equal(said({ proven_before: won }, { to_move: null, outcome: { winner: "red" } }), "it wins the game");
});

test("a move that was begun says how it goes on", () => {
  const after = (picks) => selectionPrompt("c3", new Picking([{ name: "m", picks: [{ place: 1 }, picks] }]).with({ place: 1 }));
  const said = [{ direction: 2 }, { place: 4 }, { choice: 0 }].map(after);
  assert.deepEqual(said.map((text) => text.split(". ")[1]), [
    "Choose an arrow or its cell", "Click a highlighted cell", "Choose what to place",
  ]);
  assert.ok(said.every((text) => text.startsWith("c3 is selected. ") && text.endsWith("Click c3 again to cancel.")));
});
