// The buttons beside the sentence about the game. Those that stay are the same elements, so that the focus stays too; where
// one takes the place of another, the focus goes on to it.

import { html, icon } from "../board_ui/elements.js";

const make = ({ picture = null, content = null }) =>
  content ?? html("button", { type: "button" }, picture ? icon(picture) : null, html("span"));

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
    if (wanted.length !== elements.length || wanted.some((element, i) => element !== elements[i]))
      this.#host.replaceChildren(...wanted);
    if (focused < 0 || this.#host.contains(document.activeElement)) return;
    const element = wanted.includes(elements[focused]) ? elements[focused] : wanted[Math.min(focused, wanted.length - 1)];
    element?.focus({ preventScroll: true });
  }
}
