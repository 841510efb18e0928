// The dialog to write down what is to be said of the position that is shown.

import { capital } from "../board_ui/text.js";
import { spoken } from "../text/moves.js";

export class Comments {
  #find;
  #session;
  #position = null;

  constructor(find, session) {
    this.#find = find;
    this.#session = session;
    find("comment").addEventListener("click", () => this.open());
    // However it is closed: what was written is kept.
    find("comment-dialog").addEventListener("close", () => {
      const position = this.#position;
      this.#position = null;
      if (position) session.say(position, find("comment-text").value.trim());
    });
  }

  open() {
    const { current } = this.#session;
    this.#position = current;
    const { player, move } = current.state;
    const words = move && spoken(this.#session, move);
    this.#find("comment-title").textContent = move
      ? `Comment on move ${current.ply}, ${capital(player)} ${words}`
      : "Comment on the start";
    this.#find("comment-text").value = current.comment;
    this.#find("comment-dialog").showModal();
    this.#find("comment-text").focus();
  }

  // True if the position that is shown has a comment.
  show() {
    const has = Boolean(this.#session.current.comment);
    const button = this.#find("comment");
    button.classList.toggle("written", has);
    button.setAttribute("aria-label", has ? "Change the comment" : "Write a comment");
  }
}
