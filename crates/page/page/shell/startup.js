// Puts the first game on the board once the engine is ready, and follows the engine when it goes away and comes back.

import { find } from "../board_ui/elements.js";
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

// Waits for the connection, if it is not there yet. `learnt` is the network of this browser's own that is to be played, or null.
export const startUp = (about, parts, isEngineHere, learnt) => {
  const { connection, session, analyst, addressBar, home, notices, opener } = parts;
  let wasConnected = false;

  // True if the address asks for a network that learnt here, and there is no game against it to go on with.
  const isFirstAgainstLearnt = () => {
    if (!learnt) return false;
    const kept = keptGame(about)?.setup;
    const goesOn = recallHere("learnt", null) === learnt.path && kept?.game === learnt.game && kept.size === learnt.size;
    keepHere("learnt", learnt.path);
    return !goesOn;
  };

  // Puts the kept game or that of a link on the board. False if there is none.
  const restoreGame = async () => {
    const asked = location.hash;
    const { asksForGame } = addressBar;
    const kept = keptGame(about);
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
  };

  // The first connection puts a game on the board; later ones go on with it.
  const onOpen = async () => {
    wasConnected = true;
    notices.showConnection(null);
    if (isEngineHere) find("version").textContent = `hexzero ${about.version}, with ${counted(connection.threads, "thread", "threads")} in this tab`;
    if (session.tree) {
      session.reconnected();
      analyst.reconnected();
      return;
    }
    home.drawPictures();
    analyst.on = recall("analysing", false);
    try {
      if (!isFirstAgainstLearnt() && (await restoreGame())) return;
    } catch (error) {
      if (error instanceof ConnectionLost) return;
      // A game that this server does not know, or a damaged one: a new one begins.
    }
    const setup = firstGame(about);
    opener.beginUnasked(learnt ? setupAgainst(learnt, about, setup) : setup);
  };

  // A browser does not say why a first connection to a server failed.
  const explainFailure = async () => {
    const text = await server.about().then(
      () => "The server is full. Trying again …",
      () => "The server cannot be reached. Trying again …",
    );
    if (!wasConnected) notices.showConnection(text);
  };

  connection.addEventListener("open", onOpen);
  connection.addEventListener("lost", () => {
    if (isEngineHere) notices.showConnection(`${sentence(connection.fault)} Starting the engine again …`);
    else if (wasConnected) notices.showConnection("The connection to the server was lost. Trying again …");
    else explainFailure();
    session.disconnected();
  });
  if (isEngineHere && connection.obstacle) notices.showConnection(connection.obstacle);
  if (connection.ready) onOpen();
};
