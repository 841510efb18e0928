// The connection to the server's engine. This is the only module that knows that a WebSocket carries the messages.

import { Requests } from "./requests.js";

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

// Opens the connection of this page.
export const connect = () => {
  const url = new URL("api/play", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new Connection(url);
};

// Opens again whenever it was lost.
class Connection extends Requests {
  #url;
  #socket = null;
  #wait = FIRST_WAIT;
  absence = "There is no connection to the server.";

  constructor(url) {
    super();
    this.#url = url;
    this.#open();
  }

  get ready() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(text) {
    this.#socket.send(text);
  }

  #open() {
    this.#socket = new WebSocket(this.#url);
    this.#socket.onopen = () => {
      this.#wait = FIRST_WAIT;
      this.dispatchEvent(new Event("open"));
    };
    this.#socket.onmessage = (event) => this.receive(event.data);
    this.#socket.onclose = () => this.#lost();
  }

  #lost() {
    this.lose("The connection to the server was lost.");
    setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }
}
