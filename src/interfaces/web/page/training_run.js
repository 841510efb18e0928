// The badge of the training run that the server watches.

import { html } from "./elements.js";

const EVERY = 10_000;

export const follow = (find, name) => {
  const badge = find("run");
  let seen = null;
  const look = async () => {
    try {
      const answer = await fetch("/api/run");
      if (!answer.ok) return;
      const { iterations, games, changed } = await answer.json();
      const fresh = seen !== null && changed !== seen;
      seen = changed;
      badge.classList.toggle("fresh", fresh);
      find("run-text").replaceChildren(html("span", { class: "long" }, `${name}, `), `${iterations} iterations`);
      badge.title = `Training run ${name}: ${iterations} iterations, ${games} games`;
    } catch {
      // The server is away; the page says so elsewhere.
    }
  };
  badge.hidden = false;
  find("run-text").textContent = name;
  badge.addEventListener("click", () => badge.classList.remove("fresh"));
  look();
  setInterval(look, EVERY);
};
