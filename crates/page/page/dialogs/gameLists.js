// The games to be opened, in the dialog: those of a file, of the training run, and those that this browser keeps.

import { html } from "../board_ui/elements.js";
import { capital, commas, counted, day } from "../board_ui/text.js";
import { boardTitle, gameOf, seatNames } from "../game/games.js";
import { download } from "../game/records.js";
import * as savedGames from "../game/savedGames.js";
import { textButton } from "../panels/controls.js";
import { labelForm, versus } from "./annotations.js";

const NOTHING_KEPT = "Games that you finish or leave are saved here. You can open SGF files and JSON lines.";

const ending = ({ result, resigned, on_time: onTime }) => {
  if (resigned) return `${capital(resigned)} ${onTime ? "ran out of time" : "resigned"}`;
  if (result === "draw") return "a draw";
  return result ? `${capital(result)} won` : "not finished";
};

// Tells who played a game, as far as that is known: "You – Engine (casual)".
const sides = (game, seats) => seats ? seatNames(game).map((seat) => (seats[seat] ?? "").replace(/, (.*)/, " ($1)")).join(" – ") : "";

// Describes a game, the most telling first.
const gameTexts = (about, record) => {
  const game = gameOf(about, record.game);
  const board = boardTitle(game, record.size);
  const { name, date } = record;
  const players = versus(game, record.players);
  const title = name && players ? `${name}: ${players}` : name || players;
  const rest = [players ? "" : sides(game, record.seats), counted(record.plies, "move", "moves"), ending(record), day(date ?? "")].filter(Boolean);
  return title ? [title, commas([board, ...rest])] : [board, commas(rest)];
};

// Makes a button that opens a kept game.
export const gameButton = (about, record, action) => {
  const [title, text] = gameTexts(about, record);
  const button = textButton("", action, "opener");
  button.append(html("span", {}, title), html("span", { class: "quiet" }, text));
  return button;
};

export class GameLists {
  #edited = null; // the line of the game that is being named
  #shown = {}; // what was asked for last
  #deleted = null; // the game that was deleted last: its title, and what brings it back

  // `actions`: `choose(record)` a game to be opened, and `renamed(record, labels)`.
  constructor(host, search, about, actions) {
    Object.assign(this, { host, search, about, actions });
    search.addEventListener("input", () => this.#list());
    search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
  }

  // `opened` is a file that was opened, `{ name, records, keep }`; `ofRun` are the latest games of the training run.
  show(shown = this.#shown) {
    this.#shown = shown;
    const { opened = null, ofRun = [] } = shown;
    this.#edited = null;
    const own = savedGames.games();
    this.search.hidden = own.length < 2;
    if (this.search.hidden) this.search.value = "";
    const all = textButton("Save all", () => download(savedGames.asFile(), "hexzero-games.jsonl"), "plain");
    const keep = opened?.keep && textButton("Add to your games", opened.keep, "plain");
    const list = html("ul", { id: "own-games" });
    const sections = [
      opened && this.#section(opened.name, keep, this.#entries(opened.records)),
      ofRun.length ? this.#section(`Latest games of ${this.about.run}`, null, this.#entries(ofRun)) : null,
      own.length || this.#deleted ? this.#section("Your games", own.length ? all : null, list) : null,
    ].filter(Boolean);
    this.host.replaceChildren(...(sections.length ? sections : [html("p", { class: "quiet" }, NOTHING_KEPT)]));
    this.#list();
  }

  // Nothing that was deleted can be brought back any more.
  forget() {
    this.#deleted = null;
    this.search.value = "";
  }

  #section(title, extra, list) {
    return html("section", { class: "shelf" }, html("div", { class: "card-head" }, html("h3", {}, title), extra), list);
  }

  #entries(records) {
    return html("ul", {}, ...records.map((record) => html("li", {}, gameButton(this.about, record, () => this.actions.choose(record)))));
  }

  // The games of this browser that are sought. One of a game that this server does not know is left out.
  #list() {
    const list = this.host.querySelector("#own-games");
    if (!list) return;
    const known = savedGames.games().filter(({ game }) => gameOf(this.about, game));
    const found = known.filter((record) => savedGames.matches([...gameTexts(this.about, record), record.date], this.search.value));
    const none = known.length && !found.length ? [html("li", { class: "quiet" }, "No games found.")] : [];
    list.replaceChildren(...(this.#deleted ? [this.#deletedNotice()] : []), ...found.map((record) => this.#ownGame(record)), ...none);
  }

  #ownGame(record) {
    const { line } = record;
    if (this.#edited === line) return this.#labelEditor(record);
    const [title] = gameTexts(this.about, record);
    const edit = textButton("Rename", () => {
      this.#edited = line;
      this.#list();
      this.host.querySelector(".labels input")?.focus();
    });
    const remove = textButton("Delete", () => {
      this.#deleted = { title, bringBack: savedGames.remove(line) };
      this.show();
      this.host.querySelector(".gone button")?.focus();
    });
    edit.setAttribute("aria-label", `Rename ${title}`);
    remove.setAttribute("aria-label", `Delete ${title}`);
    return html("li", { class: "own" }, gameButton(this.about, record, () => this.actions.choose(record)), edit, remove);
  }

  #labelEditor(record) {
    const done = (labels) => {
      this.#edited = null;
      if (labels) {
        savedGames.relabel(record.line, labels);
        this.actions.renamed(record, labels);
      }
      this.#list();
    };
    return html("li", {}, labelForm(gameOf(this.about, record.game), record, done));
  }

  #deletedNotice() {
    const { title, bringBack } = this.#deleted;
    const button = textButton("Restore", () => {
      bringBack();
      this.#deleted = null;
      this.show();
      this.host.querySelector(".own button")?.focus();
    });
    return html("li", { class: "gone" }, html("span", { role: "status" }, `${title} is deleted.`), button);
  }
}
