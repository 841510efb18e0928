// What happens when the engine is there, goes away, and comes back; and the game that the page begins with.

import { counted, sentence } from "../board_ui/text.js";
import { firstGame } from "../dialogs/new_game.js";
import { keep, recall, recallHere } from "../game/memory.js";
import { Lost } from "../server/errors.js";
import * as server from "../server/resources.js";

const TRY_AGAIN = 2000;

// Asks what the server knows, until it answers.
export const firstAbout = async (notices) => {
  for (;;) {
    try {
      const about = await server.about();
      notices.away(null);
      return about;
    } catch {
      notices.away("The server cannot be reached. Trying again …");
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN));
    }
  }
};

// The game to go on with, or null. If the server was asked for a game, it is one of that.
export const keptGame = (about) => {
  const latest = recallHere("game", null);
  const [{ id }] = about.games;
  if (!latest?.setup?.roles) return null;
  if (!about.asked_for || latest.setup.game === id) return latest;
  keep(`game of ${latest.setup.game}`, latest);
  return recall(`game of ${id}`, null);
};

// Ignores a kept game that is damaged or that this server does not know.
const forgetUnlessLost = (error) => {
  if (error instanceof Lost) throw error;
};

export class Arrival {
  #find;
  #about;
  #parts;
  #isEngineHere;
  #wasThere = false;

  constructor(find, about, parts, isEngineHere) {
    this.#find = find;
    this.#about = about;
    this.#parts = parts;
    this.#isEngineHere = isEngineHere;
  }

  // Waits for the connection, if it is not there yet.
  follow() {
    const { connection, notices } = this.#parts;
    connection.addEventListener("open", () => this.#arrive());
    connection.addEventListener("lost", () => this.#lose());
    if (this.#isEngineHere && connection.obstacle) notices.away(connection.obstacle);
    if (connection.ready) this.#arrive();
  }

  // The first connection puts a game on the board; later ones go on with it.
  async #arrive() {
    const { connection, session, analyst, home, notices, opener } = this.#parts;
    this.#wasThere = true;
    notices.away(null);
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
      if (await this.#goOn()) return;
    } catch (error) {
      if (error instanceof Lost) return;
      // A game that this server does not know, or a damaged one: a new one begins.
    }
    opener.beginUnasked(firstGame(this.#about));
  }

  // Puts the game that was kept on the board, or that of a link. False if there is none.
  async #goOn() {
    const { session, addressBar } = this.#parts;
    const asked = location.hash;
    const { asksForGame } = addressBar;
    const kept = keptGame(this.#about);
    if (kept) await session.restore(kept).catch(forgetUnlessLost);
    // A link to another game than the one that is kept.
    if (asksForGame && (!session.tree || asked !== location.hash)) {
      history.replaceState(null, "", asked);
      if (await addressBar.open()) return true;
    }
    return Boolean(session.tree);
  }

  #lose() {
    const { connection, session, notices } = this.#parts;
    if (this.#isEngineHere) notices.away(`${sentence(connection.fault)} Starting the engine again …`);
    else if (this.#wasThere) notices.away("The connection to the server was lost. Trying again …");
    else this.#sayWhyNot();
    session.disconnected();
  }

  // A browser does not tell why a first connection to a server failed.
  async #sayWhyNot() {
    const text = await server.about().then(
      () => "The server takes no more visitors just now. Trying again …",
      () => "The server cannot be reached. Trying again …",
    );
    if (!this.#wasThere) this.#parts.notices.away(text);
  }
}
