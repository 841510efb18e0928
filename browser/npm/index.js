// The engine of hexzero, for programs in the browser and in Node.js. Texts of requests and answers are those of the page's protocol.

import { Engine, isRelaxed, obstacle, pause } from "./hexzero.js";

export { obstacle };

const MEBIBYTE = 1 << 20;

// Reads a file beside this module or anywhere.
const read = async (url) => {
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} cannot be read: the server answers ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

const ownModule = () => new URL(isRelaxed() ? "./hexzero-relaxed.wasm" : "./hexzero.wasm", import.meta.url);

export const load = async ({ wasm, seed = 0, mebibytes = 256 } = {}) => {
  const problem = obstacle();
  if (problem) throw new Error(problem);
  const source = wasm ?? ownModule();
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(await read(new URL(source)));
  const hexzero = new Hexzero();
  await hexzero.start(module, { seed, memory: mebibytes * MEBIBYTE });
  return hexzero;
};

// An engine. It runs one search at a time; others wait for it.
class Hexzero {
  #engine = null;
  #number = 0;
  #waiting = new Map();
  #before = Promise.resolve();

  async start(module, options) {
    this.#engine = await Engine.start(module, { ...options, onAnswer: (text) => this.#take(JSON.parse(text)) });
  }

  // Variants, such as hex-noswap, play with the network of their game.
  async loadModel(game, model = new URL(`./models/${game.replace(/-(noswap|swap|spec)$/, "")}.safetensors`, import.meta.url)) {
    const bytes = model instanceof Uint8Array ? model : await read(new URL(model));
    this.#engine.loadModel(game, model instanceof Uint8Array ? game : String(model).split("/").at(-1), bytes);
  }

  async positions(game, from = game.moves?.length ?? 0) {
    return (await this.#ask({ do: "states", ...game, moves: game.moves ?? [], from })).states;
  }

  async bestMove(game, limits = {}) {
    const { id, ...found } = await this.#search({ do: "move", ...limits, ...game, moves: game.moves ?? [] });
    return found;
  }

  async analyse(game, { seconds = 1, lines = 5, onUpdate = null } = {}) {
    const request = { do: "analyze", seconds, lines, ...game, moves: game.moves ?? [] };
    return (await this.#search(request, onUpdate)).analysis;
  }

  stop() {
    this.#ask({ do: "stop" });
  }

  // Runs a search after those before it.
  #search(request, onUpdate) {
    const search = async () => {
      const answer = this.#ask(request, onUpdate);
      // A rejection is handled when the search returns it, after its last turn.
      answer.catch(() => null);
      while (this.#engine.turn()) await pause();
      return answer;
    };
    const result = this.#before.then(search);
    this.#before = result.catch(() => null);
    return result;
  }

  #ask(request, onUpdate = null) {
    const id = ++this.#number;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onUpdate }));
    this.#engine.receive(JSON.stringify({ id, ...request }));
    return answer;
  }

  #take(answer) {
    const waiting = this.#waiting.get(answer.id);
    if (answer.analysis && !answer.analysis.done) return this.#update(waiting, answer.analysis);
    this.#waiting.delete(answer.id);
    if (answer.error) waiting.reject(new Error(answer.error));
    else waiting.resolve(answer);
  }

  // An error of the callback ends the search, which then rejects with it. It must not pass through the module, which calls this.
  #update(waiting, analysis) {
    try {
      waiting.onUpdate?.(analysis);
    } catch (error) {
      Object.assign(waiting, { onUpdate: null, resolve: () => waiting.reject(error) });
      this.stop();
    }
  }
}
