// Brings the parts of the page together.

import { Board } from "./board/board.js";
import { BoardView } from "./board/board_view.js";
import { Editor } from "./board/editor.js";
import { Sounds } from "./board/sounds.js";
import { counted, sentence } from "./board_ui/text.js";
import { Comments } from "./dialogs/comments.js";
import { GamesDialog } from "./dialogs/games_dialog.js";
import { describe, listen } from "./dialogs/keys.js";
import { showLinks } from "./dialogs/share_board.js";
import { copyText } from "./dialogs/sharing.js";
import { teach } from "./dialogs/lesson.js";
import { NewGame, firstGame } from "./dialogs/new_game.js";
import { Preferences } from "./dialogs/preferences.js";
import { Analyst } from "./game/analyst.js";
import { mainLine } from "./game/branches.js";
import { gameOf, seatNames } from "./game/games.js";
import { addressForFriend, isWithFriend, rolesOf } from "./game/friend.js";
import { Layouts } from "./game/layouts.js";
import { keep, keepHere, recall, recallHere } from "./game/memory.js";
import { Openings } from "./game/openings.js";
import { ADDRESS as HOME, Home } from "./home_screen/home.js";
import { ofSession } from "./game/records.js";
import { handicapStones, withHandicap } from "./game/handicap.js";
import { SharedBoard, tokenOf } from "./game/shared.js";
import { Retry } from "./game/retry.js";
import { Reviewer } from "./game/reviewer.js";
import { PERSON, Session } from "./game/session.js";
import { addressOf, gameOfAddress } from "./game/address.js";
import * as shelf from "./game/shelf.js";
import { Chart } from "./panels/chart.js";
import { MoveList } from "./panels/move_list.js";
import { Offers } from "./panels/offers.js";
import { showAnalysis, showClocks, showEditor, showPlayers, showStatus, showThinking } from "./panels/panel.js";
import { showReview, summary } from "./panels/review_panel.js";
import { atSecondPress } from "./panels/second_press.js";
import { follow } from "./panels/training_run.js";
import { theTab } from "./engine/tab.js";
import { connect } from "./server/connection.js";
import { Puzzles } from "./puzzles/puzzles.js";
import { Lost, Refused } from "./server/errors.js";
import * as server from "./server/resources.js";
import { positionText } from "./text/position.js";
import { buttons, ending, playing, told } from "./text/sentences.js";

const find = (id) => document.getElementById(id);

const CLOCK_STEP = 100;
const TRY_AGAIN = 2000;

// The state of the connection has a place of its own, which no other notice takes away.
const away = (text) => {
  for (const id of ["away", "home-away"]) {
    find(id).textContent = text ?? "";
    find(id).hidden = !text;
  }
};

const firstAbout = async () => {
  for (;;) {
    try {
      const about = await server.about();
      away(null);
      return about;
    } catch {
      away("The server cannot be reached. Trying again …");
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN));
    }
  }
};

const about = await firstAbout();
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
const retry = new Retry(connection, session, reviewer);
const comments = new Comments(find, session);
const board = new Board(find("table"));
const chart = new Chart(find("chart"));
const moveList = new MoveList(find("moves"));
const offers = new Offers(find("offers"));
const openings = new Openings(session);
const editor = new Editor(about);
const view = new BoardView(board, find("table"), session, { analyst, reviewer, openings, editor }, preferences);
preferences.bind(find, about.tab);
new Sounds(session, preferences);

const showControls = () => {
  const { current } = session;
  find("undo").disabled = !session.undoable;
  find("redo").disabled = !session.redoable;
  find("hint").disabled = !session.yours || session.occupied || !connection.ready || Boolean(session.setup.puzzle);
  // A link cannot carry a resignation.
  find("resign").disabled = !session.resigner || (isWithFriend(session) && !session.setup.shared);
  find("first").disabled = find("back").disabled = current.ply === 0;
  find("last").disabled = find("forward").disabled = !current.next();
  const { puzzle } = session.setup;
  const isFixed = puzzle || session.setup.shared;
  find("delete").disabled = current.ply === 0 || Boolean(isFixed && current.isWithin(session.tip));
  // Where an engine plays, "Play on from here" does it.
  find("raise").hidden = !session.alone || Boolean(puzzle);
  find("raise").disabled = session.tree.isMain(current);
  const { game, setup } = session;
  comments.show();
  find("playing").textContent = playing(game, setup.size);
};

