// Keeps the address of the page in step with the position, and opens the games of addresses that the user follows or types.

import { sentence } from "../board_ui/text.js";
import { addressOf, gameOfAddress } from "../game/address.js";
import { Emitter } from "../game/emitter.js";
import { tokenOf } from "../game/shared.js";
import { ADDRESS as HOME } from "../home_screen/home.js";
import { lessonOfAddress } from "../lessons/lessons.js";
import { ConnectionLost } from "../server/connection.js";

// Fires `failed` (`detail.message`).
export class AddressBar extends Emitter {
  // `actions`: `open(record)`, `openShared(token)` a shared board, and `openLesson(game, step)`; they resolve when that is on the board.
  constructor(about, session, home, actions) {
    super();
    Object.assign(this, { about, session, home, actions });
    home.addEventListener("opened", () => history.replaceState(null, "", HOME));
    home.addEventListener("closed", () => this.show());
    session.addEventListener("change", () => this.show());
    addEventListener("hashchange", () => this.#onHashChange());
  }

  // True if it names a game.
  get asksForGame() {
    return location.hash.length > 1 && location.hash !== HOME;
  }

  show() {
    const { tree } = this.session;
    if (!tree || this.home.isOpen) return;
    const address = addressOf(this.session);
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  // Opens the game of the address. False if there is none in it.
  async open(asked = location.hash) {
    if (asked === HOME) {
      this.home.open();
      return false;
    }
    this.home.close();
    // On the way back from the home screen the game is still on the board.
    if (this.session.tree && asked === addressOf(this.session)) return false;
    try {
      const token = tokenOf(asked);
      if (token) return await this.actions.openShared(token);
      const lesson = lessonOfAddress(asked);
      if (lesson) {
        if (!(await this.actions.openLesson(lesson.game, lesson.number))) throw new Error("There is no such lesson.");
        return true;
      }
      const game = gameOfAddress(asked, this.about);
      if (game) await this.actions.open(game);
      return game !== null;
    } catch (error) {
      if (error instanceof ConnectionLost) throw error;
      this.#reportFailure(sentence(error.message));
      return false;
    }
  }

  async #onHashChange() {
    try {
      await this.open();
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      this.#reportFailure(error.message);
    }
  }

  #reportFailure(message) {
    this.fire("failed", { message });
    this.show();
  }
}
