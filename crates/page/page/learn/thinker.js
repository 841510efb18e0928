// Asks the networks of a run in this tab what they think of positions.

import { endWorker, startWorker } from "../engine/workers.js";

export class Thinker {
  #run;
  #worker = null;
  #asked = new Map();
  #number = 0;

  constructor(run) {
    this.#run = run;
  }

  // Resolves with what the network after an iteration thinks of the position after some moves.
  ask(iteration, moves) {
    this.#worker ??= this.#start();
    const id = ++this.#number;
    const { id: run, game, size } = this.#run;
    this.#worker.postMessage({ id, base: document.baseURI, run: { id: run, game, size }, iteration, moves });
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  end() {
    endWorker(this.#worker);
    [this.#worker, this.#asked] = [null, new Map()];
  }

  #start() {
    const take = ({ id, opinion, failed }) => {
      const { resolve, reject } = this.#asked.get(id);
      this.#asked.delete(id);
      failed ? reject(new Error(failed)) : resolve(opinion);
    };
    const fail = (reason) => {
      for (const { reject } of this.#asked.values()) reject(new Error(reason));
      this.end();
    };
    const url = new URL("../engine/thinking.js", import.meta.url);
    return startWorker(url, take, fail, "the program that asks the network cannot be loaded");
  }
}
