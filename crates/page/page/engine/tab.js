// The engine in this tab: a worker that answers as the server does. It has the methods and events of the server's connection.

import { ConnectionLost, RequestRefused, Requests } from "../server/connection.js";
import { obstacle } from "./hexzero.js";
import { endWorker, startWorker } from "./workers.js";

// Threads beyond these help little: one of them at a time walks through the tree.
const MAX_THREADS = 8;

// The number of threads that this browser lets share memory: more than one where the page is isolated from those of other origins, by
// headers of its host or of the service worker.
const possibleThreads = () => globalThis.crossOriginIsolated ? Math.min(navigator.hardwareConcurrency ?? 1, MAX_THREADS) : 1;

// The wait before an engine that has failed starts again, in milliseconds.
const RESTART_DELAY_MS = 1000;

const missingFeature = () => {
  if (typeof Worker === "undefined") return "This browser has no workers, which the engine needs.";
  if (typeof DecompressionStream === "undefined") return "This browser cannot decompress files, which the engine needs.";
  return null;
};

let tab = null;

// Returns the engine of this tab, which is made at the first call.
export const tabEngine = () => (tab ??= new TabEngine());

class TabEngine extends Requests {
  #worker = null;
  #threads = [];
  #maxThreads = possibleThreads();
  #models = null;
  #number = 0;
  #pending = new Map();
  #files = new Set();
  ready = false;
  // The number of threads that search.
  threads = 1;
  notReadyMessage = "The engine has not started.";
  // Why the engine cannot run here, if it cannot.
  obstacle = obstacle() ?? missingFeature();

  // Starts the engine. `about` names the networks of the games; those without one are played by random games. `learnt` is a network of
  // this browser's own (`learntNetwork`), for its game.
  start(about, learnt = null) {
    const withNetwork = about.games.filter((game) => game.has_network);
    this.#models = Object.fromEntries(withNetwork.map(({ id, network }) => [id, `models/${network}.safetensors.gz`]));
    // Variants share the network.
    const own = about.games.find(({ id }) => id === learnt?.game)?.network;
    for (const { id, network } of about.games) if (own && network === own) this.#models[id] = learnt.path;
    if (!this.obstacle) this.#start();
    return this;
  }

  send(text) {
    this.#worker.postMessage({ task: "request", text });
  }

  // Lets the page's service worker keep the files in use: the engine's worker may have loaded them before there was one.
  keepFiles() {
    if (!navigator.serviceWorker?.controller) return;
    // They come from the browser's HTTP cache, as the worker has loaded them already.
    for (const path of this.#files) fetch(new URL(path, document.baseURI), { cache: "force-cache" }).catch(() => null);
  }

  // Resolves with the text of a resource. Rejects with `RequestRefused` or `ConnectionLost`.
  resource(path, query, file) {
    if (!this.#worker) return Promise.reject(new ConnectionLost(this.obstacle ?? this.notReadyMessage));
    const number = ++this.#number;
    this.#worker.postMessage({ task: "resource", number, path, query: String(new URLSearchParams(query)), file });
    return new Promise((resolve, reject) => this.#pending.set(number, { resolve, reject }));
  }

  #start() {
    const url = new URL("./worker.js", import.meta.url);
    this.#worker = startWorker(url, (data) => this.#onMessage(data), (reason) => this.#failed(reason), "the engine's program cannot be loaded");
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    this.#worker.postMessage({ task: "open", base: document.baseURI, models: this.#models, seed, threads: this.#maxThreads });
  }

  // Starts a thread for the engine's worker.
  #spawn(thread) {
    const fail = (reason) => this.#failed(reason);
    const take = (data) => (data.failed ? fail(data.failed) : this.#worker.postMessage(data));
    const worker = startWorker(new URL("./thread.js", import.meta.url), take, fail, "a thread cannot be started");
    this.#threads.push(worker);
    worker.postMessage(thread);
  }

  #endThreads() {
    this.#threads.forEach(endWorker);
    this.#threads = [];
  }

  #onMessage({ answer, ready, threads, spawn, singleThread, failed, loaded, number, status, text }) {
    if (answer) return this.receive(answer);
    if (spawn) return this.#spawn(spawn);
    if (singleThread) return this.#endThreads();
    if (loaded) {
      this.#files.add(loaded);
      return this.keepFiles();
    }
    if (failed) return this.#failed(failed);
    if (ready) {
      this.ready = true;
      this.threads = threads;
      return this.fire("open");
    }
    const { resolve, reject } = this.#pending.get(number);
    this.#pending.delete(number);
    if (status === 200) resolve(text);
    else reject(new RequestRefused(text));
  }

  // Another engine starts in place of one that has failed, on one thread: a fault of several may come again.
  #failed(reason) {
    this.#maxThreads = 1;
    endWorker(this.#worker);
    this.#worker = null;
    this.#endThreads();
    this.ready = false;
    this.fault = reason;
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost(reason));
    this.#pending.clear();
    this.rejectAll(reason);
    setTimeout(() => this.#start(), RESTART_DELAY_MS);
  }
}
