// Puts the first game on the board once the engine is ready, and follows the engine when it goes away and comes back.

import { counted, sentence } from "../board_ui/text.js";
import { firstGame } from "../game/games.js";
import { keep, keepHere, recall, recallHere } from "../game/storage.js";
import { setupAgainst } from "../learn/learnt.js";
import { ConnectionLost } from "../server/connection.js";
import * as server from "../server/resources.js";

const RETRY_MS = 2000;

// Asks the server for its games and settings, until it answers.
export const firstAbout = async (notices) => {
  for (;;) {
    try {
      const about = await server.about();
      notices.showConnection(null);
      return about;
    } catch {
      notices.showConnection("The server cannot be reached. Trying again …");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
};

// The game to go on with, or null. If the server was started for a game, it must be of that one.
export const keptGame = (about) => {
  const latest = recallHere("game", null);
  const [{ id }] = about.games;
  if (!latest?.setup?.roles) return null;
  if (!about.asked_for || latest.setup.game === id) return latest;
  keep(`game of ${latest.setup.game}`, latest);
  return recall(`game of ${id}`, null);
};

// Ignores a kept game that is damaged or that this server does not know.
const ignoreUnlessLost = (error) => {
  if (error instanceof ConnectionLost) throw error;
};

export class Startup {
  #find;
  #about;
  #parts;
  #isEngineHere;
  #learnt;
  #wasConnected = false;

  constructor(find, about, parts, isEngineHere, learnt = null) {
    this.#find = find;
    this.#about = about;
    this.#parts = parts;
    this.#isEngineHere = isEngineHere;
    this.#learnt = learnt;
  }

  // Waits for the connection, if it is not there yet.
  start() {
    const { connection, notices } = this.#parts;
    connection.addEventListener("open", () => this.#onOpen());
    connection.addEventListener("lost", () => this.#onLost());
    if (this.#isEngineHere && connection.obstacle) notices.showConnection(connection.obstacle);
    if (connection.ready) this.#onOpen();
  }

  // The first connection puts a game on the board; later ones go on with it.
  async #onOpen() {
    const { connection, session, analyst, home, notices, opener } = this.#parts;
    this.#wasConnected = true;
    notices.showConnection(null);
    if (this.#isEngineHere) {
      const threads = counted(connection.threads, "thread", "threads");
      this.#find("version").textContent = `hexzero ${this.#about.version}, with ${threads} in this tab`;
    }
    if (session.tree) {
      session.reconnected();
      analyst.reconnected();
      return;
    }
    home.drawPictures();
    analyst.on = recall("analysing", false);
    try {
      if (!this.#isFirstAgainstLearnt() && (await this.#restoreGame())) return;
    } catch (error) {
      if (error instanceof ConnectionLost) return;
      // A game that this server does not know, or a damaged one: a new one begins.
    }
    const setup = firstGame(this.#about);
    opener.beginUnasked(this.#learnt ? setupAgainst(this.#learnt, this.#about, setup) : setup);
  }

  // True if the address asks for a network that learnt here, and there is no game against it to go on with.
  #isFirstAgainstLearnt() {
    if (!this.#learnt) return false;
    const { path, game, size } = this.#learnt;
    const kept = keptGame(this.#about)?.setup;
    const goesOn = recallHere("learnt", null) === path && kept?.game === game && kept.size === size;
    keepHere("learnt", path);
    return !goesOn;
  }

  // Puts the kept game or that of a link on the board. False if there is none.
  async #restoreGame() {
    const { session, addressBar } = this.#parts;
    const asked = location.hash;
    const { asksForGame } = addressBar;
    const kept = keptGame(this.#about);
    // The kept game is not shown while the game of a link loads.
    document.documentElement.classList.toggle("arriving", asksForGame);
    try {
      if (kept) await session.loader.restore(kept).catch(ignoreUnlessLost);
      // The link is to another game than the kept one.
      if (asksForGame && (!session.tree || asked !== location.hash)) {
        history.replaceState(null, "", asked);
        if (await addressBar.open()) return true;
      }
    } finally {
      document.documentElement.classList.remove("arriving");
    }
    return Boolean(session.tree);
  }

  #onLost() {
    const { connection, session, notices } = this.#parts;
    if (this.#isEngineHere) notices.showConnection(`${sentence(connection.fault)} Starting the engine again …`);
    else if (this.#wasConnected) notices.showConnection("The connection to the server was lost. Trying again …");
    else this.#explainFailure();
    session.disconnected();
  }

  // A browser does not say why a first connection to a server failed.
  async #explainFailure() {
    const text = await server.about().then(
      () => "The server is full. Trying again …",
      () => "The server cannot be reached. Trying again …",
    );
    if (!this.#wasConnected) this.#parts.notices.showConnection(text);
  }
}
