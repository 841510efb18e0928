import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { findingOf, learnFindings, learnReview } = await load("game/findings.js");
const { GameTree, toLine } = await load("game/gameTree.js");

const position = (fields) => ({ chance: null, analysis: null, reviewed: null, finding: null, ...fields });

test("a position's text has the deepest of what is known", () => {
  const analysis = { visits: 900, lines: [{ variation: ["e5", "d6"] }] };
  const reviewed = { visits: 4000, line: ["c3"] };
  assert.equal(findingOf(position({ analysis, reviewed })), null);
  assert.equal(findingOf(position({ chance: 0.625, analysis, reviewed })), "62.5 900 e5 d6");
  assert.equal(findingOf(position({ chance: 0.625, reviewed })), "62.5 4000 c3");
  assert.equal(findingOf(position({ chance: 0.625, analysis: { isBrief: true }, finding: "62.5 7 a1" })), "62.5 7 a1");
});

test("a review does not replace what a deeper analysis found", () => {
  const analysed = (visits, proven = null) => position({ chance: 0.7, analysis: { visits, proven } });
  const path = [analysed(900), analysed(100), analysed(100, { value: "won", plies: 3 }), position({})];
  learnReview({}, { path: () => path }, { visits: 500, chances: [0.1, 0.2, 0.3, 0.4], moves: [] });
  assert.deepEqual(path.map(({ chance }) => chance), [0.7, 0.2, 0.7, 0.4]);
});

test("what a file says is shown until there is more", async () => {
  const node = [null, [["a1", [["b2", []]], "", {}, "40.0 100 b2 c3"]], "", {}, "55.0 0"];
  const statesOf = async (moves, from) => ["", ...moves].slice(from).map((move) => ({ move, to_move: move ? "white" : "black" }));
  const tree = await GameTree.from(node, statesOf);
  const session = { tree, firstPlayerChance: (player, win) => (player === "black" ? win : 1 - win) };
  learnFindings(session);
  const [next] = tree.root.children;
  assert.deepEqual([tree.root.chance, tree.root.analysis, tree.root.marks], [0.55, null, null]);
  assert.equal(next.chance, 0.4);
  const { to_move: mover, win, visits, lines } = next.analysis;
  assert.deepEqual([mover, win, visits, lines[0].variation], ["white", 0.6, 100, ["b2", "c3"]]);
  assert.deepEqual(tree.findings(), []);
  assert.deepEqual(toLine(tree.toJSON()), { moves: ["a1", "b2"], analysis: { 0: "55.0 0", 1: "40.0 100 b2 c3" } });
});
