// What is said beside the game: a notice for a while, the state of the connection, and words for screen readers.

const PASSES_AFTER = 6000;

export class Notices {
  #find;
  #timer = null;

  constructor(find) {
    this.#find = find;
  }

  // Shows a text in place of the sentence about the game; `null` takes it away. A passing one goes away by itself.
  show(text, passing = false) {
    clearTimeout(this.#timer);
    this.#put("notice", text);
    if (passing) this.#timer = setTimeout(() => this.show(null), PASSES_AFTER);
  }

  report(error) {
    this.show(error.message, true);
  }

  // Says what is wrong with the connection, in a place of its own, which no other notice takes away.
  away(text) {
    for (const id of ["away", "home-away"]) this.#put(id, text);
  }

  // Tells those who listen.
  announce(text) {
    this.#find("told").textContent = text;
  }

  // The same text again is told again only if something else was there.
  tellAgain(text) {
    this.announce("");
    setTimeout(() => this.announce(text));
  }

  #put(id, text) {
    this.#find(id).textContent = text ?? "";
    this.#find(id).hidden = !text;
  }
}
