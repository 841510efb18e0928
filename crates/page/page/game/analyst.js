// Lets the engine analyse the position that is shown for as long as it is shown, and the others of its line briefly.

import { RequestRefused } from "../server/connection.js";
import { Emitter } from "./emitter.js";

// Seconds for the first look at a position, before the others of its line are searched.
const FIRST_SECONDS = 0.8;
const BRIEF_SECONDS = 0.4;
// The moves to ask for: those likely enough to be coloured.
const MAX_LINES = 30;
const HINT_SECONDS = 1;

// Fires `update` whenever there is something new.
export class Analyst extends Emitter {
  #connection;
  #session;
  #busy = null; // the position under way
  #isWorking = false;
  #finished = new WeakSet(); // positions about which more time would tell nothing new
  #isOn = false;
  #searched = new WeakSet(); // positions that were searched on this connection

  constructor(connection, session) {
    super();
    this.#connection = connection;
    this.#session = session;
  }

  get on() {
    return this.#isOn && this.#session.mayUseEngine;
  }

  set on(on) {
    this.#isOn = on;
    this.follow();
  }

  get busy() {
    return this.#busy !== null;
  }

  // Called when another position is shown, or the engine has moved.
  follow() {
    if (!this.#session.tree) return;
    this.#setFinalChances();
    // The engine's move ends an analysis by itself, and would be cut short by a stop.
    if (this.#busy && !this.#session.isEngineBusy && !this.#isVisible(this.#busy)) this.#connection.stop();
    if (!this.#isWorking) this.#work();
  }

  // Nobody looks at a page that is hidden, nor at a position that is not shown.
  #isVisible(position) {
    return this.on && position === this.#session.current && !document.hidden;
  }

  // A new connection has no search trees, and the last answers of the old one may have come early.
  reconnected() {
    this.#finished = new WeakSet();
    this.#searched = new WeakSet();
    this.follow();
  }

  // Returns the best move here, from what is known or after a short search.
  async hint() {
    const position = this.#session.current;
    if (!position.analysis && position.state.outcome === null) await this.#analyze(position, HINT_SECONDS);
    return position === this.#session.current ? (position.analysis?.lines[0]?.move ?? null) : null;
  }

  async #work() {
    this.#isWorking = true;
    try {
      for (let job = this.#nextJob(); job; job = this.#nextJob()) await this.#analyze(...job);
    } finally {
      this.#isWorking = false;
    }
  }

  // Returns the next position to analyse, and for how long.
  #nextJob() {
    const { current, isEngineBusy } = this.#session;
    if (!this.on || isEngineBusy || !this.#connection.ready) return null;
    const open = (position) => position.state.outcome === null && !this.#finished.has(position);
    if (open(current) && !current.analysis) return [current, FIRST_SECONDS];
    const unsearched = current.line().find((position) => open(position) && position.chance === null);
    if (unsearched) return [unsearched, BRIEF_SECONDS];
    return open(current) && this.#isVisible(current) ? [current, this.#session.about.most_seconds] : null;
  }

  async #analyze(position, seconds) {
    this.#busy = position;
    try {
      const request = { do: "analyze", ...this.#session.requestFields(position), seconds, lines: MAX_LINES };
      const before = position.analysis?.visits ?? 0;
      const { analysis } = await this.#connection.request(request, (update) => this.#takeUpdate(position, update));
      const { isEngineBusy, about } = this.#session;
      const wasInterrupted = isEngineBusy || !this.#isVisible(position);
      // The server ends a long search; the next one goes on where it was, until it adds no visits.
      const isFull = seconds === about.most_seconds && !wasInterrupted && analysis.visits <= before;
      if (analysis.proven || isFull || position.chance === null) this.#finished.add(position);
    } catch (error) {
      if (error instanceof RequestRefused) this.#finished.add(position);
      this.#session.reportFailure(error);
    } finally {
      this.#busy = null;
      this.fire("update");
    }
  }

  // Takes an update. A new search may begin from nothing, so it replaces what is known only once it has more visits, even if that was found
  // before the page was loaded. Results of an earlier connection are replaced at once.
  #takeUpdate(position, analysis) {
    const known = position.analysis;
    const isLess = known && analysis.visits < known.visits;
    if (isLess && (known.isKept || this.#searched.has(position)) && !analysis.proven) return;
    this.#searched.add(position);
    position.analysis = analysis;
    if (analysis.visits > 0 || analysis.proven)
      position.chance = this.#session.firstPlayerChance(analysis.to_move, analysis.win, analysis.draw);
    this.fire("update");
  }

  // Sets the chance of finished games, which have nothing to estimate.
  #setFinalChances() {
    for (const position of this.#session.current.line()) {
      const { outcome } = position.state;
      if (outcome) position.chance = outcome.winner ? this.#session.firstPlayerChance(outcome.winner, 1, 0) : 0.5;
    }
  }
}
