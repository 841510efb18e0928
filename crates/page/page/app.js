// Brings the parts of the page together.

import { Board } from "./board/board.js";
import { BoardView } from "./board/boardView.js";
import { Editor } from "./board/editor.js";
import { find } from "./board_ui/elements.js";
import { sentence } from "./board_ui/text.js";
import { Comments } from "./dialogs/annotations.js";
import { GamesDialog } from "./dialogs/gamesDialog.js";
import { showLesson } from "./dialogs/lesson.js";
import { NewGame } from "./dialogs/newGame.js";
import { Preferences } from "./dialogs/preferences.js";
import { copyText, showLinks } from "./dialogs/sharing.js";
import { tabEngine } from "./engine/tab.js";
import { addressForFriend } from "./game/address.js";
import { Analyst } from "./game/analyst.js";
import { withHandicap } from "./game/games.js";
import { GameOpener } from "./game/openGame.js";
import { Openings } from "./game/openings.js";
import { Retry } from "./game/retry.js";
import { Reviewer } from "./game/reviewer.js";
import { Session } from "./game/session.js";
import { SharedBoard } from "./game/shared.js";
import { WhatIf } from "./game/states.js";
import { keep, keepHere, recall } from "./game/storage.js";
import { ADDRESS as HOME, Home } from "./home_screen/home.js";
import { learntNetwork } from "./learn/learnt.js";
import { Lessons } from "./lessons/lessons.js";
import { bindKeeping } from "./own_play/backup.js";
import * as mistakes from "./own_play/mistakes.js";
import * as reviews from "./own_play/reviews.js";
import { Chart } from "./panels/chart.js";
import { Offers, confirmOnSecondPress } from "./panels/controls.js";
import { MoveList } from "./panels/moveList.js";
import { Notices, Sounds, showTrainingRun } from "./panels/notices.js";
import { showClocks, showPointed, showThinking } from "./panels/panel.js";
import { showReview, summary } from "./panels/reviewPanel.js";
import { Puzzles } from "./puzzles/puzzles.js";
import { Connection, isRequestError } from "./server/connection.js";
import * as server from "./server/resources.js";
import { Layouts } from "./server/resources.js";
import { AddressBar } from "./shell/addressBar.js";
import { useKeys } from "./shell/keyboard.js";
import { screenOf } from "./shell/screen.js";
import { firstAbout, keptGame, startUp } from "./shell/startup.js";
import { spokenAction } from "./text/moves.js";
import { buttons, ending, moveAnnouncement, positionText } from "./text/sentences.js";
import { status } from "./text/status.js";

const CLOCK_INTERVAL_MS = 100;

const notices = new Notices();
const about = await firstAbout(notices);
const preferences = new Preferences();
// A network that learnt in this browser plays here.
const learnt = learntNetwork(location.search);
const isEngineHere = server.isSite() || Boolean(learnt) || (about.tab && preferences.get("engine") === "tab");
// The engine in the tab has no shared boards.
if (isEngineHere) about.shares = false;
const connection = isEngineHere ? tabEngine().start(about, learnt) : new Connection();
const layouts = new Layouts();
const session = new Session(connection, about, layouts);
const shared = new SharedBoard(connection, about, session);
const analyst = new Analyst(connection, session);
const reviewer = new Reviewer(connection, session);
const whatIf = new WhatIf(session);
const retry = new Retry(connection, session, reviewer);
const comments = new Comments(session);
const board = new Board(find("table"));
const chart = new Chart(find("chart"));
const moveList = new MoveList(find("moves"));
const offers = new Offers(find("offers"));
const openings = new Openings(session);
const editor = new Editor(about);
const view = new BoardView(board, find("table"), session, { analyst, reviewer, whatIf, openings, editor }, preferences);
const opener = new GameOpener(about, session, layouts, editor);
const lessons = new Lessons(about, session, () => opener.leave());
const open = (record) => opener.open(record);
preferences.bind(about.tab);
bindKeeping();
new Sounds(session, preferences);

const hint = async () => {
  const position = session.current;
  find("hint").classList.add("waiting");
  const move = await analyst.hint();
  find("hint").classList.remove("waiting");
  if (!move || position !== session.current) return;
  view.hint(move);
  notices.announce(`Hint: ${spokenAction(session, move)}`);
  const button = buttons(session.game, position.state).find((one) => one.move === move);
  notices.show(`Hint: ${button ? button.label : spokenAction(session, move)}.`, true, "hint");
  session.addEventListener("change", () => notices.show(null), { once: true });
};

// Shares the friend's link through the share sheet of a telephone, or copies it to the clipboard.
const send = async () => {
  const url = location.origin + location.pathname + addressForFriend(session);
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await copyText(url, document.body);
    notices.show("Link copied: send it to your friend.", true, "hint");
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
  about,
  async ({ handicap, toShare, ...setup }, fromHere) => {
    const layoutOf = (game, size) => layouts.get(game, size);
    if (fromHere) await opener.beginFromHere(setup);
    else await opener.begin(await withHandicap(about, { ...setup, stones: null }, handicap, layoutOf));
    if (toShare) await shareBoard();
  },
  (setup) => opener.setUp(setup).catch((error) => notices.report(error)),
);

