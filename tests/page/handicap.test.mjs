// Handicaps: which a game has, and where their stones lie.

import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf, load } from "./page.mjs";

const { handicapPlaces, handicapStones, handicapsOf, isHandicap, withHandicap } = await load("game/games.js");

const seats = [{ name: "black" }, { name: "white" }];
const game = (id, network, swaps, arranges) => ({ id, network, swaps, arranges, seats });
const ABOUT = {
  games: [
    game("hex", "hex", true, true),
    game("hex-noswap", "hex", false, true),
    game("cachex", "cachex", true, true),
    game("link", "link", false, false),
  ],
};

const choices = (id, size = 11) => handicapsOf(ABOUT, ABOUT.games.find((one) => one.id === id), size).map(([choice]) => choice);

test("a game has the handicaps that it can hold", () => {
  assert.deepEqual(choices("hex"), ["none", "move", "2", "3", "4"]);
  assert.deepEqual(choices("hex-noswap"), ["none", "2", "3", "4"]);
  assert.deepEqual(choices("cachex"), ["none", "2", "3", "4"]);
  assert.deepEqual(choices("link"), ["none"]);
  assert.deepEqual(choices("hex", 7), ["none", "move", "2", "3"]);
  assert.deepEqual(choices("hex", 4), ["none", "move"]);
});

test("who has a handicap keeps the seat in a rematch", () => {
  const stones = { first: ["a1", "b2"], second: [], to_move: "second" };
  const setups = [{ game: "hex" }, { game: "hex-noswap" }, { game: "link" }, { game: "hex", stones }];
  assert.deepEqual(setups.map((setup) => isHandicap(ABOUT, setup)), [false, true, false, true]);
});

test("a handicap is another game or a position", async () => {
  const setup = { game: "hex", size: 3 };
  const layout = async () => layoutOf("hex");
  assert.equal(await withHandicap(ABOUT, setup, "none", layout), setup);
  assert.deepEqual(await withHandicap(ABOUT, setup, "move", layout), { game: "hex-noswap", size: 3 });
  const given = await withHandicap(ABOUT, setup, "2", layout);
  assert.equal(given.stones.to_move, "second");
  assert.deepEqual([given.stones.first.length, given.stones.second, handicapStones(given)], [2, [], 2]);
  assert.equal(handicapStones(setup), 0);
  assert.equal(handicapStones({ stones: { first: ["a1", "b1"], second: ["c1"], to_move: "second" } }), 0);
  assert.equal(handicapStones({ stones: { first: ["a1", "b1"], second: [], to_move: "first" } }), 0);
});

test("the first stone lies in the middle, and no two on one place", () => {
  for (const name of ["hex", "gale"]) {
    const layout = layoutOf(name);
    const playable = new Set(layout.places.filter((place) => place.playable).map(({ label }) => label));
    for (const count of [2, 3, 4]) {
      const places = handicapPlaces(layout, count);
      assert.ok(places.every((label) => playable.has(label)), `${name}: ${places}`);
      assert.equal(new Set(places).size, places.length);
    }
  }
  assert.equal(handicapPlaces(layoutOf("hex"), 2)[0], "b2");
});
