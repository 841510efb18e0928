// The WebSocket to the server: requests and their answers. It opens again whenever it was lost.

import { say } from "./say.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

// A request that the server refused.
export class Refused extends Error {}

// A request whose answer can no longer come.
export class Lost extends Error {}

// Tells `open` and `lost`.
export class Connection extends EventTarget {
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
  request(what, onUpdate = null) {
    if (!this.ready) return Promise.reject(new Lost(say("server.none")));
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
    for (const { reject } of waiting) reject(new Lost(say("server.cut")));
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }
}
