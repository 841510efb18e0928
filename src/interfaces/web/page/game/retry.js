// A mistake played otherwise: the engine answers in the variation that this makes.

import { Lost, Refused } from "../server/errors.js";

// Tells `failed` (`detail.message`).
export class Retry extends EventTarget {
  #connection;
  #session;

  constructor(connection, session) {
    super();
    this.#connection = connection;
    this.#session = session;
    session.addEventListener("change", () => this.#follow());
  }

  // Goes back before a mistake, for its player to try something else.
  start(position) {
    this.#session.retrying = { player: position.state.player, from: position.parent };
    this.#session.go(position.parent);
  }

  #follow() {
    const session = this.#session;
    const { retrying, current } = session;
    if (!retrying) return;
    if (!retrying.from.isWithin(current)) session.retrying = null;
    else if (this.#isAsked(current)) this.#reply(current, session.tree);
  }

  // True if it is the engine's turn at the end of a variation.
  #isAsked({ state, children }) {
    const { retrying, exploring, occupied } = this.#session;
    const isOpen = exploring && !occupied && this.#connection.ready && !children.length;
    return isOpen && state.to_move !== null && state.to_move !== retrying.player;
  }

  async #reply(position, tree) {
    const session = this.#session;
    session.replying = true;
    let answer = null;
    try {
      const { effort } = session.about;
      answer = await this.#connection.request({ do: "move", ...session.place(position), ...effort });
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Refused)) throw error;
      // Not to be asked again at once.
      session.retrying = null;
      if (error instanceof Refused) this.dispatchEvent(new CustomEvent("failed", { detail: { message: error.message } }));
    } finally {
      session.replying = false;
    }
    if (!answer || session.tree !== tree) return session.dispatchEvent(new Event("change"));
    const next = position.child(answer.move) ?? tree.add(position, answer.move, answer.state);
    if (session.current === position) session.go(next, true);
    else session.dispatchEvent(new Event("change"));
  }
}
