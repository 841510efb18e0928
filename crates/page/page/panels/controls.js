// Controls used in several places: rows of choices, buttons that ask for confirmation, the buttons beside the sentence, and those at a place.

import { html, icon } from "../board_ui/elements.js";

export const textButton = (text, action, kind = null) => {
  const button = html("button", { type: "button", class: kind }, text);
  button.addEventListener("click", action);
  return button;
};

// Shows a row of choices, one of which is selected.
export const segments = (host, name, options, chosen, onChoice) => {
  host.replaceChildren(
    ...options.map(([value, text]) => {
      const input = html("input", { type: "radio", name, value, checked: value === chosen });
      input.addEventListener("change", () => onChoice(value));
      return html("label", {}, input, html("span", {}, text));
    }),
  );
};

export const chosen = (host) => host.querySelector("input:checked")?.value ?? null;

const CONFIRM_MS = 3000;

// Makes a button call `act` at the second press; the first one makes it ask for confirmation, for a short time. Returns a function that
// cancels the question.
export const confirmOnSecondPress = (button, act) => {
  const text = button.querySelector("span");
  const words = text.textContent;
  let timer = null;
  const calm = () => {
    clearTimeout(timer);
    text.textContent = words;
    text.style.minWidth = "";
    button.classList.remove("sure");
  };
  button.addEventListener("click", () => {
    const isSure = button.classList.contains("sure");
    calm();
    if (isSure) return act();
    // A narrower question would move the buttons beside it, now and when the words come back.
    text.style.minWidth = `${text.getBoundingClientRect().width}px`;
    text.textContent = "Sure?";
    button.classList.add("sure");
    timer = setTimeout(calm, CONFIRM_MS);
  });
  return calm;
};

const make = ({ picture = null, content = null }) =>
  content ?? html("button", { type: "button" }, picture ? icon(picture) : null, html("span"));

// The buttons beside the sentence about the game. Buttons that remain keep their elements, and thus the focus; a button that replaces
// another takes over the focus.
export class Offers {
  #host;
  #shown = new Map(); // by key: the element and what pressing it does

  constructor(host) {
    this.#host = host;
    host.addEventListener("click", (event) => {
      for (const { element, action } of this.#shown.values()) if (element.contains(event.target)) action?.();
    });
  }

  // Shows offers: `{ key, text, action, kind, picture, move }`, or `{ key, content }` for an element as it is.
  show(offers) {
    const elements = [...this.#host.children];
    const focused = elements.findIndex((element) => element.contains(document.activeElement));
    const before = this.#shown;
    this.#shown = new Map(
      offers.map((offer) => {
        const element = before.get(offer.key)?.element ?? make(offer);
        if (!offer.content) {
          element.className = offer.kind ?? "";
          element.lastChild.textContent = offer.text;
          if (offer.move) element.dataset.move = offer.move;
        }
        return [offer.key, { element, action: offer.action }];
      }),
    );
    const wanted = [...this.#shown.values()].map(({ element }) => element);
    if (wanted.length !== elements.length || wanted.some((element, i) => element !== elements[i])) this.#host.replaceChildren(...wanted);
    if (focused < 0 || this.#host.contains(document.activeElement)) return;
    const element = wanted.includes(elements[focused]) ? elements[focused] : wanted[Math.min(focused, wanted.length - 1)];
    element?.focus({ preventScroll: true });
  }
}

const GAP = 6;

// Buttons at a place of the board, for moves that need more than a place, such as a colour.
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
      const buttons = choices.map(([text, action]) => textButton(text, action));
      this.#box = html("div", { class: "choices", role: "group", "aria-label": label }, ...buttons);
      this.#box.addEventListener("keydown", (event) => this.#moveFocus(event));
      this.#host.append(this.#box);
      buttons[0].focus({ preventScroll: true });
    }
    this.#moveTo(near);
  }

  hide() {
    this.#box?.remove();
    this.#box = this.#key = null;
  }

  // Above the place, or below it where there is no room above; always within the host.
  #moveTo({ x, y, room }) {
    const { left, top, width } = this.#host.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.#box;
    const above = y - top - room - GAP - offsetHeight;
    this.#box.style.left = `${Math.min(Math.max(x - left - offsetWidth / 2, 0), Math.max(0, width - offsetWidth))}px`;
    this.#box.style.top = `${above >= 0 ? above : y - top + room + GAP}px`;
  }

  #moveFocus(event) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...this.#box.children];
    const next = buttons.indexOf(document.activeElement) + step;
    buttons.at(next % buttons.length)?.focus();
  }
}
