// Keys that work wherever the focus is, except in a text field: what they do, and their list in the settings.

import { find, html } from "../board_ui/elements.js";
import { buttons } from "../text/sentences.js";

const BOARD_KEYS = [
  [["Arrow keys"], "on the board: move from cell to cell"],
  [["1", "…", "9"], "on the board: move to the adjacent cell"],
  [["Enter"], "on the board: play or select"],
  [["Menu"], "on the board: add or remove a letter (also right click or long press)"],
];

// Listens for keys. `actions()`: what keys do now, as [keys, what they do, action]; the arrow keys are the board's while it has the focus.
const listenForKeys = (actions, allowed) => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || event.target.matches("input, select, textarea")) return;
    const found = actions().find(([keys]) => keys.includes(event.key));
    if (!found || (event.key.length === 1 && !allowed())) return;
    event.preventDefault();
    found[2](event);
  });
};

const NUMBERS = [..."123456789"];

const NAMES = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

const nameOf = (key) => NAMES[key] ?? key;

const describeKeys = (host, actions) => {
  const row = (keys, what) => [html("dt", {}, ...keys.map((key) => html("kbd", {}, nameOf(key)))), html("dd", {}, what)];
  host.replaceChildren(
    ...BOARD_KEYS.flatMap(([keys, what]) => row(keys, what)),
    ...actions.flatMap(([keys, what]) => row(keys === NUMBERS ? ["1", "…", "9"] : keys, what)),
  );
};

// The keys that do something on the home screen too.
const AT_HOME = ["g", "n", "0", "?"];

const pressOnly = ({ session, view }) => {
  const open = buttons(session.game, session.current.state);
  if (open.length === 1) view.press(open[0].index);
};

// Chooses the next option of a list.
const nextOf = (select) => {
  select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
  select.dispatchEvent(new Event("change"));
};

// Plays the move that the analysis has in this place.
const playSuggested = ({ session, analyst, editor }, place) => {
  const line = !editor.active && analyst.on && session.current.analysis?.lines[place - 1];
  if (line) session.play(line.move);
};

const keysOf = (parts, actions) => {
  const { session, view, board, preferences, comments, home } = parts;
  const click = (id) => () => find(id).click();
  return [
    [["ArrowLeft", ","], "one move back", () => session.back()],
    [["ArrowRight", "."], "one move forward", () => session.forward()],
    [["Home"], "go to the start", click("first")],
    [["End"], "go to the end", click("last")],
    [["u"], "undo", click("undo")],
    [["y"], "redo", click("redo")],
    [["s"], "swap or pass, if that is the only such button", () => pressOnly(parts)],
    [["Escape"], "cancel the selection", () => view.input.back()],
    [["h"], "hint", click("hint")],
    [["a"], "analysis on or off", click("analyse")],
    [NUMBERS, "play the first to ninth move of the analysis", ({ key }) => playSuggested(parts, Number(key))],
    [["l"], "add the best line, to step through it", click("add-line")],
    [["p"], "next heat map", () => nextOf(find("show-heat"))],
    [["e"], "predicted final position on or off", click("show-forecast")],
    [["m"], "opening map on or off", click("show-openings")],
    [["r"], "rotate the board", () => preferences.turnBoard()],
    [["f"], "mirror the board", () => preferences.mirrorBoard()],
    [["b"], "focus the board", () => board.focus()],
    [["t"], "describe the position to a screen reader", actions.tellPosition],
    [["c"], "comment", () => comments.open()],
    [["g"], "games", actions.openGames],
    [["n"], "new game", () => actions.choose()],
    [["0"], "home", () => home.toggle()],
    [["?"], "settings and shortcuts", click("open-settings")],
  ];
};

export const useKeys = (parts, actions) => {
  const keys = keysOf(parts, actions);
  const atHome = keys.filter(([[key]]) => AT_HOME.includes(key));
  listenForKeys(() => (parts.home.isOpen ? atHome : keys), () => parts.preferences.get("letterKeys"));
  describeKeys(find("keys"), keys);
};