const showFindings = () => {
  const isReviewed = Boolean(reviewer.progress || reviewer.review);
  openings.follow();
  const isMapped = openings.applies && preferences.get("openings");
  find("openings-toggle").hidden = !openings.applies;
  find("openings-note").hidden = !isMapped;
  find("openings-note").textContent = isMapped ? openings.words : "";
  find("findings").hidden = !analyst.on && !isReviewed && !isMapped;
  find("lines").hidden = find("on-board").hidden = !analyst.on;
  find("chances").hidden = !analyst.on;
  find("add-line").disabled = !session.current.analysis?.lines.length || Boolean(session.current.state.outcome);
  find("chart").hidden = !analyst.on && !isReviewed;
  showReview(find, session, reviewer);
  find("analyse").disabled = false;
  find("analyse").setAttribute("aria-checked", String(analyst.on));
  session.analysing = analyst.on;
  if (analyst.on || isReviewed) {
    showAnalysis(find, session, analyst);
    chart.show(session, reviewer.mistakes);
  }
  if (!analyst.on) find("searched").textContent = "";
  view.showMarks();
};

const analyse = (on) => {
  analyst.turn(on);
  keep("analysing", on);
  render();
};

// While a position is being set up, nothing can be done with the game but to look through its moves.
const edit = () => {
  showEditor(find, offers, editor);
  for (const id of ["undo", "redo", "raise", "delete", "hint", "resign", "first", "back", "forward", "last", "analyse"]) find(id).disabled = true;
  find("findings").hidden = find("openings-toggle").hidden = true;
  find("searched").textContent = "";
  const { game, setup } = editor;
  find("playing").textContent = playing(game, setup.size);
};

const render = () => {
  if (!session.tree) return;
  view.show();
  if (editor.active) return edit();
  showPlayers(find("players"), session);
  showStatus(find, offers, session, {
    press: (button) => view.press(button),
    newGame: () => newGame.open(session),
    rematch,
    nextPuzzle: () => pose(session.setup.game),
    showSolution: () => puzzles.show(),
    review: () => reviewer.start(),
    lesson,
    send,
    act: (deed) => shared.act(deed),
    links: () => showLinks(find("share-dialog"), session),
    isReviewable: reviewer.isOpen && connection.ready && !session.setup.puzzle,
    isNew: session.current.ply === 0 && shelf.isEmpty(),
  });
  if (!home.isOpen) document.title = `${find("title").textContent} · hexzero`;
  showControls();
  moveList.show(session, reviewer);
  reviewer.follow();
  analyst.follow();
  showFindings();
  document.documentElement.classList.remove("unready");
};

const notice = (text, passing = false) => {
  clearTimeout(notice.timer);
  find("notice").textContent = text ?? "";
  find("notice").hidden = !text;
  if (passing) notice.timer = setTimeout(() => notice(null), 6000);
};

const announce = (text) => (find("told").textContent = text);

const report = (error) => notice(error.message, true);

const hint = async () => {
  if (find("hint").disabled) return;
  const position = session.current;
  find("hint").classList.add("waiting");
  const move = await analyst.hint();
  find("hint").classList.remove("waiting");
  if (!move || position !== session.current) return;
  view.hint(move);
  announce(`Hint: ${move}`);
  const button = buttons(session.game, position.state).find((one) => one.move === move);
  notice(button ? `Hint: ${button.label}.` : null, true);
};

// Gives the link for the friend to what shares on a telephone, or to the clipboard.
const send = async () => {
  const url = location.origin + location.pathname + addressForFriend(session);
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return await navigator.share({ url });
    await copyText(url, document.body);
    notice("The link is on the clipboard: send it to your friend.", true);
  } catch (error) {
    if (error.name !== "AbortError") report(error);
  }
};

