// Matches answers of the engine to requests, over a socket or a worker.

import { Lost, Refused } from "./errors.js";

// A connection to the engine: fires `open` and `lost`. Those who extend it have `ready`, `send`, and
// `absence`, which says that it is not ready.
export class Requests extends EventTarget {
  #number = 0;
  #waiting = new Map();

  // Resolves with the last answer. `onUpdate` gets the updates of an analysis, and the progress of a review.
  // Rejects with `Refused` or `Lost`.
  request(what, onUpdate = null) {
    if (!this.ready) return Promise.reject(new Lost(this.absence));
    const id = ++this.#number;
    this.send(JSON.stringify({ id, ...what }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onUpdate }));
  }

  // Takes the text of an answer.
  receive(text) {
    const answer = JSON.parse(text);
    const request = this.#waiting.get(answer.id);
    if (!request) return;
    if (answer.reviewing) return request.onUpdate?.(answer.reviewing);
    if (answer.analysis) request.onUpdate?.(answer.analysis);
    if (answer.analysis && !answer.analysis.done) return;
    this.#waiting.delete(answer.id);
    if (answer.error) request.reject(new Refused(answer.error));
    else request.resolve(answer);
  }

  // Gives up all requests that wait for an answer.
  lose(reason) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Lost(reason));
    this.dispatchEvent(new Event("lost"));
  }
}
