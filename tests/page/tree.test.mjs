import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { GameTree, mainLine, toLine } = await load("game/gameTree.js");

const state = (move) => ({ move });

// a b c, with the variations d e instead of b, and f instead of c.
const grown = () => {
  const tree = new GameTree(state(null));
  const at = {};
  const add = (parent, move) => (at[move] = tree.add(parent, move, state(move)));
  add(tree.root, "a");
  add(at.a, "b");
  add(at.b, "c");
  add(at.a, "d");
  add(at.d, "e");
  add(at.b, "f");
  return { tree, at };
};

// The states of a line from a ply on, as a server gives them.
const statesOf = async (line, from) => [null, ...line].slice(from).map(state);

const moves = (positions) => positions.map(({ move }) => move).join("");

test("paths, lines and what was looked at last", () => {
  const { tree, at } = grown();
  assert.deepEqual([at.e.ply, at.e.moves()], [3, ["a", "d", "e"]]);
  assert.equal(moves(tree.root.line()), "abc");
  at.a.latest = at.d;
  assert.equal(moves(tree.root.line()), "ade", "the line goes where somebody looked");
  assert.equal(moves(at.b.line()), "abc");
  assert.ok(at.a.isWithin(at.e) && !at.b.isWithin(at.e) && at.e.isWithin(at.e));
  assert.equal(tree.find(["a", "d", "e"]), at.e);
  assert.equal(tree.find(["a", "x"]), null);
});

test("a promoted line is the main one; a removed one is gone", () => {
  const { tree, at } = grown();
  tree.promote(at.e);
  assert.deepEqual(mainLine(tree.toJSON()), ["a", "d", "e"]);
  assert.equal(moves(at.a.children), "db");
  tree.remove(at.d);
  assert.ok(!tree.has(at.e) && tree.has(at.c));
  assert.equal(at.a.latest, null);
  assert.deepEqual(mainLine(tree.toJSON()), ["a", "b", "c"]);
});

test("a tree as a line, with variations and comments by the number of moves", () => {
  const { tree, at } = grown();
  at.b.comment = "good";
  at.e.comment = "less good";
  assert.deepEqual(toLine(tree.toJSON()), {
    moves: ["a", "b", "c"],
    variations: [
      { ply: 1, moves: ["d", "e"], comments: { 3: "less good" } },
      { ply: 2, moves: ["f"] },
    ],
    comments: { 2: "good" },
  });
  // The game ended after two moves: what was tried afterwards is a variation too.
  const ended = toLine(tree.toJSON(), 2);
  assert.deepEqual([ended.moves, ended.variations.map(({ ply, moves }) => [ply, moves])], [
    ["a", "b"],
    [[1, ["d", "e"]], [2, ["c"]], [2, ["f"]]],
  ]);
});

test("texts on the board of a file are kept", async () => {
  const tree = [null, [["a", [["b", [], "", { c3: "X" }]]]], "said", { a1: "1" }];
  const again = await GameTree.from(tree, statesOf);
  assert.deepEqual(again.toJSON(), tree);
  assert.deepEqual(toLine(again.toJSON()).marks, { 0: { a1: "1" }, 2: { c3: "X" } });
});

test("a tree is built again from few questions", async () => {
  const { tree, at } = grown();
  at.f.comment = "hm";
  const asked = [];
  const again = await GameTree.from(JSON.parse(JSON.stringify(tree)), (line, from) => {
    asked.push(`${line.join("")}:${from}`);
    return statesOf(line, from);
  });
  assert.deepEqual(again.toJSON(), tree.toJSON());
  assert.deepEqual(asked, [":0", "abc:1", "ade:2", "abf:3"]);
});

test("a variation that stands twice in a file is one", async () => {
  const tree = [null, [["a", [["b", []], ["b", [["c", []]]]]]]];
  const again = await GameTree.from(tree, statesOf);
  assert.deepEqual(again.toJSON(), [null, [["a", [["b", [["c", []]]]]]]]);
});

test("what was found is kept without what takes much room", () => {
  const { tree, at } = grown();
  const line = { move: "c", visits: 90, variation: Array.from({ length: 30 }, (_, i) => `m${i}`) };
  at.b.analysis = { visits: 100, lines: Array.from({ length: 30 }, () => line), board: { first: [0], second: [1] } };
  at.b.chance = 0.7;
  const kept = JSON.parse(JSON.stringify(tree.findings()));
  assert.deepEqual(kept.map(({ moves }) => moves), [["a", "b"]]);
  const again = grown();
  again.tree.learn([...kept, { moves: ["gone"], chance: 0, analysis: { visits: 1, lines: [] } }]);
  const { analysis, chance } = again.at.b;
  assert.deepEqual([analysis.visits, analysis.lines[0].visits, analysis.board, chance], [100, 90, undefined, 0.7]);
  assert.ok(analysis.lines.length < 10 && analysis.lines[0].variation.length <= 10);
  assert.equal(again.at.c.analysis, null);
});
