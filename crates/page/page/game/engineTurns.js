// The engine's moves in the game on the board: asks for them, and gives up on one that is no longer wanted.

import { ConnectionLost } from "../server/connection.js";
import { ENGINE } from "./games.js";

// The least time from a person's move to the engine's, so that the eye can follow. In a game of the engine against itself, the pace
// decides.
const MIN_MOVE_DELAY_MS = 450;

// Milliseconds from move to move in a game of the engine against itself.
export const PACES = { slow: 2500, medium: 1000, fast: 250 };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Owns `thinking`, `thinkingSince` and `running` of the session.
export class EngineTurns {
  #connection;
  #session;
  #attempt = 0; // differs once an answer is no longer wanted

  pace = "medium"; // of a game against itself

  constructor(connection, session) {
    this.#connection = connection;
    this.#session = session;
  }

  // Lets the engine move where it is its turn.
  async proceed() {
    const session = this.#session;
    if (!session.tree || session.result || session.thinking || !this.#connection.ready) return session.notifyChange();
    const position = session.tip;
    const player = position.state.to_move;
    if (session.allEngines && !session.running) {
      // The clock stops while the game is paused.
      session.clock?.stop();
      return session.notifyChange();
    }
    if (session.roleOf(player) !== ENGINE) return session.notifyChange();
    if (session.clock && (position.ply === 0 || session.allEngines)) session.startClock();
    const attempt = ++this.#attempt;
    // Between the moves of a game that is watched there is time to look, and to analyse.
    if (session.allEngines && !session.clock) {
      session.notifyChange();
      await pause(PACES[this.pace]);
      if (attempt !== this.#attempt || !session.running) return;
    }
    session.thinking = true;
    session.thinkingSince = performance.now();
    session.notifyChange();
    let answer = null;
    try {
      answer = await this.#ask(position, player);
    } catch (error) {
      if (attempt === this.#attempt) session.running = false;
      if (attempt === this.#attempt || error instanceof ConnectionLost) session.reportFailure(error);
    }
    if (attempt !== this.#attempt) return;
    session.thinking = false;
    if (!answer) return session.notifyChange();
    session.advance(position.child(answer.move) ?? session.tree.add(position, answer.move, answer.state));
  }

  // Asks for the engine's move in a position.
  async #ask(position, player) {
    const session = this.#session;
    const { clock } = session;
    const limits = clock ? { clock: { left: clock.left(player), increment: clock.increment } } : session.effortOf(player);
    const request = { do: "move", ...session.requestFields(position), level: session.levelOf(player), ...limits };
    const delay = clock || session.allEngines ? null : pause(MIN_MOVE_DELAY_MS);
    const [answer] = await Promise.all([this.#connection.request(request), delay]);
    return answer;
  }

  // Lets a game of the engine against itself go on, or not.
  setRunning(running) {
    this.#session.running = running;
    this.proceed();
  }

  // Pauses such a game after the move under way, if there is one.
  rest() {
    this.#session.running = false;
  }

  // Gives up on the move that is under way. Resolves when the server is free for another request.
  async interrupt() {
    const wasBusy = this.#isBusy;
    this.abandon();
    if (wasBusy) await this.#connection.stop();
  }

  // Gives up on the move of a game that another one replaces.
  reset() {
    if (this.#isBusy) this.#connection.stop();
    this.abandon();
    this.rest();
  }

  // Ignores the answer that is under way, if it comes at all.
  abandon() {
    this.#attempt += 1;
    this.#session.thinking = false;
  }

  get #isBusy() {
    return this.#session.thinking || this.#session.replying;
  }
}
