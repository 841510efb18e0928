// Keys that work wherever the focus is.

import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const element = { setAttribute() {}, append() {}, replaceChildren() {}, matches: () => false };
let press;
globalThis.document = {
  addEventListener: (_, listener) => (press = (key) => listener({ key, target: element, preventDefault() {} })),
  querySelector: () => null,
  createElement: () => element,
  getElementById: () => element,
};

const { useKeys } = await load("shell/keyboard.js");

test("a number plays the engine's move in its place, but not while a position is set up", () => {
  const played = [];
  const lines = [{ move: "a1" }, { move: "b2" }];
  const session = { current: { analysis: { lines } }, play: (move) => played.push(move) };
  const editor = { active: false };
  const parts = { session, editor, analyst: { on: true }, home: { isOpen: false }, preferences: { get: () => true } };
  useKeys(parts, {});
  press("2");
  editor.active = true;
  press("1");
  assert.deepEqual(played, ["b2"]);
});