// Shares the game on the board, and shows the links of the players.
const shareBoard = async () => {
  try {
    if (await shared.share(leave)) showLinks(find("share-dialog"), session);
  } catch (error) {
    report(error);
  }
};

// A game that is left is kept, finished or not; a position that was being set up is not.
const leave = () => {
  editor.active = false;
  if (session.tree?.root.children.length && !session.setup.puzzle) shelf.put([ofSession(session)]);
};

const begin = (setup, { moves = [], beforeOpen = leave } = {}) =>
  session.begin(setup, { moves, beforeOpen }).then((isOpen) => {
    if (isOpen) home.close();
    if (isOpen && session.watching) session.setRunning(true);
  }, report);

// The same game again, with the sides exchanged, and perhaps another level.
const rematch = (level = session.setup.level) => {
  const { setup, players } = session;
  const [first, second] = players;
  // With a handicap, who needs it keeps the seat.
  const exchanged = (of) => (of && !handicapStones(setup) ? { [first]: of[second], [second]: of[first] } : of);
  const { roles, levels, labels } = setup;
  const names = labels?.players && { players: exchanged(labels.players) };
  return begin({ ...setup, roles: exchanged(roles), levels: exchanged(levels), labels: names, level });
};

// Sets the first position of a game up: from what is on the board, if it is the same one.
const setUp = async ({ handicap, toShare, ...setup }) => {
  const { game, size } = session.setup;
  const isSame = setup.game === game && setup.size === size;
  session.setRunning(false);
  const layout = await layouts.of(setup.game, setup.size);
  home.close();
  editor.start(setup, layout, isSame ? session.current.state : null, begin);
};

const newGame = new NewGame(
  find,
  about,
  async ({ handicap, toShare, ...setup }, fromHere) => {
    if (!fromHere) {
      const layoutOf = (game, size) => layouts.of(game, size);
      await begin(await withHandicap(about, { ...setup, stones: null }, handicap, layoutOf));
      if (toShare) await shareBoard();
      return;
    }
    const { current, exploring } = session;
    // A game of which nothing is lost is not left.
    const goesOn = !exploring && isBare();
    const beforeOpen = goesOn ? () => (editor.active = false) : leave;
    await begin({ ...setup, stones: session.setup.stones }, { moves: current.moves(), beforeOpen });
    if (toShare) await shareBoard();
  },
  (setup) => setUp(setup).catch(report),
);

// True if the game up to the position that is shown is all that there is.
const isBare = () => {
  const { current, setup } = session;
  const isPlain = (at) => !at.comment && !at.marks && at.children.length === (at === current ? 0 : 1);
  const { name, date, players = {} } = setup.labels ?? {};
  return !name && !date && !Object.keys(players).length && current.path().every(isPlain);
};

const startsWith = (moves, others) => others.every((move, i) => moves[i] === move);

const open = async (record) => {
  const { game, size, stones = null, tree, plies, current = null, resigned = null, on_time: onTime = false, seat = null } = record;
  const players = seatNames(gameOf(about, game));
  const roles = seat ? rolesOf(players, seat) : Object.fromEntries(players.map((player) => [player, PERSON]));
  const { level, effort } = session.setup ?? firstGame(about);
  const labels = { name: record.name, players: record.players, date: record.date };
  const setup = { game, size, stones, roles, level, effort, clock: null, opened: !seat, labels };
  // A friend's answer goes on with the game on the board, which need not be kept.
  const isSame = session.setup?.game === game && session.setup.size === size;
  const isAnswer =
    seat && isSame && isWithFriend(session) && isBare() && startsWith(current ?? mainLine(tree), session.tip.moves());
  const beforeOpen = isAnswer ? () => (editor.active = false) : leave;
  const isOpen = await session.openTree(setup, tree, { current, plies, beforeOpen });
  if (isOpen) home.close();
  if (isOpen && players.includes(resigned)) session.given(resigned, onTime ? "time" : "resignation");
};

