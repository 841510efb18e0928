// The badge of the training run that the server watches.

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
      const text = `${name}, ${iterations} iterations`;
      find("run-text").textContent = text;
      badge.title = `${text}, ${games} games`;
      badge.setAttribute("aria-label", `Training run ${badge.title}${fresh ? ", has gone on" : ""}`);
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
