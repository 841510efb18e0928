// The dialog to save the game, and to open one: from a file, from this browser, or from the training run.

import { mainLine } from "./branches.js";
import { html } from "./elements.js";
import { boardTitle, gameOf } from "./games.js";
import { finishedGames } from "./memory.js";
import { download, ofSession, read, readFile, sgfOfSession } from "./records.js";
import { addressOf, copyText, pictureOf, toPng } from "./share.js";
import { capital, count } from "./words.js";

const ending = ({ result, resigned, on_time: onTime }) => {
  if (resigned) return onTime ? `${capital(resigned)} ran out of time` : `${capital(resigned)} resigned`;
  return result === "draw" ? "a draw" : result ? `${capital(result)} won` : "not finished";
};

export class GamesDialog {
  #find;
  #about;
  #session;
  #onOpen;
  #opened = null; // the file that was opened last: [name, records]
  #ofRun = []; // the latest games of the training run

  // `onOpen(record)` resolves when the game is on the board.
  constructor(find, about, session, onOpen) {
    this.#find = find;
    this.#about = about;
    this.#session = session;
    this.#onOpen = onOpen;
    const press = (id, action) => find(id).addEventListener("click", () => this.#share(action));
    press("save", () => this.#save());
    press("save-sgf", () => this.#keep(sgfOfSession(session), "sgf", "application/x-go-sgf"));
    press("copy-link", async () => {
      await copyText(location.origin + location.pathname + addressOf(session), find("games"));
      return "The link is on the clipboard.";
    });
    press("copy-moves", async () => {
      await copyText(session.current.moves().join(" "), find("games"));
      return "The moves are on the clipboard.";
    });
    press("save-svg", () => this.#keep(this.#picture(), "svg", "image/svg+xml"));
    press("save-png", async () => this.#keep(await toPng(this.#picture()), "png", "image/png"));
    find("file").addEventListener("change", (event) => this.#file(event.target.files[0]));
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.#file(event.dataTransfer.files[0]);
    });
  }

  async open() {
    this.#problem(null);
    this.#find("shared").textContent = "";
    this.#find("games").showModal();
    this.#shelves();
    if (!this.#about.run) return;
    await this.#fetchOfRun();
    this.#shelves();
  }

  // Does something with the game on the board, and says what came of it.
  async #share(action) {
    this.#problem(null);
    const place = this.#find("shared");
    place.textContent = "";
    try {
      place.textContent = (await action()) ?? "";
    } catch (error) {
      this.#problem(error.message);
    }
  }

  #save() {
    this.#keep(`${ofSession(this.#session)}\n`, "jsonl", "application/jsonl");
  }

  #keep(what, ending, type) {
    const { setup, tip } = this.#session;
    download(what, `${setup.game}-${setup.size}-${tip.ply}-moves.${ending}`, type);
  }

  #picture() {
    const paper = getComputedStyle(document.body).backgroundColor;
    return pictureOf(document.querySelector(".table .board"), paper);
  }

  async #file(file) {
    if (!file) return;
    const dialog = this.#find("games");
    if (!dialog.open) dialog.showModal();
    this.#problem(null);
    try {
      const records = readFile(await file.text(), this.#about);
      this.#opened = [file.name, records];
      if (records.length === 1) await this.#choose(records[0]);
    } catch (error) {
      this.#problem(error.message);
    }
    this.#find("file").value = "";
    this.#shelves();
  }

  async #choose(record) {
    this.#problem(null);
    try {
      await this.#onOpen(record);
      this.#find("games").close();
    } catch (error) {
      this.#problem(`This game cannot be opened: ${error.message}.`);
    }
  }

  async #fetchOfRun() {
    try {
      const answer = await fetch("/api/run/games");
      if (answer.ok) this.#ofRun = read(await answer.text(), this.#about);
    } catch {
      // The run has no games yet, or the server is away: what was there stays.
    }
  }

  // What this browser has kept may be of another version: a game that cannot be read is left out.
  #readable({ line }) {
    try {
      return read(line, this.#about);
    } catch {
      return [];
    }
  }

  #shelves() {
    const own = finishedGames();
    const shelf = (title, records, extra = null) =>
      records.length
        ? html(
            "section",
            { class: "shelf" },
            html("div", { class: "card-head" }, html("h3", {}, title), extra),
            html("ul", {}, ...records.map((record) => this.#entry(record))),
          )
        : null;
    const all = html("button", { type: "button", class: "plain" }, "Save all");
    all.addEventListener("click", () => download(own.map(({ line }) => `${line}\n`).join(""), "hexzero-games.jsonl"));
    const shelves = [
      this.#opened && shelf(this.#opened[0], this.#opened[1]),
      shelf(`Latest games of ${this.#about.run}`, this.#ofRun),
      shelf(
        "Your games",
        own.flatMap((game) => this.#readable(game)),
        all,
      ),
    ].filter(Boolean);
    this.#find("shelves").replaceChildren(
      ...(shelves.length
        ? shelves
        : [html("p", { class: "quiet" }, "Games that you finish or leave are kept here. Files hold games in SGF, or one a line as JSON.")]),
    );
  }

  #entry(record) {
    const { game, size, tree, plies } = record;
    const button = html(
      "button",
      { type: "button" },
      html("span", {}, boardTitle(gameOf(this.#about, game), size)),
      html("span", { class: "quiet" }, `${count(mainLine(tree).slice(0, plies).length, "move")}, ${ending(record)}`),
    );
    button.addEventListener("click", () => this.#choose(record));
    return html("li", {}, button);
  }

  #problem(text) {
    const place = this.#find("games-error");
    place.textContent = text ?? "";
    place.hidden = !text;
  }
}
