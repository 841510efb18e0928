// The states of positions, from the server: those of the game, and those after moves that the game may not have.

import { ConnectionLost, RequestRefused, isRequestError } from "../server/connection.js";
import { Emitter } from "./emitter.js";

// Positions that are asked for at a time.
const BATCH_SIZE = 16;

export class States {
  #connection;

  constructor(connection) {
    this.#connection = connection;
  }

  // Returns the states after `from`, `from` + 1, … moves of a game. They come in parts, so that a slow line has time for each.
  async fetch({ game, size, stones = null }, moves, from) {
    const found = [];
    for (let at = from; at <= moves.length; at += BATCH_SIZE) {
      const known = moves.slice(0, at + BATCH_SIZE - 1);
      const request = { do: "states", game, size, setup: stones, moves: known, from: at };
      found.push(...(await this.#connection.request(request)).states);
    }
    return found;
  }

  // Returns the server's reason why a move may not be played in a position; null if it may, or the server is away.
  async whyNot(setup, position, move) {
    try {
      await this.fetch(setup, [...position.moves(), move], position.ply + 1);
      return null;
    } catch (error) {
      if (error instanceof RequestRefused) return error.message.split(": ").slice(1).join(": ");
      if (error instanceof ConnectionLost) return null;
      throw error;
    }
  }
}

// Knows states after moves that the game may not have: what a better move would have done, and what the answer to a bad one does. Fires
// `update` when a state that was asked for is there.
export class WhatIf extends Emitter {
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
      const [state] = await server.fetch(setup, [...position.moves(), move], position.ply + 1);
      states.set(move, state);
      this.fire("update");
    } catch (error) {
      if (!isRequestError(error)) throw error;
      states.delete(move);
    }
  }
}
