// Reviews a whole game and keeps the result: what each move gave away, and what was better.

import { Emitter } from "./emitter.js";
import { learnReview } from "./findings.js";

// The faults of moves, the worst last: the share of a point that a move gives away at least (as in the reviews of the program), its mark in
// the list of moves, and its name.
export const FAULTS = {
  inaccuracy: { least: 0.05, mark: "?!", words: "an inaccuracy", many: "inaccuracies" },
  mistake: { least: 0.1, mark: "?", words: "a mistake", many: "mistakes" },
  blunder: { least: 0.2, mark: "??", words: "a blunder", many: "blunders" },
};

// The name of the fault of a move with this loss, or null.
export const faultOf = (loss) => Object.keys(FAULTS).findLast((name) => loss >= FAULTS[name].least) ?? null;

// Visits of each position: enough to agree with much deeper reviews about nearly all blunders.
const VISITS = 4000;

// Fires `update` whenever there is something new.
export class Reviewer extends Emitter {
  #connection;
  #session;
  #running = null; // what is under way: the root of its game, and how far it is

  constructor(connection, session) {
    super();
    this.#connection = connection;
    this.#session = session;
  }

  // The number of positions done and of all, or null.
  get progress() {
    return this.#running?.progress ?? null;
  }

  // The review of the game that is shown, or null.
  get review() {
    return this.#session.reviewed?.review ?? null;
  }

  // True if there is something to review that is not reviewed yet.
  get canStart() {
    const { result, setup, tip } = this.#session;
    return tip.ply > 0 && Boolean(result || setup.opened) && !this.#running && this.#session.reviewed?.tip !== tip;
  }

  // Returns the review of the move to a position, or null.
  reviewOf(position) {
    return this.#session.reviewed?.moves.get(position) ?? null;
  }

  // The positions after the moves that gave something away.
  get mistakes() {
    const faults = [...(this.#session.reviewed?.moves ?? [])].filter(([, { fault }]) => fault).map(([position]) => position);
    // Some may have been taken back.
    return faults.filter((position) => this.#session.tree.has(position));
  }

  // The nearest of them after the position that is shown, or before it; null if there is none.
  next() {
    return this.mistakes.find(({ ply }) => ply > this.#session.current.ply) ?? null;
  }

  previous() {
    return this.mistakes.findLast(({ ply }) => ply < this.#session.current.ply) ?? null;
  }

  async start() {
    if (!this.canStart || !this.#connection.ready) return;
    const { tip, tree } = this.#session;
    const running = (this.#running = { root: tree.root, progress: { done: 0, of: tip.ply + 1 } });
    this.#session.reviewing = true;
    this.fire("update");
    try {
      const request = { do: "review", ...this.#session.requestFields(tip), visits: VISITS };
      const { review } = await this.#connection.request(request, (progress) => {
        running.progress = progress;
        if (running === this.#running) this.fire("update");
      });
      if (review && tree === this.#session.tree) learnReview(this.#session, tip, review);
    } catch (error) {
      this.#session.reportFailure(error);
    } finally {
      this.#running = null;
      this.#session.reviewing = false;
      this.fire("update");
    }
  }

  stop() {
    if (this.#running) this.#connection.stop();
  }

  // Stops the review of a game that is no longer on the board.
  follow() {
    if (this.#running && !this.#running.stopped && this.#running.root !== this.#session.tree.root) {
      this.#running.stopped = true;
      this.stop();
    }
  }
}
