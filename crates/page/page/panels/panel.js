// The players, the sentence about the game, and what the analysis found.

import { candidates } from "../board/marks.js";
import { captured, turned } from "../board_ui/changes.js";
import { find, html } from "../board_ui/elements.js";
import { capital, percent, short } from "../board_ui/text.js";
import { clockTime } from "../game/clock.js";
import { handicapStones } from "../game/games.js";
import { short as named } from "../text/moves.js";
import { certain, playerName, strengthOf } from "../text/sentences.js";
import { status } from "../text/status.js";
import { offersOf } from "./offers.js";

const MAX_VARIATION_MOVES = 6;

// A move that takes fewer seconds needs no bar.
const MIN_SECONDS_FOR_BAR = 2;

// Returns the number of pieces that a player has taken, or turned.
const sum = (session, player, of) =>
  session.current.path().filter(({ state }) => state.player === player).reduce((total, position) => total + of(session.game, position).length, 0);

// Returns a player's score, where the game counts one.
const points = (session, player) => {
  const { standing } = session.current.state;
  if (!standing) return null;
  const number = standing.points[session.players.indexOf(player)];
  return html("span", { class: "points", title: standing.what }, html("span", { class: "unseen" }, `${standing.what}: `), String(number));
};

// Shows what happened to a player so far: signs, as in the list of moves, with the words for them.
const notes = (session, player, result) => {
  const sign = (text, words) =>
    html("span", { title: words }, html("span", { "aria-hidden": "true" }, text), html("span", { class: "unseen" }, words));
  const stones = session.side(player) === "first" ? handicapStones(session.setup) : 0;
  const [taken, won] = [captured, turned].map((of) => sum(session, player, of));
  return html(
    "span",
    { class: "notes" },
    result?.winner === player ? html("span", { class: "winner" }, "won") : null,
    stones ? sign(`+${stones}`, `handicap of ${stones} stones`) : null,
    taken ? sign(`×${taken}`, `captured ${taken}`) : null,
    won ? sign(`⇄${won}`, `took over ${won}`) : null,
  );
};

// Shows who a player is. A narrow screen shows the level only, without the word "Engine".
const person = (session, player) => {
  const strength = strengthOf(session, player);
  if (strength) return html("span", { class: "quiet" }, html("span", { class: "engine" }, "Engine, "), strength);
  // A long name is cut off.
  const name = playerName(session, player);
  return html("span", { class: "quiet", title: name }, name);
};

// A player's card; `beside` is what stands beside the name, `below` what stands below all.
const card = (seating, player, { moves = false, isWinner = false, beside = [], below = null }) =>
  html(
    "div",
    {
      class: `player ${seating.side(player)}${moves ? " moves" : ""}${isWinner ? " won" : ""}`,
      "data-player": player,
      "data-role": seating.roleOf(player),
    },
    html("span", { class: "token", "aria-hidden": "true" }),
    html("span", { class: "name" }, html("span", {}, html("b", {}, capital(player)), ...beside), person(seating, player)),
    below,
  );

