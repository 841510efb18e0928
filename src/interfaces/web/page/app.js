// Brings the parts of the page together.

import { Board } from "./board/board.js";
import { BoardView } from "./board/board_view.js";
import { Editor } from "./board/editor.js";
import { Sounds } from "./board/sounds.js";
import { sentence } from "./board_ui/text.js";
import { Comments } from "./dialogs/comments.js";
import { GamesDialog } from "./dialogs/games_dialog.js";
import { teach } from "./dialogs/lesson.js";
import { NewGame, firstGame } from "./dialogs/new_game.js";
import { Preferences } from "./dialogs/preferences.js";
import { showLinks } from "./dialogs/share_board.js";
import { copyText } from "./dialogs/sharing.js";
import { theTab } from "./engine/tab.js";
import { Ahead } from "./game/ahead.js";
import { Analyst } from "./game/analyst.js";
import { addressForFriend } from "./game/friend.js";
import { withHandicap } from "./game/handicap.js";
import { Layouts } from "./game/layouts.js";
import { keep, keepHere, recall } from "./game/memory.js";
import { Openings } from "./game/openings.js";
import { Opener } from "./game/opener.js";
import { Retry } from "./game/retry.js";
import { Reviewer } from "./game/reviewer.js";
import { Session } from "./game/session.js";
import { SharedBoard } from "./game/shared.js";
import { ADDRESS as HOME, Home } from "./home_screen/home.js";
import { Chart } from "./panels/chart.js";
import { MoveList } from "./panels/move_list.js";
import { Notices } from "./panels/notices.js";
import { Offers } from "./panels/offers.js";
import { showClocks, showThinking } from "./panels/panel.js";
import { showPointed } from "./panels/pointing.js";
import { showReview, summary } from "./panels/review_panel.js";
import { atSecondPress } from "./panels/second_press.js";
import { follow } from "./panels/training_run.js";
import { Puzzles } from "./puzzles/puzzles.js";
import { connect } from "./server/connection.js";
import { Lost, Refused } from "./server/errors.js";
import * as server from "./server/resources.js";
import { AddressBar } from "./shell/address_bar.js";
import { Arrival, firstAbout, keptGame } from "./shell/arrival.js";
import { useKeys } from "./shell/keyboard.js";
import { Screen } from "./shell/screen.js";
import { asked } from "./text/moves.js";
import { positionText } from "./text/position.js";
import { buttons, ending, status, told } from "./text/sentences.js";

const CLOCK_STEP = 100;

const find = (id) => document.getElementById(id);

const notices = new Notices(find);
const about = await firstAbout(notices);
const preferences = new Preferences();
const isEngineHere = server.isSite() || (about.tab && preferences.get("engine") === "tab");
// What the tab's engine does not have.
if (isEngineHere) about.shares = false;
const connection = isEngineHere ? theTab().start(about) : connect();
const layouts = new Layouts();
const session = new Session(connection, about, layouts);
const shared = new SharedBoard(connection, about, session);
const analyst = new Analyst(connection, session);
const reviewer = new Reviewer(connection, session);
const ahead = new Ahead(session);
const retry = new Retry(connection, session, reviewer);
const comments = new Comments(find, session);
const board = new Board(find("table"));
const chart = new Chart(find("chart"));
const moveList = new MoveList(find("moves"));
const offers = new Offers(find("offers"));
const openings = new Openings(session);
const editor = new Editor(about);
const view = new BoardView(board, find("table"), session, { analyst, reviewer, ahead, openings, editor }, preferences);
const opener = new Opener(about, session, layouts, editor);
const open = (record) => opener.open(record, firstGame(about));
preferences.bind(find, about.tab);
new Sounds(session, preferences);

const hint = async () => {
  const position = session.current;
  find("hint").classList.add("waiting");
  const move = await analyst.hint();
  find("hint").classList.remove("waiting");
  if (!move || position !== session.current) return;
  view.hint(move);
  notices.announce(`Hint: ${asked(session, move)}`);
  const button = buttons(session.game, position.state).find((one) => one.move === move);
  notices.show(`Hint: ${button ? button.label : asked(session, move)}.`, true);
  session.addEventListener("change", () => notices.show(null), { once: true });
};

// Gives the link for the friend to what shares on a telephone, or to the clipboard.
const send = async () => {
  const url = location.origin + location.pathname + addressForFriend(session);
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await copyText(url, document.body);
    notices.show("The link is on the clipboard: send it to your friend.", true);
  } catch (error) {
    if (error.name !== "AbortError") notices.report(error);
  }
};

