// Keys that work wherever the focus is, unless somebody types.

import { html } from "./elements.js";
import { say } from "./say.js";

const BOARD_KEYS = [
  [["arrows"], "keys.arrows"],
  [["1", "…", "9"], "keys.digits"],
  [["Enter"], "keys.enter"],
];

// `actions`: [keys, the key of what they do in words.js, action]; the arrow keys are the board's while it has the focus.
export const listen = (actions, allowed) => {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]") || event.target.matches("input, select, textarea")) return;
    const found = actions.find(([keys]) => keys.includes(event.key));
    if (!found || (event.key.length === 1 && !allowed())) return;
    event.preventDefault();
    found[2](event);
  });
};

const SIGNS = { ArrowLeft: "←", ArrowRight: "→" };

const nameOf = (key) => SIGNS[key] ?? (key.length > 1 ? say(`key.${key}`) : key);

export const describe = (host, actions) => {
  const row = (keys, what) => [
    html("dt", {}, ...keys.map((key) => html("kbd", {}, nameOf(key)))),
    html("dd", {}, say(what)),
  ];
  host.replaceChildren(
    ...BOARD_KEYS.flatMap(([keys, what]) => row(keys, what)),
    ...actions.flatMap(([keys, what]) => row(keys, what)),
  );
};
