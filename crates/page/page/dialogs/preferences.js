// A person's preferences: kept by the browser, set in the dialog "Settings".

import { find } from "../board_ui/elements.js";
import { Emitter } from "../game/emitter.js";
import { keep, recall } from "../game/storage.js";
import { segments } from "../panels/controls.js";

const DEFAULTS = {
  theme: "system",
  board: "paper", // the colours of the board and its pieces, as in board_ui/colours.css
  engine: "server",
  stand: "fit",
  touchTwice: true,
  letterKeys: true,
  moves: true,
  heat: "policy", // what an analysis draws on the cells: also "visits", "chance" and "off"
  forecast: false,
  openings: false,
  numbers: false,
  sounds: false,
  mirrored: false,
  turns: 0, // of the board, by sixths
};

// Fires `change`.
export class Preferences extends Emitter {
  #values = { ...DEFAULTS, ...recall("preferences", {}) };

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    // Another window may have set others meanwhile.
    keep("preferences", { ...this.#values, ...recall("preferences", {}), [name]: value });
    this.#apply();
    this.fire("change");
  }

  // Ties the dialog's and the panel's controls to the values. The engine's place can be chosen where `choosesEngine`.
  bind(choosesEngine) {
    const row = (name, options, onChange = () => {}) =>
      segments(find(`choose-${name}`), name, Object.entries(options), this.get(name), (value) => {
        this.set(name, value);
        onChange();
      });
    row("theme", { system: "System", light: "Light", dark: "Dark" });
    row("board", { paper: "Paper", wood: "Wood", slate: "Slate", safe: "Colour-blind safe" });
    row("stand", { fit: "To fit", lying: "Wide", standing: "Tall" });
    find("engine-row").hidden = !choosesEngine;
    row("engine", { server: "Server", tab: "This tab" }, () => location.reload());
    const boxes = {
      "touch-twice": "touchTwice",
      "letter-keys": "letterKeys",
      "show-moves": "moves",
      "show-forecast": "forecast",
      "show-openings": "openings",
      "show-numbers": "numbers",
      sounds: "sounds",
    };
    for (const [id, name] of Object.entries(boxes)) {
      const box = find(id);
      box.checked = this.get(name);
      box.addEventListener("change", () => this.set(name, box.checked));
    }
    const heat = find("show-heat");
    heat.value = this.get("heat");
    heat.addEventListener("change", () => this.set("heat", heat.value));
    find("turn-board").addEventListener("click", () => this.turnBoard());
    find("mirror-board").addEventListener("click", () => this.mirrorBoard());
    this.#apply();
  }

  turnBoard() {
    this.set("turns", (this.get("turns") + 1) % 6);
  }

  mirrorBoard() {
    this.set("mirrored", !this.get("mirrored"));
  }

  #apply() {
    const theme = this.get("theme");
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.board = this.get("board");
  }
}