// The last thing asked for on the home screen while the engine was loading.
let pending = null;
const whenReady =
  (act) =>
  (...asked) => {
    if (session.tree) return act(...asked);
    home.showNote(connection.obstacle ?? "One moment: the engine is loading.");
    pending = () => act(...asked);
  };
session.addEventListener("change", () => {
  if (!pending) return;
  const act = pending;
  pending = null;
  home.showNote(null);
  act();
});

const choose = whenReady((id) => newGame.open(session, id));

// Poses the next puzzle of a game.
const startPuzzle = whenReady(async (game) => {
  const tell = (text) => (home.isOpen ? home.showNote(text) : notices.show(text, true));
  try {
    if (!(await puzzles.start(game))) return tell("No puzzles are left here for now. Those that you missed come back later.");
    home.close();
    screen.analyse(false);
  } catch (error) {
    if (!isRequestError(error)) throw error;
    tell(sentence(error.message));
  }
});

const puzzles = new Puzzles(about, session, retry, () => opener.leave());
const home = new Home(about, session, layouts, puzzles, { choose, open, startPuzzle });
const games = new GamesDialog(about, session, open);
const openGames = whenReady(() => games.open());

// Puts a step of a game's lesson on the board. False if there is none.
const openLesson = async (game, number = 1) => {
  if (!(await lessons.start(game, number))) return false;
  home.close();
  screen.analyse(false);
  return true;
};
const startLesson = whenReady((game) => openLesson(game).catch((error) => notices.report(error)));

const showAnswer = () => {
  const move = lessons.answer;
  if (!move) return notices.show("Any move will do.", true, "hint");
  view.hint(move);
  notices.announce(`The move is ${spokenAction(session, move)}.`);
};

// Goes on with the game that the lesson has interrupted, or asks for a new one.
const playAfterLesson = () => (lessons.left ? opener.begin(lessons.left) : newGame.open(session));

// Shows how a game is played, with all pictures, so that nothing moves when they come.
const howToPlay = async () => {
  const { game } = session;
  find("lesson-title").textContent = `How to play ${game.title}`;
  try {
    await showLesson(find("lesson-body"), game, layouts, lessons.has(game) ? () => startLesson(game.id) : null);
  } catch (error) {
    return notices.report(error);
  }
  if (!document.querySelector("dialog[open]")) find("lesson").showModal();
};

const tellPosition = () => !editor.active && notices.tellAgain(positionText(session));

const addressBar = new AddressBar(about, session, home, {
  open,
  openLesson,
  openShared: (token) => shared.open(token, () => opener.leave()),
});
const parts = {
  about, connection, session, analyst, reviewer, whatIf, retry, comments, board, view, chart, moveList, offers, openings, editor,
  opener, home, preferences, notices, addressBar, lessons,
};
const screen = screenOf(parts, {
  press: (button) => view.press(button),
  newGame: () => newGame.open(session),
  // Turns off the analysis of the last game: this one is to be played.
  rematch: (level) => {
    screen.analyse(false);
    return opener.rematch(level);
  },
  // The engine plays the best move that it has found so far.
  moveNow: () => connection.stop(),
  nextPuzzle: () => startPuzzle(session.setup.puzzle.set ?? session.setup.game),
  showSolution: () => puzzles.show(),
  review: () => reviewer.start(),
  practise: () => startPuzzle(mistakes.MISTAKES),
  startLesson: () => startLesson(session.setup.game),
  nextStep: () => lessons.next().catch((error) => notices.report(error)),
  repeatStep: () => lessons.again(),
  showAnswer,
  playAfterLesson,
  send,
  act: (action) => shared.act(action),
  links: () => showLinks(find("share-dialog"), session),
});

