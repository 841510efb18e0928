// The messages to the engine and its answers. This is the only module that knows that a WebSocket carries them: anything with
// the methods and events of `Connection` may answer in its place.

import { Lost, Refused } from "./errors.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

// Opens the connection of this page.
export const connect = () => {
  const url = new URL("api/play", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new Connection(url);
};

// Fires `open` and `lost`, and opens again whenever it was lost.
class Connection extends EventTarget {
  #url;
  #socket = null;
  #number = 0;
  #waiting = new Map();
  #wait = FIRST_WAIT;

  constructor(url) {
    super();
    this.#url = url;
    this.#open();
  }

  get ready() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Resolves with the last answer. An analysis has several and a review tells how far it is: `onUpdate` gets that.
  // Rejects with `Refused` or `Lost`.
  request(what, onUpdate = null) {
    if (!this.ready) return Promise.reject(new Lost("There is no connection to the server."));
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({ id, ...what }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onUpdate }));
  }

  #open() {
    this.#socket = new WebSocket(this.#url);
    this.#socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      this.dispatchEvent(new Event("open"));
    };
    this.#socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    this.#socket.onclose = () => this.#lost();
  }

  #receive(answer) {
    const request = this.#waiting.get(answer.id);
    if (!request) return;
    if (answer.reviewing) return request.onUpdate?.(answer.reviewing);
    if (answer.analysis) request.onUpdate?.(answer.analysis);
    if (answer.analysis && !answer.analysis.done) return;
    this.#waiting.delete(answer.id);
    if (answer.error) request.reject(new Refused(answer.error));
    else request.resolve(answer);
  }

  #lost() {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Lost("The connection to the server was lost."));
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }
}
