// Brings the parts of the page together.

import { Analyst } from "./analyst.js";
import { Board } from "./board.js";
import { Chart } from "./chart.js";
import { Connection, Lost } from "./connection.js";
import { GamesDialog } from "./games_dialog.js";
import { APOTHEM, Geometry, cellName } from "./geometry.js";
import { describe, listen } from "./keys.js";
import { teach } from "./lesson.js";
import * as marks from "./marks.js";
import { finishedGames, keep, keepFinished, recall } from "./memory.js";
import { MoveList } from "./move_list.js";
import { NewGame, firstGame } from "./new_game.js";
import { showAnalysis, showClocks, showPlayers, showStatus } from "./panel.js";
import { Preferences } from "./preferences.js";
import { ofSession } from "./records.js";
import { PERSON, Session } from "./session.js";
import { follow } from "./training_run.js";
import { capital, gameTitle, joins, told } from "./words.js";

const find = (id) => document.getElementById(id);

// Cells narrower than this, in pixels, are hit by mistake: a touch chooses, a second one plays.
const EASY_TO_HIT = 26;
// A standing board has larger cells on a tall screen, but takes more of its height: worth it where a lying one has small cells.
const SHARE_OF_HEIGHT = 0.66;
const LARGE_ENOUGH = 28;
const WORTH_IT = 1.1;
const CLOCK_STEP = 100;

