// The badge of the training run that the server watches.

import { commas, say } from "./say.js";

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
      const text = say("run.badge", { name, n: iterations });
      find("run-text").textContent = text;
      badge.title = commas([text, say("run.games", { n: games })]);
      badge.setAttribute("aria-label", say(fresh ? "run.label.new" : "run.label", { what: badge.title }));
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
