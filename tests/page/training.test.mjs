// A run in the tab: one window at a time changes it, and what its worker says of it.

import assert from "node:assert/strict";
import test from "node:test";

import { FakeWorker } from "./fakeWorker.mjs";
import { load } from "./page.mjs";

// Locks as a browser has them, with a queue for each name.
class FakeLocks {
  #queues = new Map();

  async request(name, { signal }, hold) {
    const before = this.#queues.get(name) ?? Promise.resolve();
    const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const turn = Promise.race([before, aborted]);
    const held = turn.then(() => hold({ name }));
    this.#queues.set(name, Promise.all([before, held.catch(() => {})]));
    return held;
  }
}

globalThis.Worker = FakeWorker;
globalThis.document = { baseURI: "https://a.example/hexzero/learn.html" };
const browser = { hardwareConcurrency: 2, locks: new FakeLocks() };
Object.defineProperty(globalThis, "navigator", { value: browser, configurable: true });
// A timeout of the signal does not keep Node.js waiting.
const alive = setInterval(() => {}, 1000);
test.after(() => clearInterval(alive));

const { takeRun } = await load("learn/runLock.js");
const { Thinker } = await load("learn/thinker.js");
const { Training } = await load("learn/training.js");

test("a run is one window's at a time", async () => {
  const giveBack = await takeRun("a", 20);
  assert.equal(await takeRun("a", 20), null);
  assert.ok(await takeRun("b", 20), "another run");
  // A window that waits gets it as soon as it is given back.
  const waiting = takeRun("a", 2000);
  giveBack();
  assert.equal(typeof (await waiting), "function");
});

test("a browser without locks trains all the same, and other faults are told", async () => {
  const { locks } = browser;
  try {
    browser.locks = undefined;
    (await takeRun("a"))();
    browser.locks = { request: async () => Promise.reject(new Error("not here")) };
    await assert.rejects(takeRun("a"), /not here/);
  } finally {
    browser.locks = locks;
  }
});

const training = async (kept) => {
  const made = new Training({ entries: async () => kept }, { id: "a", recipe: "" }, 1);
  const failed = [];
  made.addEventListener("failed", ({ detail }) => failed.push(detail.message));
  await made.load();
  made.go();
  return { made, failed, worker: FakeWorker.latest };
};

test("a run that another window trains can still be looked at, and tried again", async () => {
  const { made, failed, worker } = await training([1, 2]);
  worker.say({ refused: "Another window has it." });
  assert.deepEqual([made.state, made.entries, worker.isOver, failed], ["resting", [1, 2], true, ["Another window has it."]]);
  made.go();
  assert.notEqual(FakeWorker.latest, worker);
  assert.equal(made.state, "opening");
  FakeWorker.latest.say({ failed: "no memory" });
  assert.equal(failed[1], "Training has stopped: no memory");
});

test("a run goes on from what another window has added", async () => {
  const { made, worker } = await training([1]);
  worker.say({ opened: true, entries: [1, 2, 3] });
  worker.say({ entry: 4 });
  assert.deepEqual([made.state, made.entries], ["going", [1, 2, 3, 4]]);
});

test("a run that is closed leaves no worker behind, even if it is asked for an opinion at its end", async () => {
  const { made, worker } = await training([1]);
  made.addEventListener("change", () => made.opinion({ figures: { iteration: 1 } }, ["a1"]));
  made.close();
  assert.notEqual(FakeWorker.latest, worker);
  assert.deepEqual([worker.isOver, FakeWorker.latest.isOver, made.state], [true, true, "resting"]);
});

test("a question that gets no answer fails, and a later one asks anew", async () => {
  const thinker = new Thinker({ id: "a", game: "hex", size: 3 });
  const asked = [thinker.ask(1, []), thinker.ask(2, [])];
  const broken = FakeWorker.latest;
  broken.onerror({ message: "" });
  for (const one of asked) await assert.rejects(one, /cannot be loaded/);
  assert.ok(broken.isOver);
  broken.say({ id: broken.sent[0].id, opinion: "late" });
  const again = thinker.ask(1, ["a1"]);
  assert.notEqual(FakeWorker.latest, broken);
  FakeWorker.latest.say({ id: FakeWorker.latest.sent[0].id, opinion: "good" });
  assert.equal(await again, "good");
});
