// The boards of the games, as the server lays them out: each is asked for once.

import { Lost, Refused } from "./connection.js";
import { say } from "./say.js";

export class Layouts {
  #known = new Map();

  // The layout of a game's board of some size. Fails as a request does.
  of(game, size) {
    const query = new URLSearchParams({ game, size });
    const key = String(query);
    if (!this.#known.has(key)) {
      const asked = this.#fetch(key);
      // What could not be had is asked for again.
      asked.catch(() => this.#known.delete(key));
      this.#known.set(key, asked);
    }
    return this.#known.get(key);
  }

  async #fetch(query) {
    let answer;
    try {
      answer = await fetch(`/api/layout?${query}`);
    } catch {
      throw new Lost(say("server.away"));
    }
    if (!answer.ok) throw new Refused((await answer.text()).trim());
    return answer.json();
  }
}
