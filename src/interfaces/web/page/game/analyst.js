// Lets the server analyse: the position that is shown for as long as it is shown, and the others of the line in passing.

import { Lost, Refused } from "../server/errors.js";

// Seconds for the first look at a position, before the others of the line get theirs.
const FIRST_LOOK = 0.8;
const GLANCE = 0.4;
// Moves that are told of: as many as have a policy worth a colour.
const LINES = 30;
const HINT = 1;

// Tells `update` whenever there is something new, and `failed`.
export class Analyst extends EventTarget {
  #connection;
  #session;
  #busy = null; // the position under way
  #wanted = false;
  #done = new WeakSet(); // positions of which more time would tell nothing new
  #isOn = false;
  #seen = new WeakSet(); // positions that were searched on this connection

  constructor(connection, session) {
    super();
    this.#connection = connection;
    this.#session = session;
  }

  get on() {
    return this.#isOn && this.#session.mayConsult;
  }

  set on(on) {
    this.#isOn = on;
  }

  get busy() {
    return this.#busy !== null;
  }

  turn(on) {
    this.on = on;
    this.follow();
  }

  // The position that is shown has changed, or the engine has moved.
  follow() {
    if (!this.#session.tree) return;
    this.#settle();
    // The engine's move ends an analysis by itself, and would be cut short by a stop.
    if (this.#busy && !this.#session.occupied && !this.#isWatched(this.#busy)) this.#stop();
    if (!this.#wanted) this.#work();
  }

  // Nobody looks at a page that is hidden, nor at a position that is not shown.
  #isWatched(position) {
    return this.on && position === this.#session.current && !document.hidden;
  }

  // A new connection has no search trees, and the last answers of the old one may have come early.
  reconnected() {
    this.#done = new WeakSet();
    this.#seen = new WeakSet();
    this.follow();
  }

  // The best move here, from what is known or after a short search.
  async hint() {
    const position = this.#session.current;
    if (!position.analysis && position.state.outcome === null) await this.#analyze(position, HINT);
    return position === this.#session.current ? (position.analysis?.lines[0]?.move ?? null) : null;
  }

  async #work() {
    this.#wanted = true;
    try {
      for (let job = this.#next(); job; job = this.#next()) await this.#analyze(...job);
    } finally {
      this.#wanted = false;
    }
  }

  // Returns the next position to analyse, and for how long.
  #next() {
    const { current, occupied } = this.#session;
    if (!this.on || occupied || !this.#connection.ready) return null;
    const open = (position) => position.state.outcome === null && !this.#done.has(position);
    if (open(current) && !current.analysis) return [current, FIRST_LOOK];
    const missed = current.line().find((position) => open(position) && position.chance === null);
    if (missed) return [missed, GLANCE];
    return open(current) && this.#isWatched(current) ? [current, this.#session.about.most_seconds] : null;
  }

  async #analyze(position, seconds) {
    this.#busy = position;
    try {
      const request = { do: "analyze", ...this.#session.place(position), seconds, lines: LINES };
      const before = position.analysis?.visits ?? 0;
      const { analysis } = await this.#connection.request(request, (update) => this.#note(position, update));
      const { occupied, about } = this.#session;
      const wasEnded = occupied || !this.#isWatched(position);
      // The server ends a long search; the next one goes on where it was, until it adds no visits.
      const isFull = seconds === about.most_seconds && !wasEnded && analysis.visits <= before;
      if (analysis.proven || isFull || position.chance === null) this.#done.add(position);
    } catch (error) {
      if (error instanceof Lost) return;
      if (!(error instanceof Refused)) throw error;
      this.#done.add(position);
      this.dispatchEvent(new CustomEvent("failed", { detail: { message: error.message } }));
    } finally {
      this.#busy = null;
      this.dispatchEvent(new Event("update"));
    }
  }

  // Another search of the same position begins from nothing: what is known stays until it has seen more. What was known
  // of an earlier connection gives way at once.
  #note(position, analysis) {
    const isLess = position.analysis && analysis.visits < position.analysis.visits;
    if (isLess && this.#seen.has(position) && !analysis.proven) return;
    this.#seen.add(position);
    position.analysis = analysis;
    if (analysis.visits > 0 || analysis.proven)
      position.chance = this.#session.chance(analysis.to_move, analysis.win, analysis.draw);
    this.dispatchEvent(new Event("update"));
  }

  // Finished games have nothing to estimate.
  #settle() {
    for (const position of this.#session.current.line()) {
      const { outcome } = position.state;
      if (outcome) position.chance = outcome.winner ? this.#session.chance(outcome.winner, 1, 0) : 0.5;
    }
  }

  #stop() {
    this.#connection.request({ do: "stop" }).catch(() => {});
  }
}