// What was asked for at home before the engine was there. It waits, and takes the place of what was asked for earlier.
let pending = null;
const whenReady =
  (act) =>
  (...asked) => {
    if (session.tree) return act(...asked);
    home.note(connection.obstacle ?? "One moment: the engine is loading.");
    pending = () => act(...asked);
  };

const choose = whenReady((id) => newGame.open(session, id));

// Poses the next puzzle of a game.
const pose = whenReady(async (game) => {
  try {
    if (await puzzles.start(game)) {
      home.close();
      analyse(false);
    } else {
      const said = "No puzzle of this game is due now. Those you failed come again later.";
      if (home.isOpen) home.note(said);
      else notice(said, true);
    }
  } catch (error) {
    if (!(error instanceof Lost || error instanceof Refused)) throw error;
    if (home.isOpen) home.note(error.message);
    else report(error);
  }
});

const puzzles = new Puzzles(about, session, retry, leave);
const home = new Home(find, about, session, layouts, puzzles, { choose, open, pose });
home.addEventListener("opened", () => {
  document.title = "hexzero";
  history.replaceState(null, "", HOME);
});
home.addEventListener("closed", () => {
  home.note(null);
  if (!session.tree) return;
  showAddress();
  render();
});
session.addEventListener("change", () => {
  if (!pending) return;
  const act = pending;
  pending = null;
  home.note(null);
  act();
});

const games = new GamesDialog(find, about, session, open);
const openGames = whenReady(() => games.open());

// It opens with all its pictures, so that nothing moves when they come.
const lesson = async () => {
  find("lesson-title").textContent = `How to play ${session.game.title}`;
  try {
    await teach(find("lesson-body"), session.game, layouts);
  } catch (error) {
    return report(error);
  }
  if (!document.querySelector("dialog[open]")) find("lesson").showModal();
};

const toMistake = (position) => position && session.go(position);

// The same text again is told again only if something else was there.
const tell = () => {
  if (editor.active) return;
  announce("");
  setTimeout(() => announce(positionText(session)));
};

const pressOnly = () => {
  const open = buttons(session.game, session.current.state);
  if (open.length === 1) view.press(open[0].index);
};

const actions = [
  [["ArrowLeft", ","], "one move back", () => session.back()],
  [["ArrowRight", "."], "one move forward", () => session.forward()],
  [["Home"], "to the start", () => session.go(session.tree.root)],
  [["End"], "to the end", () => session.go(session.current.line().at(-1))],
  [["u"], "undo", () => find("undo").click()],
  [["y"], "redo", () => find("redo").click()],
  [["s"], "swap or pass, where that is the only button", pressOnly],
  [["Escape"], "take back a pick", () => view.back()],
  [["h"], "hint", hint],
  [["a"], "analysis on or off", () => find("analyse").click()],
  [["p"], "policy on or off", () => find("show-policy").click()],
  [["e"], "expected end on or off", () => find("show-forecast").click()],
  [["m"], "opening map on or off", () => find("show-openings").click()],
  [["r"], "turn the board", () => preferences.turnBoard()],
  [["f"], "mirror the board", () => preferences.mirrorBoard()],
  [["b"], "to the board", () => board.focus()],
  [["t"], "tell the position to a screen reader", tell],
  [["c"], "comment", () => comments.open()],
  [["g"], "games", () => openGames()],
  [["n"], "new game", () => choose()],
  [["0"], "home: all games", () => home.toggle()],
  [["?"], "settings and keys", () => find("settings").showModal()],
];

