// Takes moves back and plays them again, and removes and promotes variations.

import { PERSON } from "./games.js";

export class History {
  #session;
  #endBeforeUndo = null; // the end of the game before moves were taken back
  #variationEnd = null; // the end of a variation before moves were taken back

  constructor(session) {
    this.#session = session;
  }

  // Forgets the last game. The next one may have moves that were taken back: `end` is the position after them.
  reset(end = null) {
    this.#endBeforeUndo = end;
    this.#variationEnd = null;
  }

  toJSON() {
    return this.#endBeforeUndo?.moves() ?? null;
  }

  // The position to which `undo` goes back, or null.
  get undoable() {
    const { tree, current, tip, setup, exploring, ended, isExercise } = this.#session;
    if (!tree) return null;
    if (!current.isWithin(tip)) return this.#beforeReply.parent;
    if (isExercise) return null;
    if (setup.opened) return current.parent;
    if (exploring || setup.shared) return null;
    if (ended) return tip;
    const before = tip.path().slice(0, -1).reverse();
    return before.find((position) => this.#isPersons(position)) ?? null;
  }

  // The position to which `redo` goes on, along the moves that were taken back, or null.
  get redoable() {
    const { tree, current, tip, setup, exploring } = this.#session;
    if (!tree) return null;
    if (setup.opened) return current.next();
    const tried = this.#variationEnd;
    if (tried && tree.has(tried) && !tried.isWithin(tip) && current !== tried && current.isWithin(tried))
      return tried.path().find(({ ply }) => ply > current.ply);
    const end = this.#endBeforeUndo;
    if (!end || setup.shared || exploring || end === tip || !tip.isWithin(end) || !tree.has(end)) return null;
    return end.path().find((position) => position.ply > tip.ply && (position === end || this.#isPersons(position)));
  }

  // True if a position comes after moves that were taken back and have not been replaced since.
  isTakenBack(position) {
    const { tip, tree, result, isExercise } = this.#session;
    return !result && !isExercise && position !== tip && tip.isWithin(position) && tree.isMain(position);
  }

  // Goes back before the last move. The moves stay in the tree, to be gone through or played again.
  undo() {
    const session = this.#session;
    const target = this.undoable;
    if (!target) return;
    if (session.exploring || session.setup.opened) {
      const { current, tip } = session;
      if (!current.isWithin(tip) && !(this.#variationEnd && current.isWithin(this.#variationEnd))) this.#variationEnd = current;
      return session.go(target);
    }
    const end = this.redoable ? this.#endBeforeUndo : session.tip;
    return session.continueAt(target, () => {
      session.engineTurns.rest();
      this.#endBeforeUndo = end;
    });
  }

  redo() {
    const session = this.#session;
    const target = this.redoable;
    if (!target) return;
    if (session.setup.opened || !target.isWithin(this.#endBeforeUndo ?? session.tip)) return session.go(target, true);
    return session.continueAt(target);
  }

  // Deletes the position that is shown, with all that follows.
  remove() {
    const session = this.#session;
    const { current, tree, tip, setup } = session;
    if (!current.parent || ((session.isExercise || setup.shared) && current.isWithin(tip))) return;
    if (current.isWithin(tip)) {
      return session.continueAt(current.parent, () => {
        session.engineTurns.rest();
        tree.remove(current);
      });
    }
    tree.remove(current);
    session.go(current.parent);
  }

  // Makes the position that is shown the one where the game goes on.
  playOn() {
    const { current, tree } = this.#session;
    return this.#session.continueAt(current, () => tree.promote(current));
  }

  // Makes the line that is shown the main one, in a game without an engine.
  promote() {
    const { current, tree } = this.#session;
    const end = current.line().at(-1);
    return this.#session.continueAt(end, () => tree.promote(end), current);
  }

  // True if a person decides there how the game goes on.
  #isPersons({ state }) {
    return this.#session.allEngines || this.#session.roleOf(state.to_move) === PERSON;
  }

  // The first position that `undo` leaves in a variation: where a mistake is played otherwise, with the engine's reply.
  get #beforeReply() {
    const { current, tip, retrying } = this.#session;
    let at = current;
    const isReply = ({ parent }) => !parent.isWithin(tip) && parent.state.to_move !== retrying.player;
    while (retrying && isReply(at)) at = at.parent;
    return at;
  }
}
