import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf, load } from "./page.mjs";

const { View } = await load("board_ui/geometry.js");
const { spokenAction, short, spoken } = await load("text/moves.js");

const layout = layoutOf("infexion");
const GAME = {
  actions: [{ word: "swap" }],
  signs: [{ sign: "s", words: "spawn on" }, { sign: "m", words: "spread from" }],
  directions: ["Up", "UpRight", "DownRight", "Down", "DownLeft", "UpLeft"],
};

const named = (move, way = {}) => {
  const session = { game: GAME, view: new View(layout, way) };
  return [short, spoken, spokenAction].map((words) => words(session, move));
};

test("a direction is told as the board is drawn", () => {
  // Row 0 is drawn at the top: the game's own words are for a board that has it at the bottom.
  const { centre: from } = layout.places[24];
  const [row, column] = layout.places[24].label.split(",");
  const to = layout.places[layout.places[24].arrows.directions[2]].centre;
  const isRight = to[0] > from[0];
  const [, words] = named(`m:${row},${column}:DownRight`);
  assert.match(words, isRight ? /right|up|down/ : /left|up|down/);
  const [, mirrored] = named(`m:${row},${column}:DownRight`, { mirrored: true });
  assert.equal(mirrored, words.includes("right") ? words.replace("right", "left") : words.replace("left", "right"));
});

test("turned on by half a circle every way is the other one", () => {
  const opposite = { "↗": "↙", "↘": "↖", "↑": "↓", "↙": "↗", "↖": "↘", "↓": "↑", "→": "←", "←": "→" };
  for (const direction of GAME.directions) {
    const [before] = named(`m:3,3:${direction}`);
    const [after] = named(`m:3,3:${direction}`, { turns: 3 });
    assert.equal(after.at(-1), opposite[before.at(-1)], direction);
  }
  const six = new Set(GAME.directions.map((direction) => named(`m:3,3:${direction}`)[0]));
  assert.equal(six.size, 6);
});

test("what has no direction keeps its place, and buttons their name", () => {
  assert.deepEqual(named("s:3,4"), ["3,4", "3,4", "spawn on 3,4"]);
  assert.deepEqual(named("swap"), ["swap", "swap", "swap"]);
  const [, , words] = named("m:3,4:Up");
  assert.match(words, /^spread from 3,4 (up|down|to the )/);
});

test("a distance is told where a move has one", () => {
  const session = { game: { ...GAME, directions: ["sw", "s", "e", "ne", "n", "w"] }, view: new View(layout) };
  assert.match(short(session, "m:3,3-s-2"), /^3,3 .2$/u);
  assert.match(spoken(session, "m:3,3-s-2"), / by 2$/);
});
