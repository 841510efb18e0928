// The home screen, which lists the latest games.

import assert from "node:assert/strict";
import test from "node:test";

import { fakeDocument } from "./fakeDom.mjs";
import { emptyStorage, load } from "./page.mjs";

globalThis.document = fakeDocument("https://a.example/");
globalThis.IntersectionObserver = class {
  observe() {}
};
globalThis.scrollTo = () => {};

const savedGames = await load("game/savedGames.js");
const { Home } = await load("home_screen/home.js");

const ABOUT = { games: [{ id: "hex", network: "hex", title: "Hex", summary: "connect", seats: [{ name: "red" }, { name: "blue" }], boards: { least: 3, most: 9 } }] };
const puzzles = { games: [], mistakes: [], progress: { counts: () => ({ due: 0 }), streak: 0, longest: 0 } };

test("a game that is deleted leaves the latest games", () => {
  emptyStorage();
  const lines = ["a1", "c3"].map((move) => JSON.stringify({ game: "hex", size: 5, moves: [move, "b2", "b3"] }));
  lines.forEach((line, id) => savedGames.addGame(line, { id: `game ${id}` }));
  const home = new Home(ABOUT, Object.assign(new EventTarget(), { tree: null }), null, puzzles, {});
  home.open();
  const recent = document.getElementById("recent-games");
  assert.deepEqual([home.isOpen, recent.children.length], [true, 2]);
  savedGames.remove(lines[0]);
  home.refresh();
  assert.equal(recent.children.length, 1);
});
