// A run that trains in this tab: its worker, and the worker's threads. Fires `change` when the state of the run has changed, `event`
// (`detail`) for what happens in between, and `failed` (`detail.message`).

import { endWorker, startWorker } from "../engine/workers.js";
import { Emitter } from "../game/emitter.js";
import { Thinker } from "./thinker.js";

// More threads than this gain little: each game takes one thread.
const MAX_THREADS = 4;

// Without shared memory there is no training.
export const canTrain = () => Boolean(globalThis.crossOriginIsolated) && typeof SharedArrayBuffer !== "undefined";

const threadsFor = (runs) => Math.max(1, Math.min(MAX_THREADS, Math.floor((navigator.hardwareConcurrency ?? 1) / runs)));

export class Training extends Emitter {
  #worker = null;
  #threads = [];
  #isOpen = false;
  #store;
  #share;
  #thinker;
  entries = [];
  // `resting`, `opening`, `going`, or `finishing` the iteration under way.
  state = "resting";

  // `run` is what the store keeps of it; `share` is the number of runs that train at the same time.
  constructor(store, run, share) {
    super();
    this.#store = store;
    this.#share = share;
    this.run = run;
    this.#thinker = new Thinker(run);
  }

  // Reads what the run has learnt so far.
  async load() {
    this.entries = await this.#store.entries(this.run.id);
  }

  // The iterations whose networks can be looked at.
  get stops() {
    return this.entries;
  }

  go() {
    this.#worker ??= this.#start();
    this.#worker.postMessage({ task: "go" });
    this.#become(this.#isOpen ? "going" : "opening");
  }

  // Ends the iteration under way, then rests.
  rest() {
    this.#worker?.postMessage({ task: "rest" });
    if (this.state === "going") this.#become("finishing");
  }

  // Ends at once; what the iteration under way has played is lost, and played again.
  end() {
    [this.#worker, ...this.#threads].forEach(endWorker);
    [this.#worker, this.#threads, this.#isOpen] = [null, [], false];
    this.#become("resting");
  }

  // Ends the run and its pending questions: it is no longer shown.
  close() {
    this.end();
    // Last: those who hear of the end may ask once more.
    this.#thinker.end();
  }

  // Resolves with what the network of an iteration thinks of the position after some moves from the start.
  opinion({ figures }, moves) {
    return this.#thinker.ask(figures.iteration, moves);
  }

  network(iteration) {
    return this.#store.network(this.run.id, iteration);
  }

  #become(state) {
    this.state = state;
    this.fire("change");
  }

  #start() {
    const worker = this.#listenTo(new URL("../engine/learning.js", import.meta.url), "its program cannot be loaded");
    const { id, recipe } = this.run;
    worker.postMessage({ task: "open", base: document.baseURI, run: id, recipe, threads: threadsFor(this.#share) });
    return worker;
  }

  #listenTo(url, fault) {
    return startWorker(url, (data) => this.#take(data), (reason) => this.#fail(reason), fault);
  }

  #take(data) {
    if (data.event || data.answer) {
      const event = data.event ?? JSON.parse(data.answer);
      return this.fire("event", event);
    }
    if (data.spawn) return this.#spawn(data.spawn);
    if (data.refused) return this.#stop(data.refused);
    if (data.failed) return this.#fail(data.failed);
    if (data.opened) {
      this.#isOpen = true;
      this.entries = data.entries;
      return this.#become(this.state === "opening" ? "going" : this.state);
    }
    if (data.entry) {
      this.entries.push(data.entry);
      return this.fire("change");
    }
    if (data.rests) this.#become("resting");
  }

  #spawn(thread) {
    const worker = this.#listenTo(new URL("../engine/thread.js", import.meta.url), "a thread cannot be started");
    this.#threads.push(worker);
    worker.postMessage(thread);
  }

  #fail(reason) {
    this.#stop(`Training has stopped: ${reason}`);
  }

  #stop(message) {
    this.end();
    this.fire("failed", { message });
  }
}
