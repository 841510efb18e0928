// The engine in a worker, so that the page never waits for it. It loads the model of a game when a request needs it.

import { inflated } from "./files.js";
import { Engine, isRelaxed, pause } from "./hexzero.js";

const MEBIBYTE = 1 << 20;

let engine = null;
// The addresses of models by game, and those loaded or under way.
let models = {};
let base = null;
const loading = new Map();
let isRunning = false;

const send = (message) => postMessage(message);
const fail = (error) => send({ failed: error.message });

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
  const bytes = await inflated(new URL(path, base));
  send({ loaded: path });
  return bytes;
};

// Loads the model of a game, once; those that share a network share its file.
const load = (game) => {
  const path = models[game];
  if (!path) return null;
  if (!loading.has(path)) {
    const loaded = file(path).then((bytes) =>
      engine.loadModel(game, path.split("/").at(-1).replace(/\.gz$/, ""), bytes),
    );
    // A later request tries again.
    loaded.catch(() => loading.delete(path));
    loading.set(path, loaded);
  }
  return loading.get(path);
};

const request = async (text) => {
  const { id, do: what, game } = JSON.parse(text);
  try {
    if (["move", "analyze", "review"].includes(what)) await load(game);
  } catch (error) {
    return send({ answer: JSON.stringify({ id, error: error.message }) });
  }
  engine.receive(text);
  run();
};

// Returns the module for this browser. A host may have none with relaxed SIMD.
const bestModule = async () => {
  const get = (name) => file(`engine/${name}.wasm.gz`);
  return (isRelaxed() && (await get("hexzero-relaxed").catch(() => null))) || get("hexzero");
};

const open = async (message) => {
  ({ base, models } = message);
  const module = await WebAssembly.compile(await bestModule());
  const onAnswer = (answer) => send({ answer });
  engine = await Engine.start(module, { onAnswer, seed: message.seed, memory: message.mebibytes * MEBIBYTE });
  send({ ready: true });
};

const tasks = {
  open,
  request: ({ text }) => request(text),
  resource: ({ number, path, query, file }) => send({ number, ...engine.resource(path, query, file) }),
};

// In order, for a request may wait for its model; but `stop` ends a search while it goes on.
let before = Promise.resolve();
onmessage = ({ data }) => {
  before = before.then(() => tasks[data.task](data)).catch(fail);
};
