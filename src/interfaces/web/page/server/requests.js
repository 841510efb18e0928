// Matches answers of the engine to requests, over a socket or a worker.

import { Lost, Refused } from "./errors.js";

// A connection to the engine: fires `open` and `lost`. Those who extend it have `ready`, `send`, and
// `absence`, which says that it is not ready.
export class Requests extends EventTarget {
  #number = 0;
  #waiting = new Map();
  #followed = null; // the latest request whose answers go on

  // Resolves with the last answer. `onUpdate` gets the updates of an analysis, and the progress of a review.
  // Rejects with `Refused` or `Lost`.
  request(what, onUpdate = null) {
    if (!this.ready) return Promise.reject(new Lost(this.absence));
    const id = ++this.#number;
    this.send(JSON.stringify({ id, ...what }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onUpdate }));
  }

  // Resolves with the first answer to a request whose answers go on; `onAnswer` gets the later ones, until something else is
  // followed or the connection is lost.
  follow(what, onAnswer) {
    const first = this.request(what);
    this.#followed = this.ready ? { id: this.#number, onAnswer } : null;
    return first;
  }

  // Takes the text of an answer.
  receive(text) {
    const answer = JSON.parse(text);
    const request = this.#waiting.get(answer.id);
    if (!request && answer.id === this.#followed?.id) return this.#followed.onAnswer(answer);
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
    this.#followed = null;
    for (const { reject } of waiting) reject(new Lost(reason));
    this.dispatchEvent(new Event("lost"));
  }
}