const wire = () => {
  const press = (id, action) => find(id).addEventListener("click", action);
  press("undo", () => session.undo());
  press("hint", hint);
  press("redo", () => session.redo());
  atSecondPress(find("resign"), () => session.resign());
  press("raise", () => session.promote());
  const keepMoves = atSecondPress(find("delete"), () => session.remove());
  session.addEventListener("change", keepMoves);
  press("first", () => session.go(session.tree.root));
  press("back", () => session.back());
  press("forward", () => session.forward());
  press("last", () => session.go(session.current.line().at(-1)));
  press("stop-review", () => reviewer.stop());
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
  press("analyse", () => analyse(!analyst.on));
  press("tell", tell);
  find("share-board").hidden = !about.shares;
  press("share-board", () => {
    find("games").close();
    shareBoard();
  });
  press("open-new", () => choose());
  press("open-games", () => openGames());
  press("open-lesson", lesson);
  press("open-settings", () => find("settings").showModal());
  for (const dialog of document.querySelectorAll("dialog")) {
    // A text that is marked with the mouse may end outside.
    let pressed = null;
    dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
    dialog.addEventListener("click", ({ target }) => target === dialog && pressed === dialog && dialog.close());
  }

  view.addEventListener("told", ({ detail: { text } }) => announce(text));
  view.addEventListener("forbidden", ({ detail: { message } }) => {
    announce(message);
    notice(message, true);
  });
  const lines = find("lines");
  for (const [over, out] of [
    ["pointerover", "pointerleave"],
    ["focusin", "focusout"],
  ]) {
    lines.addEventListener(over, (event) => view.point(event.target.closest(".line")?.dataset.move ?? null));
    lines.addEventListener(out, () => view.point(null));
  }
  // A finger cannot hover: it shows a line first, and plays it when it comes again.
  let shownBefore = null;
  lines.addEventListener("pointerdown", () => (shownBefore = view.pointed));
  lines.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (!line) return;
    if (event.pointerType === "touch" && shownBefore !== line.dataset.move) view.point(line.dataset.move);
    else session.play(line.dataset.move);
  });
  for (const [type, shows] of [
    ["pointerover", true],
    ["focusin", true],
    ["pointerout", false],
    ["focusout", false],
  ]) {
    find("offers").addEventListener(type, (event) => {
      const button = event.target.closest("[data-move]");
      if (button) view.preview(shows ? button.dataset.move : null);
    });
  }

  const go = ({ detail: { position } }) =>
    position !== session.current && session.go(position, position.parent === session.current);
  chart.addEventListener("go", go);
  moveList.addEventListener("go", go);
  press("add-line", () => {
    const { current } = session;
    const { lines } = current.analysis;
    const line = lines.find(({ move }) => move === view.pointed) ?? lines[0];
    session.addLine(current, line.variation);
  });
  analyst.addEventListener("update", () => {
    if (editor.active) return;
    showFindings();
    if (!analyst.busy) moveList.show(session, reviewer);
  });
  let announced = null;
  reviewer.addEventListener("update", () => {
    // While it goes on, only the bar has changed.
    if (reviewer.progress?.done) return showReview(find, session, reviewer);
    render();
    const { review } = reviewer;
    if (review && review !== announced) announce(summary(review));
    announced = review;
  });
  session.addEventListener("change", render);
  session.addEventListener("moved", ({ detail: { position } }) => announce(told(session, position)));
  session.addEventListener("over", () => {
    if (session.tip.ply > 0 && !session.setup.puzzle) shelf.put([ofSession(session)]);
    if (session.ended) announce(ending(session, session.ended));
  });
  for (const one of [session, shared, analyst, reviewer, retry])
    one.addEventListener("failed", ({ detail: { message } }) => notice(sentence(message), true));
  preferences.addEventListener("change", render);
  openings.addEventListener("update", () => session.tree && !editor.active && showFindings());
  editor.addEventListener("change", render);
  editor.addEventListener("told", ({ detail: { text } }) => announce(text));
  new ResizeObserver(() => session.tree && render()).observe(find("table"));

  const atHome = actions.filter(([[key]]) => ["g", "n", "0", "?"].includes(key));
  listen(() => (home.isOpen ? atHome : actions), () => preferences.get("letterKeys"));
  describe(find("keys"), actions);
  find("version").textContent = `hexzero ${about.version}`;
  if (about.run) follow(find, about.run);

  setInterval(() => {
    if (!session.tree) return;
    session.checkClock();
    showClocks(find("players"), session);
    showThinking(find, session);
  }, CLOCK_STEP);

  const keepGame = () => session.tree && keepHere("game", session);
  session.addEventListener("change", keepGame);
  session.addEventListener("change", showAddress);
  addEventListener("hashchange", followAddress);
  addEventListener("pagehide", keepGame);
  document.addEventListener("visibilitychange", () => (document.hidden ? keepGame() : analyst.follow()));
};

