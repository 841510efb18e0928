// The connection to the engine: requests and answers, over the WebSocket of a server. engine/tab.js answers in its place where the engine
// runs in the tab. docs/web.md describes requests, answers and the states of positions.

import { Emitter } from "../game/emitter.js";

// A request that the server refused.
export class RequestRefused extends Error {}

// A request whose answer can no longer come.
export class ConnectionLost extends Error {}

// True for the error of a request, which the page reports. Other errors are faults of the page.
export const isRequestError = (error) => error instanceof RequestRefused || error instanceof ConnectionLost;

// A connection to the engine: fires `open` and `lost`. Subclasses have `ready`, `send`, and
// `notReadyMessage`, which says that it is not ready.
export class Requests extends Emitter {
  #number = 0;
  #waiting = new Map();
  #followed = null; // the latest request whose answers go on

  // Resolves with the last answer. `onUpdate` gets the updates of an analysis, and the progress of a review.
  // Rejects with `RequestRefused` or `ConnectionLost`.
  request(what, onUpdate = null) {
    if (!this.ready) return Promise.reject(new ConnectionLost(this.notReadyMessage));
    const id = ++this.#number;
    this.send(JSON.stringify({ id, ...what }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onUpdate }));
  }

  // Resolves with the first of several answers to a request; `onAnswer` gets the later ones, until another request is followed or the
  // connection is lost.
  follow(what, onAnswer) {
    const first = this.request(what);
    this.#followed = this.ready ? { id: this.#number, onAnswer } : null;
    return first;
  }

  // Ends the search under way, whose answer has what it has found so far. Resolves when the engine is free for another one.
  stop() {
    return this.request({ do: "stop" }).catch(() => {});
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
    if (answer.error) request.reject(new RequestRefused(answer.error));
    else request.resolve(answer);
  }

  // Gives up all requests that wait for an answer.
  rejectAll(reason) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#followed = null;
    for (const { reject } of waiting) reject(new ConnectionLost(reason));
    this.fire("lost");
  }
}

const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 5000;

// The connection over a WebSocket, which opens again whenever it was lost.
export class Connection extends Requests {
  #socket = null;
  #retryMs = MIN_RETRY_MS;
  notReadyMessage = "There is no connection to the server.";

  constructor() {
    super();
    this.#open();
  }

  get ready() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(text) {
    this.#socket.send(text);
  }

  #open() {
    const url = new URL("api/play", document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () => {
      this.#retryMs = MIN_RETRY_MS;
      this.fire("open");
    };
    this.#socket.onmessage = (event) => this.receive(event.data);
    this.#socket.onclose = () => this.#lost();
  }

  #lost() {
    this.rejectAll("The connection to the server was lost.");
    setTimeout(() => this.#open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }
}
