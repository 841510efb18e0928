// The boards of the games, as the server lays them out: each is asked for once.

import { layout } from "../server/resources.js";

export class Layouts {
  #known = new Map();

  // The layout of a game's board of some size. Fails as a request does.
  of(game, size) {
    const key = `${game} ${size}`;
    if (!this.#known.has(key)) {
      const asked = layout(game, size);
      // A layout that could not be loaded is asked for again.
      asked.catch(() => this.#known.delete(key));
      this.#known.set(key, asked);
    }
    return this.#known.get(key);
  }
}
