// Keys that work wherever the focus is, unless somebody types.

import { html } from "../board_ui/elements.js";

const BOARD_KEYS = [
  [["Arrow keys"], "on the board: from place to place"],
  [["1", "…", "9"], "on the board: to the neighbour that way"],
  [["Enter"], "on the board: play or pick there"],
  [["Menu"], "on the board: put a letter there or take it away, as the right button and a long touch do"],
];

// `actions()`: what keys do now, as [keys, what they do, action]; the arrow keys are the board's while it has the focus.
export const listen = (actions, allowed) => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || event.target.matches("input, select, textarea")) return;
    const found = actions().find(([keys]) => keys.includes(event.key));
    if (!found || (event.key.length === 1 && !allowed())) return;
    event.preventDefault();
    found[2](event);
  });
};

const NAMES = { ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };

const nameOf = (key) => NAMES[key] ?? key;

export const describe = (host, actions) => {
  const row = (keys, what) => [
    html("dt", {}, ...keys.map((key) => html("kbd", {}, nameOf(key)))),
    html("dd", {}, what),
  ];
  host.replaceChildren(
    ...BOARD_KEYS.flatMap(([keys, what]) => row(keys, what)),
    ...actions.flatMap(([keys, what]) => row(keys, what)),
  );
};
