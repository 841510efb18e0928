// The lessons: that every game has one, that its steps have all that they need, and how moves are judged.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { emptyStorage, load } from "./page.mjs";

const { GameTree } = await load("game/gameTree.js");
const { LESSONS } = await load("lessons/data.js");
const { Lessons, addressOfLesson, judge, lessonOfAddress, nextMove } = await load("lessons/lessons.js");
const { status } = await load("text/status.js");

// The games by their pages in the documentation: variants share one.
const GAMES = [...readFileSync(new URL("../../docs/games/README.md", import.meta.url), "utf8").matchAll(/\((\w+)\.md\)/g)].map(([, name]) => name);
const words = (text) => text.split(" ").filter(Boolean);
const steps = Object.entries(LESSONS).flatMap(([game, lesson]) => lesson.map((step, i) => [`${game} ${i + 1}`, step]));

test("every game has a lesson of three to six steps, and the page knows it before it loads them", () => {
  assert.equal(new Set(GAMES).size, 16, `${GAMES}`);
  assert.deepEqual(Object.keys(LESSONS).toSorted(), [...new Set(GAMES)].toSorted());
  const lessons = new Lessons({ games: [] }, new EventTarget(), () => {});
  for (const [network, lesson] of Object.entries(LESSONS)) {
    assert.ok(lesson.length >= 3 && lesson.length <= 6, network);
    assert.ok(lessons.has({ network }), network);
  }
  assert.ok(!lessons.has({ network: "toy" }));
});

test("each step has a position, an answer and what is said of it", () => {
  for (const [name, step] of steps) {
    assert.ok(Number.isInteger(step.size) && (step.stones || typeof step.moves === "string"), name);
    if (step.stones) assert.deepEqual(Object.keys(step.stones), ["first", "second", "to_move"], name);
    assert.ok(step.answers.length > 0 && step.answers.every((answer) => words(answer).length > 0), name);
    for (const text of [step.text, step.right]) assert.match(text, /^[A-Z0-9a-e].*[.!]$/s, name);
    // Where any move is right, nothing is said of a wrong one.
    const takesAll = step.answers.some((answer) => words(answer).every((word) => word === "*"));
    assert.equal(step.wrong === undefined, takesAll, name);
    if (step.show) assert.ok(nextMove(step.answers, []), `${name} has no move to show`);
  }
});

test("texts name rows and colours, not sides of the screen, as boards can be turned", () => {
  for (const [name, { text, right, wrong }] of steps)
    for (const said of [text, right, wrong ?? ""]) assert.doesNotMatch(said, /\b(left side|right side|upper|lower|top|bottom|north|south|east|west)\b/i, name);
});

test("moves are judged by the answers", () => {
  assert.equal(judge(["b3", "c3"], ["c3"]), "right");
  assert.equal(judge(["b3"], ["a1"]), "wrong");
  const turns = ["n:b3 c3", "n:c3 b3"];
  assert.deepEqual([["n:c3"], ["n:c3", "b3"], ["n:c3", "a1"]].map((moves) => judge(turns, moves)), ["open", "right", "wrong"]);
  assert.deepEqual([["d4"], ["d4", "a1"], ["a1"]].map((moves) => judge(["d4 *"], moves)), ["open", "right", "wrong"]);
  assert.deepEqual([judge(["m:*"], ["m:c3-e-1"]), judge(["m:*"], ["-"])], ["right", "wrong"]);
});

test("the next move of an answer can be shown, unless any will do", () => {
  assert.deepEqual([nextMove(["b3"], []), nextMove(["n:b3 c3", "n:c3 b3"], ["n:c3"])], ["b3", "b3"]);
  assert.deepEqual([nextMove(["*"], []), nextMove(["d4 *"], ["d4"]), nextMove(["b3"], ["b3"])], [null, null, null]);
});

test("the address of a step comes out as it went in", () => {
  assert.equal(addressOfLesson({ game: "hex-noswap", number: 2 }), "#learn/hex-noswap/2");
  assert.deepEqual(lessonOfAddress("#learn/hex-noswap/2"), { game: "hex-noswap", number: 2 });
  assert.deepEqual(lessonOfAddress("#learn/y"), { game: "y", number: 1 });
  for (const other of ["#hex/5/.a1", "#learn/", "#learn/hex/x", ""]) assert.equal(lessonOfAddress(other), null, other);
});

// A session in a step.
const sessionIn = (lesson) => {
  const tree = new GameTree({});
  const tip = tree.root;
  const session = new EventTarget();
  Object.assign(session, { setup: { lesson }, tip, current: tip, verdict: null, game: { network: "hex" }, exploring: false });
  session.to = (...moves) => {
    session.current = moves.reduce((at, move) => tree.add(at, move, {}), tip);
    session.dispatchEvent(new Event("change"));
  };
  return session;
};

test("a step asks, judges and forgets a try that is taken back", async () => {
  emptyStorage();
  const session = sessionIn({ number: 2, of: 2, text: "Do it.", right: "Yes.", wrong: "No.", answers: ["b3 c3"] });
  const lessons = new Lessons({ games: [] }, session, () => {});
  let judged = 0;
  lessons.addEventListener("judged", () => (judged += 1));
  assert.deepEqual(status(session), { title: "Step 2 of 2", text: "Do it." });
  session.to("b3");
  assert.deepEqual([status(session).title, lessons.answer], ["Step 2 of 2", "c3"]);
  session.to("a1");
  assert.deepEqual(status(session), { title: "Not that one", text: "No." });
  await new Promise(setImmediate);
  assert.equal(judged, 1);
  session.to();
  assert.equal(session.verdict, null);
  session.to("b3", "c3");
  assert.deepEqual(status(session), { title: "Lesson complete", text: "Yes." });
});
