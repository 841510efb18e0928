// Asks the networks of a run in this tab what they think of positions.

export class Thinker {
  #run;
  #worker = null;
  #asked = new Map();

  constructor(run) {
    this.#run = run;
  }

  // Resolves with what the network after an iteration thinks of the position after some moves.
  ask(iteration, moves) {
    this.#worker ??= this.#start();
    const id = crypto.randomUUID();
    const { id: run, game, size } = this.#run;
    this.#worker.postMessage({ id, base: document.baseURI, run: { id: run, game, size }, iteration, moves });
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  end() {
    this.#worker?.terminate();
    [this.#worker, this.#asked] = [null, new Map()];
  }

  #start() {
    const worker = new Worker(new URL("../engine/thinking.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, opinion, failed } }) => {
      const { resolve, reject } = this.#asked.get(id);
      this.#asked.delete(id);
      failed ? reject(new Error(failed)) : resolve(opinion);
    };
    worker.onerror = (event) => {
      for (const { reject } of this.#asked.values()) reject(new Error(event.message || "The program that asks the network cannot be loaded."));
      this.end();
    };
    return worker;
  }
}