let wasThere = false;

// The first connection puts a game on the board; later ones go on with it.
// The game to go on with, or null. If the server was asked for a game, it is one of that.
const keptGame = () => {
  const latest = recallHere("game", null);
  const [{ id }] = about.games;
  if (!latest?.setup?.roles) return null;
  if (!about.asked_for || latest.setup.game === id) return latest;
  keep(`game of ${latest.setup.game}`, latest);
  return recall(`game of ${id}`, null);
};

// The address is that of the position.
const showAddress = () => {
  if (session.tree && !home.isOpen && location.hash !== addressOf(session)) history.replaceState(null, "", addressOf(session));
};

// Opens the game of an address that somebody has followed or typed. False if there is none in it.
const openAddress = async () => {
  const asked = location.hash;
  if (asked === HOME) {
    home.open();
    return false;
  }
  home.close();
  // Where one comes back from the home screen, the game is the one that was left.
  if (session.tree && asked === addressOf(session)) return false;
  try {
    const token = tokenOf(asked);
    if (token) return await shared.open(token, leave);
    const game = gameOfAddress(asked, about);
    if (game) await open(game);
    return game !== null;
  } catch (error) {
    if (error instanceof Lost) throw error;
    notice(sentence(error.message.replace(/\.$/, "")), true);
    showAddress();
    return false;
  }
};

const followAddress = () =>
  openAddress().catch((error) => {
    if (!(error instanceof Lost)) throw error;
    report(error);
    showAddress();
  });

// Ignores a kept game that is damaged or that this server does not know.
const forgetUnlessLost = (error) => {
  if (error instanceof Lost) throw error;
};

const arrive = async () => {
  wasThere = true;
  away(null);
  if (isEngineHere) {
    const threads = counted(connection.threads, "thread", "threads");
    find("version").textContent = `hexzero ${about.version}, with ${threads} in this tab`;
  }
  if (session.tree) {
    session.reconnected();
    analyst.reconnected();
    return;
  }
  home.drawPictures();
  const kept = keptGame();
  analyst.on = recall("analysing", false);
  try {
    const asked = location.hash;
    if (kept) await session.restore(kept).catch(forgetUnlessLost);
    // A link to another game than the one that is kept.
    if (asked.length > 1 && asked !== HOME && (!session.tree || asked !== location.hash)) {
      history.replaceState(null, "", asked);
      if (await openAddress()) return;
    }
    if (session.tree) return;
  } catch (error) {
    if (error instanceof Lost) return;
    // A game that this server does not know, or a damaged one: a new one begins.
  }
  session.begin(firstGame(about)).catch(report);
};

// A browser does not tell why a first connection to a server failed.
const sayWhyNot = async () => {
  const text = await server.about().then(
    () => "The server takes no more visitors just now. Trying again …",
    () => "The server cannot be reached. Trying again …",
  );
  if (!wasThere) away(text);
};

wire();
// The first visit begins at home, unless an address or the server's user asks for a game.
const isFirstVisit = !recall("visited", false) && location.hash.length < 2 && !about.asked_for && !keptGame();
keep("visited", true);
if (location.hash === HOME || isFirstVisit) home.open({ takesFocus: false });
connection.addEventListener("open", arrive);
connection.addEventListener("lost", () => {
  if (isEngineHere) away(`${sentence(connection.fault)} Starting the engine again …`);
  else if (wasThere) away("The connection to the server was lost. Trying again …");
  else sayWhyNot();
  session.disconnected();
});
if (isEngineHere && connection.obstacle) away(connection.obstacle);
if (connection.ready) arrive();
// It keeps the files, so that the page opens without a network.
if (server.isSite() && navigator.serviceWorker) {
  navigator.serviceWorker.addEventListener("controllerchange", () => connection.keepFiles());
  navigator.serviceWorker.register("service_worker.js").catch(() => null);
}
