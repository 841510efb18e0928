import assert from "node:assert/strict";
import test from "node:test";

import { FakeWorker } from "./fakeWorker.mjs";
import { load } from "./page.mjs";

globalThis.Worker = FakeWorker;
globalThis.crossOriginIsolated = true;
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: 32 }, configurable: true });
globalThis.document = { baseURI: "https://a.example/hexzero/#hex/5" };

const { tabEngine } = await load("engine/tab.js");
const { ConnectionLost, RequestRefused } = await load("server/connection.js");

const hex = { network: "hex", has_network: true };
const about = { games: [{ id: "hex", ...hex }, { id: "hex-noswap", ...hex }, { id: "own", network: "own", has_network: false }] };
const tab = tabEngine().start(about);
const worker = () => FakeWorker.latest;

test("the worker gets the models, and the page's address without a part of it", () => {
  assert.equal(tab.obstacle, null);
  const [{ task, base, models }] = worker().sent;
  assert.deepEqual([task, base], ["open", document.baseURI]);
  assert.deepEqual(models, { hex: "models/hex.safetensors.gz", "hex-noswap": "models/hex.safetensors.gz" });
  assert.equal(worker().options.type, "module");
});

test("the worker has threads started, and hears when they run", () => {
  const engine = worker();
  assert.equal(engine.sent[0].threads, 8);
  engine.say({ spawn: { id: 1, argument: 77 } });
  const thread = worker();
  assert.match(thread.url, /thread\.js$/);
  assert.deepEqual(thread.sent, [{ id: 1, argument: 77 }]);
  thread.say({ running: 1 });
  assert.deepEqual(engine.sent.at(-1), { running: 1 });
  FakeWorker.started.pop();
});

test("requests wait for the engine, and answers go to them", async () => {
  await assert.rejects(tab.request({ do: "states" }), ConnectionLost);
  worker().say({ ready: true, threads: 2 });
  assert.ok(tab.ready);
  assert.equal(tab.threads, 2);
  const asked = tab.request({ do: "move" });
  worker().say({ answer: '{"id":1,"move":"a1"}' });
  assert.equal((await asked).move, "a1");
});

test("resources have answers of their own", async () => {
  const [layout, wrong] = [tab.resource("layout", { game: "hex", size: 3 }, ""), tab.resource("layout", { game: "chess" }, "")];
  const [first, second] = worker().sent.slice(-2);
  assert.deepEqual([first.path, first.query], ["layout", "game=hex&size=3"]);
  worker().say({ number: second.number, status: 404, text: "no such game" });
  worker().say({ number: first.number, status: 200, text: "{}" });
  assert.equal(await layout, "{}");
  await assert.rejects(wrong, RequestRefused);
});

test("another engine starts in place of one that has failed", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const old = worker();
  old.say({ spawn: { id: 1 } });
  const thread = worker();
  const asked = [tab.request({ do: "move" }), tab.resource("layout", {}, "")];
  thread.say({ failed: "out of memory" });
  old.say({ failed: "the same, said by another thread" });
  for (const one of asked) await assert.rejects(one, ConnectionLost);
  assert.deepEqual([tab.ready, tab.fault, old.isOver, thread.isOver], [false, "out of memory", true, true]);
  const before = FakeWorker.started.length;
  context.mock.timers.tick(1000);
  assert.equal(FakeWorker.started.length, before + 1);
  assert.deepEqual([worker().sent[0].task, worker().sent[0].threads], ["open", 1]);
  // Of what was still on its way from the ended workers nothing is heard.
  old.say({ number: 1, status: 200, text: "{}" });
  old.say({ ready: true, threads: 8 });
  thread.say({ failed: "again" });
  assert.deepEqual([tab.ready, worker().isOver], [false, false]);
});

test("a network that learnt here plays the variants of its game, too", () => {
  tab.start(about, { game: "hex-noswap", path: "learnt:one:12" });
  assert.deepEqual(worker().sent[0].models, { hex: "learnt:one:12", "hex-noswap": "learnt:one:12" });
});
