// A worker that does nothing but keep what is sent to it.
export class FakeWorker {
  // All that were made, the latest last.
  static started = [];

  constructor(url, options) {
    Object.assign(this, { url: String(url), options, sent: [], isOver: false });
    FakeWorker.started.push(this);
  }

  static get latest() {
    return FakeWorker.started.at(-1);
  }

  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.isOver = true;
  }

  // Sends a message to the page, where somebody still listens.
  say(data) {
    this.onmessage?.({ data });
  }
}