const about = await (await fetch("/api/about")).json();
const connection = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/play`);
const session = new Session(connection, about);
const analyst = new Analyst(connection, session);
const preferences = new Preferences();
const board = new Board(find("table"));
const chart = new Chart(find("chart"));
const moveList = new MoveList(find("moves"));
preferences.bind(find);

// The line that is pointed at, the move that was hinted at, the cell that was touched once, and where a swap would place the stone.
let pointed = null;
let hinted = null;
let touched = null;
let swapped = null;

const side = () => session.side(session.current.state.to_move ?? session.players[0]);
const nameOf = (code) => session.players.find((player) => player[0].toUpperCase() === code) ?? null;
const owner = (code) => nameOf(code) && session.side(nameOf(code));

// The way of drawing that gives the larger cells.
const standing = () => {
  const wish = preferences.get("stand");
  if (wish !== "fit") return wish === "standing";
  const { clientWidth, clientHeight } = find("table");
  const height = matchMedia("(max-width: 899px)").matches ? innerHeight * SHARE_OF_HEIGHT : clientHeight;
  const width = (geometry) => 2 * APOTHEM * Math.min(clientWidth / geometry.box.width, height / geometry.box.height);
  const lying = width(new Geometry(session.setup.size));
  return lying < LARGE_ENOUGH && width(new Geometry(session.setup.size, true)) > WORTH_IT * lying;
};

const showMarks = () => {
  const { analysis, state } = session.current;
  const shown = [];
  if (analyst.on && analysis && !state.outcome) {
    if (preferences.get("forecast")) shown.push(...marks.forecast(board, analysis.board, (cell) => owner(state.board[cell])));
    const line = marks.candidates(analysis).find(({ move }) => move === pointed);
    if (preferences.get("policy") && !line) shown.push(...marks.policy(board, analysis, side()));
    if (line) shown.push(...marks.variation(board, line.variation, side()));
    else if (preferences.get("moves")) shown.push(...marks.labels(board, analysis));
  }
  if (hinted) shown.push(...marks.hint(board, hinted));
  if (swapped) shown.push(...marks.variation(board, [swapped], side()));
  board.mark(...shown);
};

const showBoard = () => {
  const { state } = session.current;
  document.documentElement.dataset.players = session.players.join("-");
  board.shape(session.setup.size, standing(), joins(session.game));
  board.show({ state, owner, name: nameOf, arrived: session.arrived, captors: state.player ? session.side(state.player) : "",
    playable: new Set(session.yours ? state.legal : []), mover: session.yours ? side() : null });
  session.arrived = false;
  board.measure();
};

const showControls = () => {
  const { current } = session;
  find("undo").disabled = !session.undoable;
  find("hint").disabled = !session.yours || session.thinking;
  find("resign").disabled = !session.resigner;
  find("first").disabled = find("back").disabled = current.ply === 0;
  find("last").disabled = find("forward").disabled = !current.next();
  const { game, size } = session.setup;
  find("playing").textContent = `${gameTitle(game)} ${size} × ${size}`;
};

const showFindings = () => {
  find("findings").hidden = !analyst.on;
  find("analyse").setAttribute("aria-checked", String(analyst.on));
  session.analysing = analyst.on;
  if (analyst.on) {
    showAnalysis(find, session, analyst);
    chart.show(session);
  } else {
    find("searched").textContent = "";
  }
  showMarks();
};

const analyse = (on) => {
  analyst.turn(on);
  keep("analysing", on);
  showFindings();
  moveList.show(session);
};

const render = () => {
  if (!session.tree) return;
  if (render.shown !== session.current) {
    render.shown = session.current;
    pointed = hinted = touched = swapped = null;
  }
  showBoard();
  board.choose(touched);
  showPlayers(find("players"), session);
  showStatus(find, session, { newGame: () => newGame.open(session), review: () => analyse(true), lesson, analysing: analyst.on, isNew: !finishedGames().length });
  document.title = `${find("title").textContent} · hexzero`;
  showControls();
  moveList.show(session);
  analyst.follow();
  showFindings();
};

const notice = (text, passing = false) => {
  clearTimeout(notice.timer);
  find("notice").textContent = text ?? "";
  find("notice").hidden = !text;
  if (passing) notice.timer = setTimeout(() => notice(null), 6000);
};

const announce = (text) => (find("told").textContent = text);

const say = (error) => notice(error.message, true);

const hint = async () => {
  if (find("hint").disabled) return;
  const position = session.current;
  find("hint").classList.add("waiting");
  const move = await analyst.hint();
  find("hint").classList.remove("waiting");
  if (!move || position !== session.current) return;
  hinted = move;
  announce(`Hint: ${move}`);
  notice(move === position.state.swap ? "Hint: swap." : null, true);
  showMarks();
};

// Shows what a swap would do, for as long as somebody points at its button.
const showSwap = async (shows) => {
  const position = session.current;
  const { swap } = position.state;
  if (!shows || !swap) {
    swapped = null;
    return showMarks();
  }
  try {
    const [state] = await session.states(session.setup, [...position.moves(), swap], position.ply + 1);
    if (position !== session.current) return;
    swapped = cellName([...state.board].findIndex((code) => code !== "."), session.setup.size);
    showMarks();
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
};

// Giving up takes two presses.
const resign = () => {
  const button = find("resign");
  const text = button.querySelector("span");
  const calm = () => {
    text.textContent = "Resign";
    button.classList.remove("sure");
  };
  if (button.classList.contains("sure")) {
    calm();
    session.resign();
  } else {
    text.textContent = "Sure?";
    button.classList.add("sure");
    setTimeout(calm, 3000);
  }
};

const newGame = new NewGame(find, about, (setup, fromHere) => {
  const moves = fromHere ? session.current.moves() : [];
  session.begin(setup, { moves }).then(() => {
    if (session.watching) session.setRunning(true);
  }, say);
});

const open = async ({ game, size, moves, resigned, on_time: onTime }) => {
  const players = about.games.find(({ name }) => name === game).players;
  const roles = Object.fromEntries(players.map((player) => [player, PERSON]));
  await session.begin({ game, size, roles, level: session.setup.level, clock: null }, { moves });
  if (players.includes(resigned)) session.given(resigned, onTime ? "time" : "resignation");
};

const games = new GamesDialog(find, about, session, open);

const lesson = () => {
  teach(find("lesson-body"), session.game);
  find("lesson").showModal();
};

const actions = [
  [["ArrowLeft", ","], "one move back", () => session.back()],
  [["ArrowRight", "."], "one move forward", () => session.forward()],
  [["Home"], "to the start", () => session.go(session.tree.root)],
  [["End"], "to the end", () => session.go(session.current.line().at(-1))],
  [["u"], "undo", () => session.undo()],
  [["s"], "swap", () => session.current.state.swap && session.play(session.current.state.swap)],
  [["h"], "hint", hint],
  [["a"], "analysis on or off", () => analyse(!analyst.on)],
  [["p"], "policy on or off", () => find("show-policy").click()],
  [["e"], "expected end on or off", () => find("show-forecast").click()],
  [["b"], "to the board", () => board.focus()],
  [["g"], "games", () => games.open()],
  [["n"], "new game", () => newGame.open(session)],
  [["?"], "settings and keys", () => find("settings").showModal()],
];

const wire = () => {
  const press = (id, action) => find(id).addEventListener("click", action);
  press("undo", () => session.undo());
  press("hint", hint);
  press("resign", resign);
  press("first", () => session.go(session.tree.root));
  press("back", () => session.back());
  press("forward", () => session.forward());
  press("last", () => session.go(session.current.line().at(-1)));
  press("analyse", () => analyse(!analyst.on));
  press("open-new", () => newGame.open(session));
  press("open-games", () => games.open());
  press("open-lesson", lesson);
  press("open-settings", () => find("settings").showModal());
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }

  board.addEventListener("play", ({ detail: { cell, name } }) => {
    if (!session.yours || !session.current.state.legal.includes(name)) return;
    const careful = board.touched && preferences.get("touchTwice") && board.cellWidth < EASY_TO_HIT;
    if (careful && touched !== cell) {
      touched = cell;
      announce(`${name} chosen. Touch again to play.`);
      board.choose(cell);
    } else {
      touched = null;
      session.play(name);
    }
  });
  const point = (move) => {
    if (pointed === move) return;
    pointed = move;
    showMarks();
  };
  board.addEventListener("point", ({ detail: { name } }) => point(name));
  const lines = find("lines");
  for (const [over, out] of [["pointerover", "pointerleave"], ["focusin", "focusout"]]) {
    lines.addEventListener(over, (event) => point(event.target.closest(".line")?.dataset.move ?? null));
    lines.addEventListener(out, () => point(null));
  }
  // A finger cannot hover: it shows a line first, and plays it when it comes again.
  let shownBefore = null;
  lines.addEventListener("pointerdown", () => (shownBefore = pointed));
  lines.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (!line) return;
    if (event.pointerType === "touch" && shownBefore !== line.dataset.move) point(line.dataset.move);
    else session.play(line.dataset.move);
  });
  const offers = find("offers");
  for (const [type, shows] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    offers.addEventListener(type, (event) => event.target.closest(".swap") && showSwap(shows));
  }

  const go = ({ detail: { position } }) => position !== session.current && session.go(position, position.parent === session.current);
  chart.addEventListener("go", go);
  moveList.addEventListener("go", go);
  analyst.addEventListener("update", () => {
    showFindings();
    if (!analyst.busy) moveList.show(session);
  });
  session.addEventListener("change", render);
  session.addEventListener("moved", ({ detail: { position } }) => announce(told(position)));
  session.addEventListener("over", () => {
    if (session.tip.ply > 0) keepFinished(ofSession(session));
    if (session.ended) announce(`${capital(session.ended.text)}.`);
  });
  for (const one of [session, analyst]) one.addEventListener("failed", ({ detail: { message } }) => notice(`${capital(message)}.`, true));
  preferences.addEventListener("change", render);
  new ResizeObserver(() => session.tree && render()).observe(find("table"));

  listen(actions, () => preferences.get("letterKeys"));
  describe(find("keys"), actions);
  find("version").textContent = `hexzero ${about.version}`;
  if (about.run) follow(find, about.run);

  setInterval(() => {
    if (!session.tree) return;
    session.checkClock();
    showClocks(find("players"), session);
  }, CLOCK_STEP);

  const keepGame = () => session.tree && keep("game", session);
  session.addEventListener("change", keepGame);
  addEventListener("pagehide", keepGame);
  document.addEventListener("visibilitychange", () => document.hidden && keepGame());
};

// The first connection puts a game on the board; later ones go on with it.
const arrive = async () => {
  notice(null);
  if (session.tree) {
    session.proceed();
    return;
  }
  const kept = recall("game", null);
  analyst.on = recall("analysing", false);
  try {
    if (kept) return await session.restore(kept);
  } catch (error) {
    if (error instanceof Lost) return;
    // A game that this server does not know, or a damaged one: a new one begins.
  }
  session.begin(firstGame(about)).catch(say);
};

wire();
connection.addEventListener("open", arrive);
connection.addEventListener("lost", () => {
  notice("The connection to the server was lost. Trying again …");
  session.disconnected();
});
if (connection.ready) arrive();