// Shares the game on the board, and shows the links of the players.
const shareBoard = async () => {
  try {
    if (await shared.share(() => opener.leave())) showLinks(find("share-dialog"), session);
  } catch (error) {
    notices.report(error);
  }
};

const newGame = new NewGame(
  find,
  about,
  async ({ handicap, toShare, ...setup }, fromHere) => {
    const layoutOf = (game, size) => layouts.of(game, size);
    if (fromHere) await opener.beginFromHere(setup);
    else await opener.begin(await withHandicap(about, { ...setup, stones: null }, handicap, layoutOf));
    if (toShare) await shareBoard();
  },
  (setup) => opener.setUp(setup).catch((error) => notices.report(error)),
);

// What was asked for at home before the engine was there. It waits, and takes the place of what was asked for earlier.
let pending = null;
const whenReady =
  (act) =>
  (...asked) => {
    if (session.tree) return act(...asked);
    home.note(connection.obstacle ?? "One moment: the engine is loading.");
    pending = () => act(...asked);
  };
session.addEventListener("change", () => {
  if (!pending) return;
  const act = pending;
  pending = null;
  home.note(null);
  act();
});

const choose = whenReady((id) => newGame.open(session, id));

// Poses the next puzzle of a game.
const pose = whenReady(async (game) => {
  try {
    if (await puzzles.start(game)) {
      home.close();
      screen.analyse(false);
    } else {
      const said = "No puzzle of this game is due now. Those you failed come again later.";
      if (home.isOpen) home.note(said);
      else notices.show(said, true);
    }
  } catch (error) {
    if (!(error instanceof Lost || error instanceof Refused)) throw error;
    if (home.isOpen) home.note(error.message);
    else notices.report(error);
  }
});

const puzzles = new Puzzles(about, session, retry, () => opener.leave());
const home = new Home(find, about, session, layouts, puzzles, { choose, open, pose });
const games = new GamesDialog(find, about, session, open);
const openGames = whenReady(() => games.open());

// It opens with all its pictures, so that nothing moves when they come.
const lesson = async () => {
  find("lesson-title").textContent = `How to play ${session.game.title}`;
  try {
    await teach(find("lesson-body"), session.game, layouts);
  } catch (error) {
    return notices.report(error);
  }
  if (!document.querySelector("dialog[open]")) find("lesson").showModal();
};

const tell = () => !editor.active && notices.tellAgain(positionText(session));

const addressBar = new AddressBar(about, session, home, { open, openShared: (token) => shared.open(token, () => opener.leave()) });
const parts = {
  about, connection, session, analyst, reviewer, ahead, retry, comments, board, view, chart, moveList, offers, openings, editor,
  opener, home, preferences, notices, addressBar,
};
const screen = new Screen(find, parts, {
  press: (button) => view.press(button),
  newGame: () => newGame.open(session),
  // Turns off the analysis of the last game: this one is to be played.
  rematch: (level) => {
    screen.analyse(false);
    return opener.rematch(level);
  },
  nextPuzzle: () => pose(session.setup.game),
  showSolution: () => puzzles.show(),
  review: () => reviewer.start(),
  lesson,
  send,
  act: (deed) => shared.act(deed),
  links: () => showLinks(find("share-dialog"), session),
});

const wireButtons = () => {
  const press = (id, action) => find(id).addEventListener("click", action);
  press("undo", () => session.history.undo());
  press("hint", hint);
  press("redo", () => session.history.redo());
  atSecondPress(find("resign"), () => session.resign());
  press("raise", () => session.history.promote());
  const keepMoves = atSecondPress(find("delete"), () => session.history.remove());
  session.addEventListener("change", keepMoves);
  press("first", () => session.go(session.tree.root));
  press("back", () => session.back());
  press("forward", () => session.forward());
  press("last", () => session.go(session.current.line().at(-1)));
  press("stop-review", () => reviewer.stop());
  const toMistake = (position) => position && session.go(position);
  press("next-mistake", () => toMistake(reviewer.next()));
  press("previous-mistake", () => toMistake(reviewer.previous()));
  press("try-again", () => (session.retrying ? retry.again() : retry.start(session.current)));
  press("show-better", () => {
    session.retrying = null;
    session.addLine(session.current.parent, reviewer.of(session.current).line);
  });
  find("moments").addEventListener("click", (event) => {
    const at = [...find("moments").children].indexOf(event.target.closest("li"));
    if (at >= 0) session.go(find("moments").positions[at]);
  });
  press("analyse", () => screen.analyse(!analyst.on));
  press("add-line", () => {
    const { current } = session;
    const { lines } = current.analysis;
    const line = lines.find(({ move }) => move === view.pointed) ?? lines[0];
    session.addLine(current, line.variation);
  });
  press("tell", tell);
  find("share-board").hidden = !about.shares;
  press("share-board", () => {
    find("games").close();
    shareBoard();
  });
  press("open-new", () => choose());
  press("open-games", openGames);
  press("open-lesson", lesson);
  press("open-settings", () => find("settings").showModal());
  for (const dialog of document.querySelectorAll("dialog")) {
    // A text that is marked with the mouse may end outside.
    let pressed = null;
    dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
    dialog.addEventListener("click", ({ target }) => target === dialog && pressed === dialog && dialog.close());
  }
};

