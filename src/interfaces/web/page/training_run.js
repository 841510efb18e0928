// The badge of the training run that the server watches.

import { count } from "./words.js";

const EVERY = 10_000;

export const follow = (find, name) => {
  const badge = find("run");
  let seen = null; // what had changed when somebody looked last
  let latest = null;
  const look = async () => {
    try {
      const answer = await fetch("/api/run");
      if (!answer.ok) return;
      const { iterations, games, changed } = await answer.json();
      latest = changed;
      seen ??= changed;
      const fresh = changed !== seen;
      badge.classList.toggle("fresh", fresh);
      const text = `${name}, ${count(iterations, "iteration")}`;
      find("run-text").textContent = text;
      badge.title = `${text}, ${count(games, "game")}`;
      badge.setAttribute("aria-label", `Training run ${badge.title}${fresh ? ", has gone on" : ""}`);
    } catch {
      // The server is away; the page says so elsewhere.
    }
  };
  badge.hidden = false;
  find("run-text").textContent = name;
  badge.addEventListener("click", () => {
    seen = latest;
    badge.classList.remove("fresh");
  });
  look();
  setInterval(look, EVERY);
};
