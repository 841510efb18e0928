// Lets a person try another move in a reviewed game, or the first move of a puzzle: the engine answers in the variation that this makes, and
// says how good the try is.

import { RequestRefused } from "../server/connection.js";

export class Retry {
  constructor(connection, session, reviewer) {
    Object.assign(this, { connection, session, reviewer });
    session.addEventListener("change", () => this.#follow());
  }

  // Takes another try at the same position.
  tryAgain() {
    this.session.go(this.session.retrying.from);
  }

  // Goes back before a move, for its player to try something else.
  start(position) {
    const { player } = position.state;
    this.session.retrying = { player, from: position.parent, was: this.reviewer.reviewOf(position), verdict: null };
    this.session.go(position.parent);
  }

  // Poses a puzzle: asks for the only move that wins a position, or for a better one than that of a game.
  startPuzzle(position, { solution: best, fault = null, played, before, after }) {
    const was = fault ? { best, before, move: played, after } : { best, before: 1, isOnly: true };
    this.session.retrying = { player: position.state.to_move, from: position, was, verdict: null };
  }

  #follow() {
    const session = this.session;
    const { retrying, current } = session;
    if (!retrying) return;
    const isTry = retrying.from.isWithin(current) && !current.isWithin(session.tip);
    if (current !== retrying.from && !isTry) session.retrying = null;
    else if (current === retrying.from) {
      retrying.verdict = null;
      // Nobody waits for the answer any more.
      if (session.replying) this.connection.stop();
    } else {
      // Another try may be looked at.
      if (retrying.verdict && !retrying.verdict.position.isWithin(current)) retrying.verdict = null;
      this.#answer(current);
    }
  }

  #answer(current) {
    const { retrying, tree } = this.session;
    const { outcome } = current.state;
    if (!retrying.verdict) {
      const { was, from } = retrying;
      if (current.parent === from && current.move === was.best) this.#judge(current, was.before);
      else if (current.parent === from && was.isOnly) this.#judge(current, null);
      else if (outcome) this.#judge(current, outcome.winner ? Number(outcome.winner === retrying.player) : 0.5);
    }
    if (this.#isAsked(current)) this.#reply(current, tree);
  }

  // True if it is the engine's turn at the end of a variation, or if its verdict is still to come.
  #isAsked({ state, children }) {
    const { retrying, exploring, isEngineBusy } = this.session;
    const isOpen = exploring && !isEngineBusy && this.connection.ready && (!children.length || !retrying.verdict);
    return isOpen && state.to_move !== null && state.to_move !== retrying.player;
  }

  async #reply(position, tree) {
    const session = this.session;
    session.replying = position;
    let answer = null;
    try {
      const { effort } = session.about;
      answer = await this.connection.request({ do: "move", ...session.requestFields(position), ...effort });
    } catch (error) {
      // Not to be asked again at once.
      if (error instanceof RequestRefused) session.retrying = null;
      session.reportFailure(error);
    } finally {
      session.replying = null;
    }
    if (!answer || session.tree !== tree) return session.notifyChange();
    const next = position.child(answer.move) ?? tree.add(position, answer.move, answer.state);
    const { retrying } = session;
    if (retrying && !retrying.verdict && position.isWithin(session.current)) this.#judge(position, 1 - (answer.win + answer.draw / 2));
    if (session.current === position) session.go(next, true);
    else session.notifyChange();
  }

  // Judges a try by what it leaves its player: a share of the points, null if unknown. `position` is the one after its moves.
  #judge(position, share) {
    const { from, was } = this.session.retrying;
    const moves = position.moves().slice(from.ply);
    const isBest = moves[0] === was.best;
    const loss = isBest ? 0 : Math.max(0, was.before - share);
    this.session.retrying.verdict = { position, moves, isBest, loss, share, was };
  }
}
