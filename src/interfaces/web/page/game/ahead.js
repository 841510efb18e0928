// States after moves that the game may not have: what a better move would have done, and what the answer to a bad one does.

import { Lost, Refused } from "../server/errors.js";

// Tells `update` when a state that was asked for is there.
export class Ahead extends EventTarget {
  #session;
  #known = new WeakMap(); // by position: the states after moves, null while they are asked for

  constructor(session) {
    super();
    this.#session = session;
  }

  // Returns the state after a move in a position, or null as long as it is not known.
  after(position, move) {
    const child = position.child(move);
    if (child) return child.state;
    if (!this.#known.has(position)) this.#known.set(position, new Map());
    const states = this.#known.get(position);
    if (!states.has(move)) this.#ask(position, move, states);
    return states.get(move);
  }

  async #ask(position, move, states) {
    states.set(move, null);
    const { states: server, setup } = this.#session;
    try {
      const [state] = await server.of(setup, [...position.moves(), move], position.ply + 1);
      states.set(move, state);
      this.dispatchEvent(new Event("update"));
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Refused)) throw error;
      states.delete(move);
    }
  }
}