const wireButtons = () => {
  const press = (id, action) => find(id).addEventListener("click", action);
  press("undo", () => session.history.undo());
  press("hint", hint);
  press("redo", () => session.history.redo());
  confirmOnSecondPress(find("resign"), () => session.resign());
  press("raise", () => session.history.promote());
  const cancelDelete = confirmOnSecondPress(find("delete"), () => session.history.remove());
  session.addEventListener("change", cancelDelete);
  press("first", () => session.go(session.tree.root));
  press("back", () => session.back());
  press("forward", () => session.forward());
  press("last", () => session.go(session.current.line().at(-1)));
  press("stop-review", () => reviewer.stop());
  const toMistake = (position) => position && session.go(position);
  press("next-mistake", () => toMistake(reviewer.next()));
  press("previous-mistake", () => toMistake(reviewer.previous()));
  press("try-again", () => (session.retrying ? retry.tryAgain() : retry.start(session.current)));
  press("show-better", () => {
    const { from, was } = session.retrying ?? { from: session.current.parent, was: reviewer.reviewOf(session.current) };
    session.retrying = null;
    session.addLine(from, was.line);
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
  press("tell", tellPosition);
  find("share-board").hidden = !about.shares;
  press("share-board", () => {
    find("games").close();
    shareBoard();
  });
  press("open-new", () => choose());
  press("open-games", openGames);
  press("open-lesson", howToPlay);
  press("open-settings", () => find("settings").showModal());
  for (const dialog of document.querySelectorAll("dialog")) {
    // Games may have been kept or deleted in it.
    dialog.addEventListener("close", () => (home.isOpen ? home.refresh() : screen.show()));
    // A selection of text may begin inside and end outside.
    let pressed = null;
    dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
    dialog.addEventListener("click", ({ target }) => target === dialog && pressed === dialog && dialog.close());
  }
};

// Shows changes of the game and its analysis, and tells them to screen readers.
const wireParts = () => {
  const render = () => screen.show();
  for (const one of [view, view.input, editor]) one.addEventListener("announce", ({ detail: { text } }) => notices.announce(text));
  view.input.addEventListener("prompt", ({ detail: { message } }) => session.setup.lesson || notices.show(message, false, "hint"));
  for (const type of ["forbidden", "touchAgain"]) {
    view.input.addEventListener(type, ({ detail: { message } }) => {
      if (message) notices.announce(message);
      notices.show(message, true);
    });
  }
  showPointed(session, view);
  const go = ({ detail: { position } }) => position !== session.current && session.go(position, position.parent === session.current);
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
    if (reviewer.progress?.done) return showReview(session, reviewer, whatIf);
    const { review } = reviewer;
    if (review && review !== announced) {
      notices.announce(summary(review));
      mistakes.note(session, reviewer);
      reviews.note(session, review);
    }
    announced = review;
    render();
  });
  session.addEventListener("change", render);
  // Replaces the announcement of the last game.
  session.addEventListener("begun", () => {
    announced = reviewer.review;
    const { title, text } = status(session);
    notices.announce([sentence(title), text].filter(Boolean).join(" "));
    const { lesson } = session.setup;
    if (lesson?.show) view.hint(lessons.answer);
    // After stepping through a lesson by keyboard, the keys move on the board.
    if (lesson && document.activeElement.matches("#offers :focus-visible")) board.focus();
  });
  lessons.addEventListener("judged", () => {
    const { title, text } = status(session);
    notices.announce([moveAnnouncement(session, session.current), sentence(title), text].join(" "));
    if (document.activeElement.matches(".table .cell:focus-visible")) find("offers").querySelector(".primary")?.focus();
  });
  for (const type of ["begun", "moved"]) session.addEventListener(type, () => notices.show(null));
  session.addEventListener("moved", ({ detail: { position } }) => notices.announce(moveAnnouncement(session, position)));
  session.addEventListener("over", () => {
    if (session.tip.ply > 0) opener.keep();
    if (session.ended) notices.announce(ending(session, session.ended));
  });
  for (const one of [session, shared, opener]) one.addEventListener("failed", ({ detail }) => notices.report(detail));
  // The last game stays on the board; the notice stays until it goes on, or another one begins.
  addressBar.addEventListener("failed", ({ detail: { message } }) => notices.show(message));
  opener.addEventListener("opened", () => home.close());
  home.addEventListener("opened", () => (document.title = "hexzero"));
  home.addEventListener("closed", () => {
    home.showNote(null);
    render();
  });
  preferences.addEventListener("change", render);
  for (const one of [openings, whatIf]) one.addEventListener("update", () => session.tree && !editor.active && screen.showFindings());
  editor.addEventListener("change", render);
  new ResizeObserver(render).observe(find("table"));
};

const keepGame = () => session.tree && keepHere("game", session);

wireButtons();
wireParts();
useKeys(parts, { tellPosition, choose, openGames });
window.isWired = true;
if (window.earlyClick) whenReady(() => find(window.earlyClick).click())();
find("version").textContent = `hexzero ${about.version}`;
if (about.run) showTrainingRun(about.run);
find("to-learn").hidden = !about.learns;
setInterval(() => {
  if (!session.tree) return;
  session.checkClock();
  showClocks(find("players"), session);
  showThinking(session);
}, CLOCK_INTERVAL_MS);
session.addEventListener("change", keepGame);
addEventListener("pagehide", keepGame);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) keepGame();
  analyst.follow();
});

// The first visit begins at home, unless an address or the server's user asks for a game.
const isFirstVisit = !recall("visited", false) && !learnt && location.hash.length < 2 && !about.asked_for && !keptGame(about);
keep("visited", true);
if (location.hash === HOME || isFirstVisit) home.open({ takesFocus: false });
startUp(about, parts, isEngineHere, learnt);
// The service worker keeps the files, so that the page opens without a network.
if (server.isSite() && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", () => connection.keepFiles());
  navigator.serviceWorker.register("service_worker.js").catch(() => null);
}
