// The players, the sentence about the game, and what the analysis found.

import { candidates } from "../board/marks.js";
import { captured, turned } from "../board_ui/changes.js";
import { html } from "../board_ui/elements.js";
import { capital, percent, short } from "../board_ui/text.js";
import { clockTime } from "../game/clock.js";
import { isWithFriend, mayBeSent } from "../game/friend.js";
import { handicapStones } from "../game/handicap.js";
import { PACES } from "../game/session.js";
import { short as named } from "../text/moves.js";
import { buttons, certain, status, strengthOf, who } from "../text/sentences.js";
import { segments } from "./segments.js";
import { offersOfShared } from "./shared_offers.js";

const BEYOND = 6;

// A move that takes fewer seconds needs no bar.
const LONG_THOUGHT = 2;

// Returns the number of pieces that a player has taken, or turned.
const sum = (session, player, of) =>
  session.current
    .path()
    .filter(({ state }) => state.player === player)
    .reduce((total, position) => total + of(session.game, position).length, 0);

// Returns a player's score, where the game counts one.
const points = (session, player) => {
  const { standing } = session.current.state;
  if (!standing) return null;
  const number = standing.points[session.players.indexOf(player)];
  return html(
    "span",
    { class: "points", title: standing.what },
    html("span", { class: "unseen" }, `${standing.what}: `),
    String(number),
  );
};

// What happened to a player so far: signs, as in the list of moves, with the words for them.
const notes = (session, player, result) => {
  const sign = (text, words) =>
    html("span", { title: words }, html("span", { "aria-hidden": "true" }, text), html("span", { class: "unseen" }, words));
  const stones = session.side(player) === "first" ? handicapStones(session.setup) : 0;
  const [taken, won] = [captured, turned].map((of) => sum(session, player, of));
  return html(
    "span",
    { class: "notes" },
    result?.winner === player ? html("span", { class: "winner" }, "won") : null,
    stones ? sign(`+${stones}`, `${stones} stones of handicap`) : null,
    taken ? sign(`×${taken}`, `took ${taken}`) : null,
    won ? sign(`⇄${won}`, `turned ${won}`) : null,
  );
};

// Who a player is. A narrow screen leaves out that the engine is one: it shows the level.
const person = (session, player) => {
  const strength = strengthOf(session, player);
  if (strength) return html("span", { class: "quiet" }, html("span", { class: "engine" }, "Engine, "), strength);
  // A long name is cut off.
  const name = who(session, player);
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

// How much of its time for a move the engine has used, where it has a fixed one.
export const showThinking = (find, session) => {
  const bar = find("thinking");
  const { seconds = null } = session.thinking && !session.exploring ? session.effortOf(session.tip.state.to_move) : {};
  bar.hidden = !seconds || seconds < LONG_THOUGHT;
  if (bar.hidden) return;
  bar.max = seconds;
  bar.value = Math.min(seconds, (performance.now() - session.thinkingSince) / 1000);
};

// The speed of a game that the engine plays against itself.
const pace = (session) => {
  const row = html("div", { class: "segments pace", role: "group", "aria-label": "Pace" });
  const paces = Object.keys(PACES).map((name) => [name, capital(name)]);
  segments(row, "pace", paces, session.pace, (name) => (session.pace = name));
  return row;
};

// Lists the buttons of a puzzle.
const offersOfPuzzle = (session, { nextPuzzle, showSolution }) => {
  const { current, tip, setup } = session;
  const isSolved = current.moves()[tip.ply] === setup.puzzle.solution;
  const offers = [{ key: "next", text: "Next puzzle", action: nextPuzzle, kind: isSolved ? "primary" : "" }];
  if (!current.isWithin(tip)) offers.unshift({ key: "again", text: "Try again", action: () => session.go(tip), kind: isSolved ? "" : "primary" });
  if (!isSolved) offers.push({ key: "solution", text: "Solution", action: showSolution });
  return offers;
};

// Lists the buttons for a person's actions beside moves on the board.
const offersOf = (session, actions) => {
  const { press, newGame, rematch, review, lesson, send, isReviewable, isNew } = actions;
  const { state } = session.current;
  const offers = [];
  for (const { label, kind, index, move } of session.yours ? buttons(session.game, state) : []) {
    const picture = kind === "swap" ? "swap" : null;
    offers.push({ key: `press ${move}`, text: label, action: () => press(index), kind: `primary ${kind}`, picture, move });
  }
  if (session.setup.puzzle) return [...offers, ...offersOfPuzzle(session, actions)];
  if (session.setup.shared && !session.exploring) offers.push(...offersOfShared(session, actions));
  if (!session.exploring && mayBeSent(session))
    offers.push({ key: "send", text: "Link for your friend", action: send, kind: "primary" });
  if (session.exploring) {
    const text = session.wayBack === session.tip ? "Back to the game" : "Leave the variation";
    offers.push({ key: "game", text, action: () => session.backToGame(), kind: "primary" });
    if (!state.outcome && !session.setup.shared) offers.push({ key: "on", text: "Play on from here", action: () => session.history.playOn() });
  } else if (session.result) {
    const { harder } = session;
    if (harder) offers.push({ key: "harder", text: `Try ${harder}`, action: () => rematch(harder), kind: "primary" });
    if (session.setup.opened || isWithFriend(session))
      offers.push({ key: "new", text: "New game", action: newGame, kind: "primary" });
    else offers.push({ key: "rematch", text: "Rematch", action: () => rematch(), kind: harder ? "" : "primary" });
  } else if (session.watching) {
    offers.push(
      session.running
        ? { key: "pause", text: "Pause", action: () => session.setRunning(false), picture: "pause" }
        : { key: "start", text: "Start", action: () => session.setRunning(true), kind: "primary", picture: "start" },
      { key: "pace", content: pace(session) },
    );
  } else if (session.thinking && session.mayHurry) {
    offers.push({ key: "now", text: "Move now", action: () => session.hurry() });
  } else if (session.waiting) {
    offers.push({ key: "proceed", text: "Let the engine move", action: () => session.proceed() });
  }
  if (isReviewable && !session.exploring) offers.push({ key: "review", text: "Review", action: review, kind: "review" });
  if (isNew && !session.exploring)
    offers.push({ key: "lesson", text: "How to play", action: lesson, picture: "learn" });
  return offers;
};

// Shows the panel while a position is being set up, with those who will play it.
export const showEditor = (find, offers, editor) => {
  const { players, toMove } = editor;
  find("players").replaceChildren(
    ...players.map((player) => card(editor, player, { moves: editor.side(player) === toMove })),
  );
  find("title").textContent = "Set up a position";
  find("text").textContent = "Click on cells to put stones down; a stone of the same colour goes away again.";
  find("status").classList.remove("busy");
  offers.show(editor.offers());
};

// The sentence about the game, with the choices that are open just now.
export const showStatus = (find, offers, session, actions) => {
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
  find("searched").replaceChildren(
    ...(state.outcome ? ["the game is over"] : analysis ? searched(analysis) : busy ? ["thinking"] : []),
  );
  // Where the end is known, the winner's part tells the distance.
  const proven = analysis?.proven;
  const certainly = proven && proven.value !== "drawn" ? certain({ ...proven, value: "won" }) : null;
  const bar = [
    ["first", forFirst],
    ["draw", drawn],
    ["second", forSecond],
  ].map(([side, share]) => {
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
    beyond.textContent = line.variation.slice(1, BEYOND).map((one) => named(session, one)).join(" ");
  });
};
