// The players, the sentence about the game, and what the analysis found.

import { captured, turned } from "./changes.js";
import { clockTime } from "./clock.js";
import { html, icon } from "./elements.js";
import { candidates, percent, short } from "./marks.js";
import { PACES } from "./session.js";
import { segments } from "./preferences.js";
import { buttons, capital, status, who } from "./words.js";

const BEYOND = 6;

// How many pieces a player has taken, or turned.
const sum = (session, player, of) =>
  session.current
    .path()
    .filter(({ state }) => state.player === player)
    .reduce((total, position) => total + of(session.game, position).length, 0);

export const showPlayers = (host, session) => {
  const { state } = session.current;
  const result = session.exploring ? state.outcome : session.result;
  host.replaceChildren(
    ...session.players.map((player) => {
      const moves = !result && state.to_move === player;
      const [taken, won] = [captured, turned].map((of) => sum(session, player, of));
      const notes = [
        result?.winner === player ? "won" : "",
        taken ? `took ${taken}` : "",
        won ? `turned ${won}` : "",
      ].filter(Boolean);
      return html(
        "div",
        {
          class: `player ${session.side(player)}${moves ? " moves" : ""}${result?.winner === player ? " won" : ""}`,
          "data-player": player,
        },
        html("span", { class: "token", "aria-hidden": "true" }),
        html(
          "span",
          { class: "name" },
          html("span", {}, html("b", {}, capital(player)), html("span", { class: "notes" }, notes.join(", "))),
          html("span", { class: "quiet" }, who(session, player)),
        ),
        session.clock ? html("span", { class: "clock", role: "timer" }) : null,
      );
    }),
  );
  showClocks(host, session);
};

export const showClocks = (host, session) => {
  if (!session.clock) return;
  for (const player of session.players) {
    const clock = host.querySelector(`[data-player="${player}"] .clock`);
    if (!clock) continue;
    const left = session.clock.left(player);
    clock.textContent = clockTime(left);
    clock.classList.toggle("runs", session.clock.running === player);
    clock.classList.toggle("short", left < 10);
  }
};

const offer = (text, action, kind = "", picture = null) => {
  const button = html("button", { type: "button", class: kind }, picture ? icon(picture) : null, text);
  button.addEventListener("click", action);
  return button;
};

// The sentence about the game, with the choices that are open just now.
export const showStatus = (find, session, { press, newGame, review, lesson, analysing, isNew }) => {
  const { title, text, busy = false } = status(session);
  find("title").textContent = title;
  find("text").textContent = text;
  find("status").classList.toggle("busy", busy);
  const offers = [];
  const { state } = session.current;
  for (const { label, kind, index, move } of session.yours ? buttons(session.game, state) : []) {
    const button = offer(label, () => press(index), `primary ${kind}`, kind === "swap" ? "swap" : null);
    button.dataset.move = move;
    offers.push(button);
  }
  if (session.exploring) {
    offers.push(offer("Back to the game", () => session.go(session.tip), "primary"));
    if (!state.outcome) offers.push(offer("Play on from here", () => session.playOn()));
  } else if (session.result) {
    offers.push(offer("New game", newGame, "primary"));
    if (!analysing) offers.push(offer("Review the game", review));
  } else if (session.watching) {
    offers.push(
      session.running
        ? offer("Pause", () => session.setRunning(false), "", "pause")
        : offer("Start", () => session.setRunning(true), "primary", "start"),
    );
    const pace = html("div", { class: "segments pace", role: "group", "aria-label": "Pace" });
    segments(
      pace,
      "pace",
      Object.keys(PACES).map((name) => [name, capital(name)]),
      session.pace,
      (name) => (session.pace = name),
    );
    offers.push(pace);
  } else if (session.waiting) {
    offers.push(offer("Let the engine move", () => session.proceed()));
  }
  if (isNew && session.current.ply === 0 && !session.exploring) offers.push(offer("How to play", lesson, "", "learn"));
  // The same buttons stay, so that the focus does not get lost.
  const key = offers.map((one) => one.textContent).join();
  const place = find("offers");
  if (place.dataset.key !== key || place.dataset.ply !== String(session.current.ply)) place.replaceChildren(...offers);
  Object.assign(place.dataset, { key, ply: session.current.ply });
};

const shares = (session, { to_move: mover, win, draw, loss }) => {
  const first = mover === session.players[0];
  return [first ? win : loss, draw, first ? loss : win];
};

// How much was searched, and what is certain.
const searched = ({ visits, proven, to_move: mover }) => {
  const found = `${short(visits)} ${visits === 1 ? "visit" : "visits"}`;
  if (!proven) return found;
  const result = { won: "wins", lost: "loses", drawn: "draws" }[proven.value];
  return `${found}, ${mover} ${result}${proven.plies ? ` in ${proven.plies}` : ""}`;
};

export const showAnalysis = (find, session, { busy }) => {
  const { analysis, chance, state } = session.current;
  const [first, second] = session.players;
  const [forFirst, drawn, forSecond] = analysis
    ? shares(session, analysis)
    : chance === null
      ? [0.5, 0, 0.5]
      : [chance, 0, 1 - chance];
  const known = analysis || chance !== null;
  find("searched").dataset.visits = analysis?.visits ?? 0;
  find("searched").textContent = state.outcome
    ? "the game is over"
    : analysis
      ? searched(analysis)
      : busy
        ? "thinking"
        : "";
  const bar = [
    ["first", forFirst],
    ["draw", drawn],
    ["second", forSecond],
  ].map(([side, share]) => {
    const part = html("span", { class: side });
    part.style.setProperty("--share", share);
    if (known && side !== "draw") part.textContent = `${percent(share)} %`;
    return part;
  });
  find("chances").replaceChildren(...bar);
  find("chances").classList.toggle("unknown", !known);
  find("chances").setAttribute(
    "aria-label",
    known
      ? `${first} wins ${percent(forFirst)} %, a draw ${percent(drawn)} %, ${second} wins ${percent(forSecond)} %`
      : "not analysed yet",
  );
  showLines(find("lines"), session, analysis);
};

// The best moves as rows; those that are there already are written over, so that the focus stays.
const showLines = (host, session, analysis) => {
  const lines = analysis && !session.current.state.outcome ? candidates(analysis) : [];
  while (host.children.length > lines.length) host.lastChild.remove();
  lines.forEach((line, i) => {
    const row =
      host.children[i] ??
      host.appendChild(
        html(
          "button",
          { type: "button", class: "line" },
          html("b"),
          html("span", { class: "chance" }),
          html("span", { class: "quiet visits" }),
          html("span", { class: "quiet beyond" }),
        ),
      );
    const [move, chance, visits, beyond] = row.children;
    row.dataset.move = line.move;
    row.className = `line ${session.side(analysis.to_move)}${i === 0 ? " best" : ""}`;
    move.textContent = line.move;
    chance.textContent = line.proven
      ? { won: "wins", drawn: "draws", lost: "loses" }[line.proven.value]
      : `${percent(line.win + line.draw / 2)} %`;
    visits.textContent = short(line.visits);
    beyond.textContent = line.variation.slice(1, BEYOND).join(" ");
    row.setAttribute(
      "aria-label",
      `${line.move}: ${chance.textContent}, ${line.visits} visits, expected ${line.variation.join(", ")}. Play it.`,
    );
  });
};
