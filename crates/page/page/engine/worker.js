// The engine in a worker, so that the page never waits for it. It loads the model of a game when a request needs it.

import { RunStore } from "../learn/store.js";
import { fetchDecompressed } from "./download.js";
import { Engine, isRelaxed, pause } from "./hexzero.js";
import { once } from "./once.js";

let engine = null;
// The addresses of models by game, and those loaded or under way.
let models = {};
let base = null;
const loading = new Map();
let isRunning = false;

const fail = (error) => postMessage({ failed: error.message });

const run = async () => {
  if (isRunning) return;
  isRunning = true;
  try {
    while (engine.turn()) await pause();
  } catch (error) {
    fail(error);
  } finally {
    isRunning = false;
  }
};

// Returns the bytes of a compressed file, and tells the page that it is in use.
const file = async (path) => {
  const bytes = await fetchDecompressed(new URL(path, base));
  postMessage({ loaded: path });
  return bytes;
};

// Returns the bytes of a network that learnt in this browser; the path is `learnt:`, the run, a colon, the iteration.
const learnt = async (path) => {
  const [, run, iteration] = path.split(":");
  return (await RunStore.open()).network(run, Number(iteration));
};

// Loads the model of a game, once; those that share a network share its file.
const load = (game) => {
  const path = models[game];
  if (!path) return null;
  return once(loading, path, async () => {
    const bytes = await (path.startsWith("learnt:") ? learnt(path) : file(path));
    engine.loadModel(game, path.split("/").at(-1).replace(/\.gz$/, ""), bytes);
  });
};

const request = async (text) => {
  const { id, do: what, game } = JSON.parse(text);
  try {
    if (["move", "analyze", "review"].includes(what)) await load(game);
  } catch (error) {
    return postMessage({ answer: JSON.stringify({ id, error: error.message }) });
  }
  engine.receive(text);
  run();
};

// Returns the best module of a kind for this browser. A host may have none with relaxed SIMD.
const bestModule = async (name) => {
  const get = async (suffix) => WebAssembly.compile(await file(`engine/${name}${suffix}.wasm.gz`));
  return (isRelaxed() && (await get("-relaxed").catch(() => null))) || get("");
};

// The functions to call when a thread runs, by its number.
const starting = new Map();

// The milliseconds that a thread may take to start.
const MAX_START_MS = 10_000;

// The page starts threads: this worker cannot hear of their faults while it searches.
const spawn = (thread) => {
  postMessage({ spawn: thread });
  return new Promise((resolve, reject) => {
    starting.set(thread.id, resolve);
    setTimeout(() => reject(new Error("a thread does not start")), MAX_START_MS);
  });
};

// Starts the engine on `threads` threads, or on one. A host may have no module with threads, and a browser may have no memory to share.
const start = async (threads, options) => {
  if (threads > 1) {
    try {
      return [await Engine.start(await bestModule("hexzero-threads"), { ...options, threads, spawn }), threads];
    } catch (error) {
      console.info(`The engine uses one thread: ${error.message}`);
      postMessage({ singleThread: true });
    }
  }
  return [await Engine.start(await bestModule("hexzero"), options), 1];
};

const open = async (message) => {
  ({ base, models } = message);
  const onAnswer = (answer) => postMessage({ answer });
  let threads;
  [engine, threads] = await start(message.threads, { onAnswer, seed: message.seed });
  postMessage({ ready: true, threads });
};

const tasks = {
  open,
  request: ({ text }) => request(text),
  resource: ({ number, path, query, file }) => postMessage({ number, ...engine.resource(path, query, file) }),
};

// Messages are handled in order, as a request may wait for its model; but `stop` ends a search while it goes on.
let queue = Promise.resolve();
onmessage = ({ data }) => {
  if (data.running) return starting.get(data.running)();
  queue = queue.then(() => tasks[data.task](data)).catch(fail);
};