export const showPlayers = (host, session) => {
  const { state } = session.current;
  const result = session.exploring ? state.outcome : session.result;
  host.replaceChildren(
    ...session.players.map((player) =>
      card(session, player, {
        moves: !result && state.to_move === player,
        isWinner: result?.winner === player,
        beside: [points(session, player), notes(session, player, result)],
        below: session.clock ? html("span", { class: "clock", role: "timer" }) : null,
      }),
    ),
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

// Shows how much of its time for a move the engine has used, where it has a fixed one.
export const showThinking = (session) => {
  const bar = find("thinking");
  const { seconds = null } = session.thinking && !session.exploring ? session.effortOf(session.tip.state.to_move) : {};
  bar.hidden = !seconds || seconds < MIN_SECONDS_FOR_BAR;
  if (bar.hidden) return;
  bar.max = seconds;
  bar.value = Math.min(seconds, (performance.now() - session.thinkingSince) / 1000);
};

// Shows the panel while a position is being set up, with those who will play it.
export const showEditor = (offers, editor) => {
  const { players, toMove } = editor;
  find("players").replaceChildren(...players.map((player) => card(editor, player, { moves: editor.side(player) === toMove })));
  find("title").textContent = "Set up a position";
  find("text").textContent = "Click a cell to place a stone. Click again to remove it.";
  find("status").classList.remove("busy");
  offers.show(editor.offers());
};

// The sentence about the game, with the choices that are open just now.
export const showStatus = (offers, session, actions) => {
  const { title, text, busy = false } = status(session);
  find("title").textContent = title;
  find("text").textContent = text;
  find("status").classList.toggle("busy", busy);
  offers.show(offersOf(session, actions));
};

const shares = (session, { to_move: mover, win, draw, loss }) => {
  const first = mover === session.players[0];
  return [first ? win : loss, draw, first ? loss : win];
};

// Tells the visits of the search, and a certain result: a narrow screen shows that alone.
const searched = ({ visits, proven, to_move: mover }) => {
  const found = `${short(visits)} ${visits === 1 ? "visit" : "visits"}`;
  return proven ? [html("span", { class: "found" }, `${found}, `), `${mover} ${certain(proven)}`] : [found];
};

export const showAnalysis = (session, { busy }) => {
  const { analysis, chance, state } = session.current;
  const [first, second] = session.players;
  const [forFirst, drawn, forSecond] = analysis
    ? shares(session, analysis)
    : chance === null
      ? [0.5, 0, 0.5]
      : [chance, 0, 1 - chance];
  const known = analysis || chance !== null;
  find("searched").dataset.visits = analysis?.visits ?? 0;
  find("searched").replaceChildren(
    ...(state.outcome ? ["the game is over"] : analysis ? searched(analysis) : busy ? ["thinking"] : []),
  );
  // If the end is known, the winner's part tells the distance.
  const proven = analysis?.proven;
  const certainly = proven && proven.value !== "drawn" ? certain({ ...proven, value: "won" }) : null;
  const bar = [["first", forFirst], ["draw", drawn], ["second", forSecond]].map(([side, share]) => {
    const part = html("span", { class: side });
    part.style.setProperty("--share", share);
    if (known && side !== "draw" && !(proven && share === 0)) part.textContent = certainly ?? percent(share);
    return part;
  });
  find("chances").replaceChildren(...bar);
  find("chances").classList.toggle("unknown", !known);
  find("chances").setAttribute(
    "aria-label",
    known
      ? `${first} wins ${percent(forFirst)}, a draw ${percent(drawn)}, ${second} wins ${percent(forSecond)}`
      : "not analysed yet",
  );
  showLines(find("lines"), session, analysis);
};

// The best moves as rows. Existing rows are reused, so that the focus stays.
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
          html("span", { class: "unseen" }, "Play "),
          html("b"),
          html("span", { class: "unseen" }, ": "),
          html("span", { class: "chance" }),
          html("span", { class: "unseen" }, ", visits: "),
          html("span", { class: "quiet visits" }),
          html("span", { class: "unseen" }, ", then "),
          html("span", { class: "quiet beyond" }),
        ),
      );
    const [move, chance, visits, beyond] = [...row.children].filter((part) => part.className !== "unseen");
    row.dataset.move = line.move;
    row.className = `line ${session.side(analysis.to_move)}${i === 0 ? " best" : ""}`;
    move.textContent = named(session, line.move);
    chance.textContent = line.proven ? certain(line.proven) : percent(line.win + line.draw / 2);
    visits.textContent = short(line.visits);
    beyond.textContent = line.variation.slice(1, MAX_VARIATION_MOVES).map((one) => named(session, one)).join(" ");
  });
};

// Lines and buttons alike are pointed at by the mouse and by the focus.
const IN = ["pointerover", "focusin"];

// Shows on the board what is hovered in the panel: a line of the analysis, or what a button or a move of the opening would do.
export const showPointed = (session, view) => {
  const lines = find("lines");
  const moveOf = (event) => event.target.closest(".line")?.dataset.move ?? null;
  for (const type of IN) lines.addEventListener(type, (event) => view.point(moveOf(event)));
  for (const type of ["pointerleave", "focusout"]) lines.addEventListener(type, () => view.point(null));
  // A finger cannot hover: it shows a line first, and plays it when it comes again.
  let shownBefore = null;
  lines.addEventListener("pointerdown", () => (shownBefore = view.pointed));
  lines.addEventListener("click", (event) => {
    const move = moveOf(event);
    if (move === null) return;
    if (event.pointerType === "touch" && shownBefore !== move) view.point(move);
    else session.play(move);
  });
  find("explorer").addEventListener("click", ({ target }) => {
    const row = target.closest("[data-move]");
    if (row) session.play(row.dataset.move);
  });
  for (const id of ["offers", "explorer"]) {
    for (const type of [...IN, "pointerout", "focusout"]) {
      find(id).addEventListener(type, (event) => {
        const one = event.target.closest("[data-move]");
        if (one) view.preview(IN.includes(type) ? one.dataset.move : null);
      });
    }
  }
};
