// A board that the server keeps for two people: each has a link that opens it, and sees the other's moves at once.

import { ConnectionLost, RequestRefused, isRequestError } from "../server/connection.js";
import { Emitter } from "./emitter.js";
import { FRIEND, PERSON, SEATS, gameOf, seatNames } from "./games.js";

// Returns the token of the address of a shared board, or null.
export const tokenOf = (hash) => /^#shared\/([0-9a-f]+)$/.exec(hash)?.[1] ?? null;

export const addressOfToken = (token) => `#shared/${token}`;

// Fires `failed` (`detail.message`).
export class SharedBoard extends Emitter {
  #followed = null; // the token of the board that the server tells of

  constructor(connection, about, session) {
    super();
    Object.assign(this, { connection, about, session });
    session.relay = this;
    session.addEventListener("change", () => this.#follow());
    connection.addEventListener("open", () => this.#follow());
    connection.addEventListener("lost", () => (this.#followed = null));
  }

  // Shares the game on the board, and opens it for this player. Returns false if another game was opened meanwhile.
  async share(beforeOpen) {
    const session = this.session;
    const persons = session.players.filter((player) => session.roleOf(player) === PERSON);
    const me = persons.length === 1 ? persons[0] : (session.tip.state.to_move ?? session.players[0]);
    const { tokens } = await this.connection.request({ do: "share", ...session.requestFields(session.tip) });
    return this.open(tokens[session.side(me)], beforeOpen, tokens);
  }

  // Opens the board of a token. Who shared it has the tokens of all.
  async open(token, beforeOpen, tokens = null) {
    if (!this.about.shares) throw new Error("Shared boards need a server, and this page runs without one.");
    const { shared, seat } = await this.connection.request({ do: "join", token });
    // Joining moves the server's updates to this request, so follow the board again.
    this.#followed = null;
    const { game, size, setup: stones = null, moves } = shared;
    const players = seatNames(gameOf(this.about, game));
    const roles = Object.fromEntries(players.map((player, i) => [player, SEATS[i] === seat ? PERSON : FRIEND]));
    const own = { ...this.session.engineSettings, clock: null, id: token, shared: { token, seat, tokens, asks: null } };
    return this.session.loader.begin({ game, size, stones, roles, ...own }, { moves, beforeOpen });
  }

  // Plays a move after `ply` moves.
  play(ply, move) {
    return this.connection.request({ do: "play", token: this.session.setup.shared.token, ply, move });
  }

  // Sends an action: `resign`, `ask` to take back, `allow` or `refuse` that.
  async act(action) {
    try {
      await this.connection.request({ do: "act", token: this.session.setup.shared.token, deed: action });
    } catch (error) {
      if (!isRequestError(error)) throw error;
      this.fire("failed", { message: error.message });
    }
  }

  // Follows the board of the session, again after the connection was lost.
  async #follow() {
    const token = this.session.setup?.shared?.token ?? null;
    if (!token) this.#followed = null;
    if (!token || token === this.#followed || !this.connection.ready) return;
    this.#followed = token;
    try {
      const take = (answer) => this.#update(token, answer);
      take(await this.connection.follow({ do: "join", token }, take));
    } catch (error) {
      if (error instanceof RequestRefused) this.#update(token, { error: error.message });
      else if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  // Plays the moves that the server sends, or ends the sharing after an error.
  #update(token, { shared, error = null }) {
    const session = this.session;
    if (session.setup.shared?.token !== token) return;
    if (error) {
      this.#followed = null;
      session.unshare();
      return this.fire("failed", { message: `${error}. The game stays here.` });
    }
    session.setup.shared.asks = shared.asks;
    session.followSharedMoves(shared.moves, shared.resigned && session.players[SEATS.indexOf(shared.resigned)]);
  }
}