// Shows changes of the game and its analysis, and tells them to screen readers.
const wireParts = () => {
  const render = () => screen.show();
  view.addEventListener("told", ({ detail: { text } }) => notices.announce(text));
  for (const type of ["forbidden", "careful"]) {
    view.addEventListener(type, ({ detail: { message } }) => {
      if (message) notices.announce(message);
      notices.show(message, true);
    });
  }
  showPointed(find, session, view);
  const go = ({ detail: { position } }) =>
    position !== session.current && session.go(position, position.parent === session.current);
  chart.addEventListener("go", go);
  moveList.addEventListener("go", go);
  analyst.addEventListener("update", () => {
    if (editor.active) return;
    screen.showFindings();
    if (!analyst.busy) moveList.show(session, reviewer);
  });
  let announced = null;
  reviewer.addEventListener("update", () => {
    // While it goes on, only the bar has changed.
    if (reviewer.progress?.done) return showReview(find, session, reviewer, ahead);
    render();
    const { review } = reviewer;
    if (review && review !== announced) notices.announce(summary(review));
    announced = review;
  });
  session.addEventListener("change", render);
  // Replaces the announcement of the last game.
  session.addEventListener("begun", () => {
    const { title, text } = status(session);
    notices.announce([sentence(title), text].filter(Boolean).join(" "));
  });
  for (const type of ["begun", "moved"]) session.addEventListener(type, () => notices.show(null));
  session.addEventListener("moved", ({ detail: { position } }) => notices.announce(told(session, position)));
  session.addEventListener("over", () => {
    if (session.tip.ply > 0) opener.keep();
    if (session.ended) notices.announce(ending(session, session.ended));
  });
  for (const one of [session, shared, analyst, reviewer, retry])
    one.addEventListener("failed", ({ detail: { message } }) => notices.show(sentence(message), true));
  opener.addEventListener("failed", ({ detail }) => notices.report(detail));
  // The last game stays on the board; the notice stays until it goes on, or another one begins.
  addressBar.addEventListener("failed", ({ detail: { message } }) => notices.show(message));
  opener.addEventListener("opened", () => home.close());
  home.addEventListener("opened", () => (document.title = "hexzero"));
  home.addEventListener("closed", () => {
    home.note(null);
    render();
  });
  preferences.addEventListener("change", render);
  for (const one of [openings, ahead]) one.addEventListener("update", () => session.tree && !editor.active && screen.showFindings());
  editor.addEventListener("change", render);
  editor.addEventListener("told", ({ detail: { text } }) => notices.announce(text));
  new ResizeObserver(render).observe(find("table"));
};

const keepGame = () => session.tree && keepHere("game", session);

wireButtons();
wireParts();
useKeys(find, parts, { tell, choose, openGames });
find("version").textContent = `hexzero ${about.version}`;
if (about.run) follow(find, about.run);
setInterval(() => {
  if (!session.tree) return;
  session.checkClock();
  showClocks(find("players"), session);
  showThinking(find, session);
}, CLOCK_STEP);
session.addEventListener("change", keepGame);
addEventListener("pagehide", keepGame);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) keepGame();
  analyst.follow();
});

// The first visit begins at home, unless an address or the server's user asks for a game.
const isFirstVisit = !recall("visited", false) && location.hash.length < 2 && !about.asked_for && !keptGame(about);
keep("visited", true);
if (location.hash === HOME || isFirstVisit) home.open({ takesFocus: false });
new Arrival(find, about, parts, isEngineHere).follow();
// It keeps the files, so that the page opens without a network.
if (server.isSite() && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", () => connection.keepFiles());
  navigator.serviceWorker.register("service_worker.js").catch(() => null);
}
