// The engine as a WebAssembly module. It runs in a page, in a worker and in Node.js.

import { Module } from "./module.js";

// The smallest module that multiplies vectors. A browser without them cannot run the engine.
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

// The smallest module with a product of relaxed SIMD.
const RELAXED = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 146, 2, 11,
]);

// Whether the module with relaxed SIMD runs here. Chromium's multiplied bytes wrongly before version 124; it has had `Promise.try` since
// version 128.
export const isRelaxed = () => "try" in Promise && WebAssembly.validate(RELAXED);

// Returns a sentence that says why this browser cannot run the engine, or null if it can.
export const obstacle = () => {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly, which the engine needs.";
  if (!WebAssembly.validate(VECTORS)) return "This browser's WebAssembly has no SIMD, which the engine needs.";
  return null;
};

// Lets messages in between two turns of a search; a timer would wait for longer.
export const pause = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

// One engine for one person. Its search proceeds in turns of 10 ms, between which it takes messages.
export class Engine extends Module {
  // Instantiates a compiled `WebAssembly.Module`. `onAnswer` gets the texts of answers; `seed` is that of random choices, and the
  // search tree takes at most `memory` bytes. `precision` is `int8` or `f32`, or empty for the faster. With `threads` above 1 the
  // module must be one with threads, and `spawn` starts a thread: a worker that passes what it gets to `runThread`. It returns a
  // promise that resolves when the thread runs.
  static async start(module, { onAnswer, seed = 0, memory = 256 << 20, precision = "", threads = 1, spawn = null }) {
    const engine = new Engine(onAnswer);
    await engine.instantiate(module, { isShared: threads > 1, spawn });
    if (threads > 1) {
      engine.exports._initialize();
      engine.callOrThrow("start_threads", threads - 1);
      await Promise.all(engine.started);
    }
    engine.callOrThrow("open_session", seed >>> 0, memory, threads, precision);
    // Only modules of crates with games of their own have it.
    if (engine.exports.register_games) engine.call("register_games");
    return engine;
  }

  // Plays a game with the checkpoint in `bytes`; `name` is what errors call the file. Throws if it is none for this game.
  loadModel(game, name, bytes) {
    this.callOrThrow("load_model", game, name, bytes);
  }

  // Executes a request, a text in the form of docs/web.md.
  receive(request) {
    this.call("receive", request);
  }

  // Searches for 10 ms. Returns whether there is more to do.
  turn() {
    return this.call("turn") === 1;
  }

  // Answers a query of the server's paths: `layout`, `openings` or `games`. Returns the status of HTTP and the text.
  resource(path, query, file = "") {
    const [status, text] = this.callForText(() => this.call("resource", path, query, file));
    return { status, text };
  }
}
