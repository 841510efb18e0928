// Buttons at a place of the board, where a move needs more than a place to be known: a colour, for instance.

import { html } from "../board_ui/elements.js";

const GAP = 6;

export class Choices {
  #host;
  #box = null;
  #key = null;

  constructor(host) {
    this.#host = host;
  }

  // Offers choices, pairs of a text and an action, near a place: `{ x, y, room }` on the screen.
  show(label, near, choices) {
    const key = [label, ...choices.map(([text]) => text)].join("\n");
    if (this.#key !== key) {
      this.hide();
      this.#key = key;
      const buttons = choices.map(([text, action]) => {
        const button = html("button", { type: "button" }, text);
        button.addEventListener("click", action);
        return button;
      });
      this.#box = html("div", { class: "choices", role: "group", "aria-label": label }, ...buttons);
      this.#box.addEventListener("keydown", (event) => this.#walk(event));
      this.#host.append(this.#box);
      buttons[0].focus({ preventScroll: true });
    }
    this.#settle(near);
  }

  hide() {
    this.#box?.remove();
    this.#box = this.#key = null;
  }

  // Above the place, or below it where there is no room above; always within the host.
  #settle({ x, y, room }) {
    const { left, top, width } = this.#host.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.#box;
    const above = y - top - room - GAP - offsetHeight;
    this.#box.style.left = `${Math.min(Math.max(x - left - offsetWidth / 2, 0), Math.max(0, width - offsetWidth))}px`;
    this.#box.style.top = `${above >= 0 ? above : y - top + room + GAP}px`;
  }

  #walk(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...this.#box.children];
    const next = buttons.indexOf(document.activeElement) + step;
    buttons.at(next % buttons.length)?.focus();
  }
}
