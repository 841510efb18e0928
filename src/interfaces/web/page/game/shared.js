// A board that the server keeps for two people: each has a link that opens it, and sees the other's moves at once.

import { gameOf, seatNames } from "./games.js";
import { FRIEND, PERSON } from "./roles.js";
import { Lost, Refused } from "../server/errors.js";

const SEATS = ["first", "second"];

// Returns the token of the address of a shared board, or null.
export const tokenOf = (hash) => /^#shared\/([0-9a-f]+)$/.exec(hash)?.[1] ?? null;

export const addressOfToken = (token) => `#shared/${token}`;

// Tells `failed` (`detail.message`).
export class SharedBoard extends EventTarget {
  #connection;
  #about;
  #session;
  #followed = null; // the token of the board that the server tells of

  constructor(connection, about, session) {
    super();
    this.#connection = connection;
    this.#about = about;
    this.#session = session;
    session.relay = this;
    session.addEventListener("change", () => this.#follow());
    connection.addEventListener("open", () => this.#follow());
    connection.addEventListener("lost", () => (this.#followed = null));
  }

  // Shares the game on the board, and opens it for this player. `begin(setup, { moves })` puts a game on the board.
  async share(begin) {
    const session = this.#session;
    const persons = session.players.filter((player) => session.roleOf(player) === PERSON);
    const me = persons.length === 1 ? persons[0] : (session.tip.state.to_move ?? session.players[0]);
    const { tokens } = await this.#connection.request({ do: "share", ...session.place(session.tip) });
    return this.open(tokens[session.side(me)], begin, tokens);
  }

  // Opens the board of a token. Who shared it has the tokens of all.
  async open(token, begin, tokens = null) {
    if (!this.#about.shares) throw new Error("Boards are shared by a server, which this page does not have.");
    const { shared, seat } = await this.#connection.request({ do: "join", token });
    const { game, size, setup: stones = null, moves } = shared;
    const players = seatNames(gameOf(this.#about, game));
    const roles = Object.fromEntries(players.map((player, i) => [player, SEATS[i] === seat ? PERSON : FRIEND]));
    const { level, effort } = this.#session.setup ?? { level: this.#about.levels[0], effort: this.#about.effort };
    const setup = { game, size, stones, roles, level, effort, clock: null, shared: { token, seat, tokens, asks: null } };
    return begin(setup, { moves });
  }

  // Plays a move after `ply` moves.
  play(ply, move) {
    return this.#connection.request({ do: "play", token: this.#session.setup.shared.token, ply, move });
  }

  // `resign`, `ask` to take back, `allow` or `refuse` that.
  async act(deed) {
    try {
      await this.#connection.request({ do: "act", token: this.#session.setup.shared.token, deed });
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Lost)) throw error;
      this.#fail(error.message);
    }
  }

  // Hears of the board in the session, again after the connection was lost.
  async #follow() {
    const token = this.#session.setup?.shared?.token ?? null;
    if (!token) this.#followed = null;
    if (!token || token === this.#followed || !this.#connection.ready) return;
    this.#followed = token;
    try {
      const take = (answer) => this.#take(token, answer);
      take(await this.#connection.follow({ do: "join", token }, take));
    } catch (error) {
      if (error instanceof Refused) this.#take(token, { error: error.message });
      else if (!(error instanceof Lost)) throw error;
    }
  }

  #take(token, { shared, error = null }) {
    const session = this.#session;
    if (session.setup.shared?.token !== token) return;
    if (error) {
      this.#followed = null;
      session.unshare();
      return this.#fail(`${error}. The game stays here.`);
    }
    session.setup.shared.asks = shared.asks;
    session.arriveAt(shared.moves, shared.resigned && session.players[SEATS.indexOf(shared.resigned)]);
  }

  #fail(message) {
    this.dispatchEvent(new CustomEvent("failed", { detail: { message } }));
  }
}
