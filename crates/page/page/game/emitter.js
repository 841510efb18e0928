// The base of everything that fires events.

export class Emitter extends EventTarget {
  fire(type, detail = null) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
