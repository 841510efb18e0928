// A run of the program that the server watches. Fires `change` when it has new iterations.

import { once } from "../engine/once.js";
import { Emitter } from "../game/emitter.js";
import * as server from "../server/resources.js";
import { visitsIn } from "./recipe.js";

const POLL_MS = 10_000;

// A game as a board replays it.
const replayed = ({ plies }) => ({ moves: plies.map(({ name, pieces }) => [name, pieces]) });

export class WatchedRun extends Emitter {
  #seen = null;
  #opinions = new Map();
  #replayed = 0;
  entries = [];
  history = null;
  isWatched = true;

  constructor(name) {
    super();
    this.run = { id: name, name };
  }

  // Reads the run, and follows it from then on.
  async load() {
    const { changed } = await server.run();
    await this.#read();
    this.#seen = changed;
    setInterval(() => this.#follow(), POLL_MS);
  }

  // The iterations whose networks can be looked at.
  get stops() {
    return this.entries.filter(({ figures }) => figures.kept);
  }

  // Resolves with what the network of an iteration thinks of the position after some moves from the start.
  opinion({ figures: { step } }, moves) {
    return once(this.#opinions, `${step} ${moves}`, () => server.runOpinion(step, this.run.size, moves));
  }

  // The next of the latest games on this board, over and over.
  nextGame() {
    const games = this.history.games.filter(({ size }) => size === this.run.size);
    return games.length ? replayed(games[this.#replayed++ % games.length]) : null;
  }

  // Asks for what every kept network thinks of the empty board, one after the other.
  async examine() {
    for (const entry of this.stops.filter(({ exam }) => !exam)) {
      try {
        entry.exam = { ...(await this.opinion(entry, [])), openings: [], scores: [] };
      } catch {
        // A damaged checkpoint, or one that has been removed meanwhile.
      }
    }
    this.fire("change");
  }

  async #read() {
    const history = await server.runHistory();
    const exams = new Map(this.entries.map(({ figures, exam }) => [figures.step, exam]));
    this.entries = history.iterations.map((figures) => ({ figures, exam: exams.get(figures.step) ?? null }));
    this.history = history;
    Object.assign(this.run, { game: history.game, size: history.size, recipe: history.recipe, visits: visitsIn(history.recipe) });
    this.fire("change");
  }

  async #follow() {
    try {
      const { changed } = await server.run();
      if (changed === this.#seen) return;
      await this.#read();
      this.#seen = changed;
      await this.examine();
    } catch {
      // The server is away, or cannot read the run just now.
    }
  }
}
