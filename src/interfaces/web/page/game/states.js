// The states of positions, as the server tells of them.

import { Lost, Refused } from "../server/errors.js";

// Positions that are asked for at a time.
const AT_ONCE = 16;

export class States {
  #connection;

  constructor(connection) {
    this.#connection = connection;
  }

  // The states after `from`, `from` + 1, … moves of a game. They come in parts, so that a slow line has time for each.
  async of({ game, size, stones = null }, moves, from) {
    const found = [];
    for (let at = from; at <= moves.length; at += AT_ONCE) {
      const known = moves.slice(0, at + AT_ONCE - 1);
      const request = { do: "states", game, size, setup: stones, moves: known, from: at };
      found.push(...(await this.#connection.request(request)).states);
    }
    return found;
  }

  // Why a move may not be played in a position, in the server's words; null if it may, or nobody knows.
  async whyNot(setup, position, move) {
    try {
      await this.of(setup, [...position.moves(), move], position.ply + 1);
      return null;
    } catch (error) {
      if (error instanceof Refused) return error.message.split(": ").slice(1).join(": ");
      if (error instanceof Lost) return null;
      throw error;
    }
  }
}
