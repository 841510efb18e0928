// What a person likes: kept by the browser, set in the dialog "Settings".

import { html } from "./elements.js";
import { keep, recall } from "./memory.js";
import { say } from "./say.js";

const DEFAULTS = {
  theme: "system",
  stand: "fit",
  touchTwice: true,
  letterKeys: true,
  moves: true,
  policy: true,
  forecast: false,
  openings: false,
  numbers: false,
  sounds: false,
  mirrored: false,
  turns: 0, // of the board, by sixths
};

// A row of choices of which one is taken.
export const segments = (host, name, options, chosen, onChoice) => {
  host.replaceChildren(
    ...options.map(([value, text, title]) => {
      const input = html("input", { type: "radio", name, value, checked: value === chosen });
      input.addEventListener("change", () => onChoice?.(value));
      return html("label", { title }, input, html("span", {}, text));
    }),
  );
};

export const chosen = (host) => host.querySelector("input:checked")?.value ?? null;

// Tells `change`.
export class Preferences extends EventTarget {
  #values = { ...DEFAULTS, ...recall("preferences", {}) };

  get(name) {
    return this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    // Another window may have set others meanwhile.
    keep("preferences", { ...this.#values, ...recall("preferences", {}), [name]: value });
    this.#apply();
    this.dispatchEvent(new Event("change"));
  }

  // Ties the dialog's and the panel's controls to the values.
  bind(find) {
    const row = (id, name, options) =>
      segments(find(id), name, options, this.get(name), (value) => this.set(name, value));
    row("choose-theme", "theme", [
      ["system", say("settings.theme.system")],
      ["light", say("settings.theme.light")],
      ["dark", say("settings.theme.dark")],
    ]);
    row("choose-stand", "stand", [
      ["fit", say("settings.stand.fit")],
      ["lying", say("settings.stand.lying")],
      ["standing", say("settings.stand.standing")],
    ]);
    const boxes = {
      "touch-twice": "touchTwice",
      "letter-keys": "letterKeys",
      "show-moves": "moves",
      "show-policy": "policy",
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
  }
}
