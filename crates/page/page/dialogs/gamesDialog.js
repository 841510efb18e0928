// The dialog to save and share the game, and to open one: from a file, a link, this browser, or the training run.

import { find, showText } from "../board_ui/elements.js";
import { counted, sentence } from "../board_ui/text.js";
import { addressOf, gameOfAddress } from "../game/address.js";
import { areMoves, convert, download, lineOfSession, readGames, readKept, recordOfMoves, recordOfSession } from "../game/records.js";
import * as savedGames from "../game/savedGames.js";
import { runGames } from "../server/resources.js";
import { engineNames } from "../text/sentences.js";
import { labelForm } from "./annotations.js";
import { GameLists } from "./gameLists.js";
import { copyText, pictureOf, toPng } from "./sharing.js";

export class GamesDialog {
  #lists;
  #opened = null; // the file that was opened last
  #ofRun = []; // the latest games of the training run

  // `onOpen(record)` resolves when the game is on the board.
  constructor(about, session, onOpen) {
    Object.assign(this, { about, session, onOpen });
    this.#lists = new GameLists(find("shelves"), find("search-games"), about, {
      choose: (record) => this.#openRecord(record),
      renamed: ({ id }, labels) => id && id === session.setup.id && session.setLabels(labels),
    });
    const press = (id, action) => find(id).addEventListener("click", () => this.#run(action));
    const copy = (text) => copyText(text, find("games"));
    const line = () => recordOfSession(session, engineNames(session));
    press("save", () => this.#download(`${line()}\n`, "jsonl", "application/jsonl"));
    press("save-sgf", async () => this.#download(await convert(line(), "sgf"), "sgf", "application/x-go-sgf"));
    press("copy-link", async () => {
      await copy(location.origin + location.pathname + addressOf(session));
      return "Link copied.";
    });
    press("copy-moves", async () => {
      await copy(session.current.moves().join(" "));
      return "Moves copied.";
    });
    press("copy-hexworld", async () => {
      await copy((await convert(lineOfSession(session), "hexworld")).trim());
      return "HexWorld link copied.";
    });
    press("save-svg", () => this.#download(this.#picture(), "svg", "image/svg+xml"));
    press("save-png", async () => this.#download(await toPng(this.#picture()), "png", "image/png"));
    press("name-game", () => this.#showLabelForm());
    find("file").addEventListener("change", (event) => this.#openFile(event.target.files[0]));
    find("open-link").addEventListener("click", () => this.#openLink());
    find("link").addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#openLink();
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.#openFile(event.dataTransfer.files[0]);
    });
  }

  async open() {
    showText("games-error", null);
    find("shared").textContent = "";
    find("link").value = "";
    find("copy-hexworld").hidden = !this.session.game.hexworld;
    this.#hideLabelForm();
    this.#lists.forget();
    find("games").showModal();
    this.#show();
    if (!this.about.run) return;
    await this.#fetchOfRun();
    this.#show();
  }

  #show() {
    this.#lists.show({ opened: this.#opened, ofRun: this.#ofRun });
  }

  // Does something with the game on the board, and says what came of it.
  async #run(action) {
    find("shared").textContent = "";
    find("shared").textContent = (await this.#attempt(action)) ?? "";
  }

  // Does something, and shows the error if it fails.
  async #attempt(action) {
    showText("games-error", null);
    try {
      return await action();
    } catch (error) {
      showText("games-error", error.message);
    }
  }

  #download(what, ending, type) {
    const { setup, tip } = this.session;
    download(what, `${setup.game}-${setup.size}-${tip.ply}-moves.${ending}`, type);
  }

  #picture() {
    const paper = getComputedStyle(document.body).backgroundColor;
    return pictureOf(document.querySelector(".table .board"), paper);
  }

  #showLabelForm() {
    const place = find("name-form");
    if (place.firstChild) return this.#hideLabelForm();
    const done = (labels) => {
      if (labels) this.session.setLabels(labels);
      this.#hideLabelForm();
      find("name-game").focus();
    };
    place.replaceChildren(labelForm(this.session.game, this.session.setup.labels ?? {}, done));
    find("name-game").setAttribute("aria-expanded", "true");
    place.querySelector("input").focus();
  }

  #hideLabelForm() {
    find("name-form").replaceChildren();
    find("name-game").setAttribute("aria-expanded", "false");
  }

  async #openFile(file) {
    if (!file) return;
    const dialog = find("games");
    if (!dialog.open) dialog.showModal();
    await this.#attempt(async () => this.#readText(await file.text(), file.name));
    find("file").value = "";
    this.#show();
  }

  // Games of a text. If there is only one, it is opened.
  async #readText(text, name) {
    const records = await readGames(text);
    const keep = async () => {
      const kept = savedGames.add((await convert(text, "jsonl")).split("\n").filter(Boolean));
      this.#opened = null;
      this.#show();
      return counted(kept, "game kept.", "games kept.");
    };
    this.#opened = { name, records, keep: () => this.#run(keep) };
    if (records.length === 1) await this.#openRecord(records[0]);
  }

  // A link of this page or of another one, a game itself, or the moves of one on this board.
  async #openLink() {
    const text = find("link").value.trim();
    if (!text) return;
    // The page opens shared boards and lessons by its own address.
    const elsewhere = /^[^\s(){}]*(#(?:shared|learn)\/\S+)$/.exec(text);
    const own = /^[^\s(){}]*(#[a-z0-9-]+\/\d+(\/\S*)?)$/.exec(text);
    await this.#attempt(() => {
      if (own && !elsewhere) return this.#openRecord(gameOfAddress(own[1], this.about));
      if (!elsewhere) return this.#readText(areMoves(text) ? recordOfMoves(text, this.session.setup) : text, "What you pasted");
      find("games").close();
      location.hash = elsewhere[1];
    });
    this.#show();
  }

  async #openRecord(record) {
    showText("games-error", null);
    try {
      await this.onOpen(record.tree ? record : await readKept(record));
      find("games").close();
    } catch (error) {
      showText("games-error", sentence(`this game cannot be opened: ${error.message}`));
    }
  }

  async #fetchOfRun() {
    try {
      this.#ofRun = savedGames.parseLines(await runGames());
    } catch {
      // The run has no games yet, or the server is away: what was there stays.
    }
  }
}
