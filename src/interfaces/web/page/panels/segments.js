// A row of choices of which one is taken.

import { html } from "../board_ui/elements.js";

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
