import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf, load } from "./page.mjs";

const { UNIT, View, length, minus } = await load("board_ui/geometry.js");
const { candidates } = await load("board/marks.js");

const [HEX, TORUS, CROSSINGS] = ["hex", "infexion", "gale"].map(layoutOf);

const WAYS = [0, 1, 2, 3, 4, 5];

const isNear = ([a, b], [c, d], most = 0.01) => Math.hypot(a - c, b - d) < most;

test("neighbours lie two units apart, each with room for a stone", () => {
  const view = new View(HEX);
  const [here, right] = [view.byLabel.get("b2"), view.byLabel.get("c2")];
  assert.ok(Math.abs(length(minus(view.places[right].centre, view.places[here].centre)) - 2 * UNIT) < 0.01);
  assert.ok(Math.abs(view.places[here].room - UNIT) < 0.01);
  assert.deepEqual([view.byKey(here, "right"), view.byKey(here, "left")], [right, view.byLabel.get("a2")]);
});

test("everything lies within the picture, however the board is turned", () => {
  for (const layout of [HEX, TORUS, CROSSINGS])
    for (const turns of WAYS)
      for (const mirrored of [false, true])
        for (const standing of [false, true]) {
          const { box, places } = new View(layout, { turns, mirrored, standing });
          for (const { centre: [x, y], room } of places)
            assert.ok(x - room > box.left && y - room > box.top && x + room < box.left + box.width && y + room < box.top + box.height);
        }
});

test("six turns are none, three put a place opposite, a mirror swaps left and right", () => {
  const centres = (options) => new View(HEX, options).places.map(({ centre }) => centre);
  const plain = centres({});
  centres({ turns: 6 }).forEach((centre, i) => assert.ok(isNear(centre, plain[i])));
  centres({ turns: 3 }).forEach(([x, y], i) => assert.ok(isNear([-x, -y], plain[i])));
  centres({ mirrored: true }).forEach(([x, y], i) => assert.ok(isNear([-x, y], plain[i])));
});

test("a standing board is higher than wide", () => {
  const { box } = new View(HEX, { standing: true });
  assert.ok(box.height > box.width, `${box.width} × ${box.height}`);
});

test("opposite directions lead opposite ways, on a turned board too", () => {
  for (const options of [{}, { turns: 1 }, { mirrored: true }]) {
    const view = new View(HEX, options);
    const here = view.byLabel.get("b2");
    const found = WAYS.map((way) => view.heading(here, way));
    for (const [x, y] of found) {
      assert.ok(Math.abs(length([x, y]) - 1) < 0.01);
      assert.ok(found.some((other) => isNear(other, [-x, -y])));
    }
    WAYS.forEach((way) => assert.equal(view.byVector(here, found[way]), view.next(here, way)));
  }
});

test("on a board that goes round, neighbours may lie far apart", () => {
  const view = new View(TORUS);
  const pairs = TORUS.places.flatMap((_, place) => WAYS.map((way) => [place, view.next(place, way)]));
  assert.ok(pairs.every(([, other]) => other !== null));
  const around = pairs.filter(([place, other]) => view.wraps(place, other));
  assert.ok(around.length > 0 && around.length < pairs.length / 2, `${around.length} of ${pairs.length}`);
  for (const [place, other] of around) assert.ok(!view.near(place, other));
});

test("arrow keys come back on a turned board, and the last place is at the rim", () => {
  const view = new View(HEX, { turns: 1 });
  const here = view.byLabel.get("b2");
  for (const [there, back] of [["left", "right"], ["up", "down"]]) {
    const next = view.byKey(here, there);
    assert.notEqual(next, null);
    assert.equal(view.byKey(next, back), here);
  }
  const end = view.byKeyToTheEnd(here, "left");
  assert.equal(view.byKey(end, "left"), null);
});

test("crossings that are no cells show no cell twice", () => {
  const view = new View(CROSSINGS);
  view.ofCell.forEach((place, cell) => assert.equal(CROSSINGS.places[place].cell, cell));
  assert.ok(view.places.some(({ lines }) => lines.some(Boolean)), "bridges are lines");
});

test("labels go to the moves that the search takes seriously", () => {
  const lines = [1000, 500, 11, 9, 0].map((visits, i) => ({ move: `m${i}`, visits }));
  assert.deepEqual(candidates({ lines }).map(({ move }) => move), ["m0", "m1", "m2"]);
  assert.equal(candidates({ lines: Array(9).fill({ visits: 5 }) }).length, 6);
  assert.equal(candidates({ lines: [{ visits: 0 }] }).length, 1, "the best move always");
});
