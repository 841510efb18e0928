// The page on which networks learn, with two runs at most, and what it shows of a run.

import assert from "node:assert/strict";
import test from "node:test";

import { fakeDocument } from "./fakeDom.mjs";
import { FakeWorker } from "./fakeWorker.mjs";
import { layoutOf, load } from "./page.mjs";

const SEATS = [{ name: "black", goal: "connects top and bottom" }, { name: "white", goal: "connects left and right" }];
const ABOUT = { games: [{ id: "hex", title: "Hex", seats: SEATS, boards: { least: 2, most: 19 } }], learns: true };

const ADDRESS = "https://a.example/learn.html";
const kept = [];
const store = { runs: async () => [...kept], begin: async (run) => kept.push(run), entries: async () => [] };

Object.assign(globalThis, {
  document: fakeDocument(ADDRESS),
  location: new URL(ADDRESS),
  addEventListener() {},
  setInterval() {},
  fetch: async (url) => Response.json(String(url).includes("layout") ? layoutOf("hex") : ABOUT),
  Worker: FakeWorker,
  crossOriginIsolated: true,
});
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 4 }, configurable: true });

const { RunStore } = await load("learn/store.js");
RunStore.open = async () => store;
await load("learn/learn.js");

const find = (id) => document.getElementById(id);
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
const until = async (isSo) => {
  for (let round = 0; round < 1000 && !isSo(); round += 1) await pause();
  assert.ok(isSo());
};
const panels = () => find("runs").querySelectorAll(".run-panel");

test("a second run can be compared with one, and no third one", async () => {
  assert.deepEqual([panels().length, find("compare").hidden], [0, true]);
  find("setup").dispatchEvent(new Event("submit"));
  await until(() => panels().length === 1 && !find("compare").hidden);
  // Twice, before the second run is shown.
  for (let i = 0; i < 2; i++) find("compare").click();
  await until(() => panels().length >= 2);
  for (let round = 0; round < 10; round += 1) await pause();
  assert.deepEqual([panels().length, find("compare").hidden], [2, true]);
  assert.equal(new Set(kept.map(({ id }) => id)).size, 2);
});

test("the figures of an iteration are shown without an exam of its network", async () => {
  const [panel] = panels();
  const figures = { iteration: 1, seconds: 10, games: 100, positions: 900, evaluations: 5000 };
  FakeWorker.started[0].say({ opened: true, entries: [{ figures, exam: null }] });
  assert.match(panel.textContent, /0:10 min, 100 games/);
  assert.match(panel.textContent, /100 games gave 900 examples/);
  assert.match(panel.textContent, /64 positions a move, 500 positions a second/);
});

test("an iteration that is looked back at stays, even if fewer are listed before it", async () => {
  const [panel] = panels();
  const say = (...iterations) => {
    const entries = iterations.map((iteration) => ({ figures: { iteration, seconds: 10, games: 100 * iteration }, exam: null }));
    FakeWorker.started[0].say({ opened: true, entries });
  };
  say(1, 2, 3, 4);
  const slider = panel.querySelectorAll("input").find(({ type }) => type === "range");
  slider.value = 1;
  slider.dispatchEvent(new Event("input"));
  assert.match(panel.textContent, /0:10 min, 200 games/);
  say(2, 4);
  assert.match(panel.textContent, /0:10 min, 200 games/);
  assert.equal(slider.value, "0");
  say(1, 4);
  assert.match(panel.textContent, /0:10 min, 100 games/, "the one before it, where it is gone");
});

test("a warning of a run is shown", () => {
  FakeWorker.started[0].say({ event: { warning: "A file is damaged; set aside." } });
  assert.deepEqual([find("away").textContent, find("away").hidden], ["A file is damaged; set aside.", false]);
});
