// The badge of the training run that the server watches.

import { commas, counted } from "../board_ui/text.js";
import { run } from "../server/resources.js";

const EVERY = 10_000;

export const follow = (find, name) => {
  const badge = find("run");
  let seen = null; // what had changed when somebody looked last
  let latest = null;
  const look = async () => {
    try {
      const { iterations, games, changed } = await run();
      latest = changed;
      seen ??= changed;
      const fresh = changed !== seen;
      badge.classList.toggle("fresh", fresh);
      const text = `${name}, ${counted(iterations, "iteration", "iterations")}`;
      find("run-text").textContent = text;
      badge.title = commas([text, counted(games, "game", "games")]);
      badge.setAttribute("aria-label", `Training run ${badge.title}${fresh ? ", has gone on" : ""}`);
    } catch {
      // The server is away, which the page says elsewhere, or cannot read the run just now.
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
