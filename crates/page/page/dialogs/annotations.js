// Texts that people write about a game: its name, players and date, and comments on its positions.

import { find, html } from "../board_ui/elements.js";
import { capital } from "../board_ui/text.js";
import { seatNames } from "../game/games.js";
import { textButton } from "../panels/controls.js";
import { spoken } from "../text/moves.js";

// Returns the players in short; nothing if they are not named.
export const versus = (game, players) => {
  const named = seatNames(game).map((seat) => players?.[seat] ?? "");
  const [first, second] = named.map((name, i) => name || capital(seatNames(game)[i]));
  return named.some(Boolean) ? `${first} – ${second}` : "";
};

// Makes a form for the name, the players and the date. `done(labels)` gets it, or null if nothing is to change.
export const labelForm = (game, { name = "", players = {}, date = "" }, done) => {
  const field = (text, value) => {
    const input = html("input", { type: "text", maxlength: "80", value, autocomplete: "off" });
    return [input, html("label", {}, text, input)];
  };
  const [nameInput, nameField] = field("Name", name);
  const seats = seatNames(game).map((seat) => [seat, ...field(capital(seat), players[seat] ?? "")]);
  const [dateInput, dateField] = field("Date", date);
  const finish = () => {
    const named = seats.map(([seat, input]) => [seat, input.value.trim()]).filter(([, player]) => player);
    done({
      ...(nameInput.value.trim() && { name: nameInput.value.trim() }),
      ...(named.length && { players: Object.fromEntries(named) }),
      ...(dateInput.value.trim() && { date: dateInput.value.trim() }),
    });
  };
  const form = html(
    "div",
    { class: "labels", role: "group", "aria-label": "Name and players" },
    nameField,
    ...seats.map(([, , label]) => label),
    dateField,
    html("div", { class: "pair" }, textButton("Done", finish, "primary"), textButton("Cancel", () => done(null))),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    finish();
  });
  return form;
};

// The dialog for a comment on the position that is shown.
export class Comments {
  #session;
  #position = null;

  constructor(session) {
    this.#session = session;
    find("comment").addEventListener("click", () => this.open());
    // The comment is kept however the dialog is closed.
    find("comment-dialog").addEventListener("close", () => {
      const position = this.#position;
      this.#position = null;
      if (position) session.setComment(position, find("comment-text").value.trim());
    });
  }

  open() {
    const { current } = this.#session;
    this.#position = current;
    const { player, move } = current.state;
    const words = move && spoken(this.#session, move);
    find("comment-title").textContent = move ? `Comment on move ${current.ply}, ${capital(player)} ${words}` : "Comment on the starting position";
    find("comment-text").value = current.comment;
    find("comment-dialog").showModal();
    find("comment-text").focus();
  }

  // Shows on the button whether the position has a comment.
  show() {
    const has = Boolean(this.#session.current.comment);
    const button = find("comment");
    button.classList.toggle("written", has);
    button.setAttribute("aria-label", has ? "Edit the comment" : "Add a comment");
  }
}
