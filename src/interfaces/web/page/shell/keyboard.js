// What the keys do, wherever the focus is.

import { describe, listen } from "../dialogs/keys.js";
import { buttons } from "../text/sentences.js";

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

const keysOf = (find, parts, actions) => {
  const { session, view, board, preferences, comments, home } = parts;
  const click = (id) => () => find(id).click();
  return [
    [["ArrowLeft", ","], "one move back", () => session.back()],
    [["ArrowRight", "."], "one move forward", () => session.forward()],
    [["Home"], "to the start", click("first")],
    [["End"], "to the end", click("last")],
    [["u"], "undo", click("undo")],
    [["y"], "redo", click("redo")],
    [["s"], "swap or pass, where that is the only button", () => pressOnly(parts)],
    [["Escape"], "take back a pick", () => view.back()],
    [["h"], "hint", click("hint")],
    [["a"], "analysis on or off", click("analyse")],
    [["p"], "what an analysis draws on the cells", () => nextOf(find("show-heat"))],
    [["e"], "expected end on or off", click("show-forecast")],
    [["m"], "opening map on or off", click("show-openings")],
    [["r"], "turn the board", () => preferences.turnBoard()],
    [["f"], "mirror the board", () => preferences.mirrorBoard()],
    [["b"], "to the board", () => board.focus()],
    [["t"], "tell the position to a screen reader", actions.tell],
    [["c"], "comment", () => comments.open()],
    [["g"], "games", actions.openGames],
    [["n"], "new game", () => actions.choose()],
    [["0"], "home: all games", () => home.toggle()],
    [["?"], "settings and keys", click("open-settings")],
  ];
};

export const useKeys = (find, parts, actions) => {
  const keys = keysOf(find, parts, actions);
  const atHome = keys.filter(([[key]]) => AT_HOME.includes(key));
  listen(() => (parts.home.isOpen ? atHome : keys), () => parts.preferences.get("letterKeys"));
  describe(find("keys"), keys);
};
