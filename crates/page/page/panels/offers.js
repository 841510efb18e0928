// Which buttons stand beside the sentence about the game.

import { html } from "../board_ui/elements.js";
import { capital } from "../board_ui/text.js";
import { PACES } from "../game/engineTurns.js";
import { hasMoveToSend, isWithFriend } from "../game/games.js";
import { isSolved as isGood } from "../puzzles/puzzles.js";
import { buttons, distances } from "../text/sentences.js";
import { segments } from "./controls.js";

// The speed of a game that the engine plays against itself.
const pace = (session) => {
  const row = html("div", { class: "segments pace", role: "group", "aria-label": "Pace" });
  const paces = Object.keys(PACES).map((name) => [name, capital(name)]);
  segments(row, "pace", paces, session.engineTurns.pace, (name) => (session.engineTurns.pace = name));
  return row;
};

// Lists the buttons of a puzzle.
const offersOfPuzzle = (session, { nextPuzzle, showSolution }) => {
  const { current, tip, setup } = session;
  const { puzzle } = setup;
  const verdict = session.retrying?.verdict;
  const isSolved = current.moves()[tip.ply] === puzzle.solution || Boolean(verdict && isGood(puzzle, verdict));
  const text = puzzle.fault ? "Next mistake" : "Next puzzle";
  const offers = [{ key: "next", text, action: nextPuzzle, kind: isSolved ? "primary" : "" }];
  if (!current.isWithin(tip)) offers.unshift({ key: "again", text: "Try again", action: () => session.go(tip), kind: isSolved ? "" : "primary" });
  if (!isSolved) offers.push({ key: "solution", text: "Solution", action: showSolution });
  return offers;
};

// Lists the buttons of a step of a lesson.
const offersOfLesson = (session, { nextStep, repeatStep, showAnswer, playAfterLesson }) => {
  const { current, tip, verdict, setup } = session;
  const { number, of } = setup.lesson;
  if (!tip.isWithin(current)) return [{ key: "game", text: "Back to the lesson", action: () => session.backToGame(), kind: "primary" }];
  const [isLast, isRight] = [number === of, verdict?.isRight];
  const offers = [];
  if (isRight && !isLast) offers.push({ key: "step", text: "Next", action: nextStep, kind: "primary" });
  if (isRight && isLast) offers.push({ key: "play", text: "Play", action: playAfterLesson, kind: "primary" });
  if (verdict) offers.push({ key: "again", text: "Try again", action: repeatStep, kind: isRight ? "" : "primary" });
  else offers.push({ key: "answer", text: "Show me", action: showAnswer, picture: "hint" });
  if (!isRight && !isLast) offers.push({ key: "skip", text: "Skip", action: nextStep });
  return offers;
};

// Lists the buttons of a shared board. `act(action)` tells the server, `links()` shows the links again.
const offersOfShared = (session, { act, links }) => {
  const { seat, asks, tokens } = session.setup.shared;
  const offers = [];
  const offer = (key, text, action, kind = "") => offers.push({ key, text, action, kind });
  if (seat && !session.result && asks) {
    if (asks !== seat) offer("allow", "Allow", () => act("allow"), "primary");
    offer("refuse", asks === seat ? "Withdraw the request" : "Refuse", () => act("refuse"));
  } else if (seat && !session.result && session.tip.path().some(({ state }) => state.player && session.side(state.player) === seat)) {
    offer("ask", "Ask to undo", () => act("ask"));
  }
  if (tokens) offer("links", "Links", links);
  return offers;
};

// Lists the buttons for a person's actions beside moves on the board.
export const offersOf = (session, actions) => {
  const { press, newGame, rematch, moveNow, review, startLesson, send, practise, isReviewable, hasLesson, hasMistakes } = actions;
  const { state } = session.current;
  const offers = [];
  for (const { label, kind, index, move } of session.mayPlay ? buttons(session.game, state) : []) {
    const picture = kind === "swap" ? "swap" : null;
    offers.push({ key: `press ${move}`, text: label, action: () => press(index), kind: `primary ${kind}`, picture, move });
  }
  if (session.setup.lesson) return [...offers, ...offersOfLesson(session, actions)];
  if (session.setup.puzzle) return [...offers, ...offersOfPuzzle(session, actions)];
  if (session.setup.shared && !session.exploring) offers.push(...offersOfShared(session, actions));
  if (!session.exploring && hasMoveToSend(session))
    offers.push({ key: "send", text: "Link for your friend", action: send, kind: "primary" });
  if (session.exploring) {
    const text = session.returnTarget === session.tip ? "Back to the game" : "Leave the variation";
    offers.push({ key: "game", text, action: () => session.backToGame(), kind: "primary" });
    if (!state.outcome && !session.setup.shared) offers.push({ key: "on", text: "Play from here", action: () => session.history.playOn() });
  } else if (session.result) {
    const { nextLevel } = session;
    if (nextLevel) offers.push({ key: "harder", text: `Try ${nextLevel}`, action: () => rematch(nextLevel), kind: "primary" });
    if (session.setup.opened || isWithFriend(session)) offers.push({ key: "new", text: "New game", action: newGame, kind: "primary" });
    else offers.push({ key: "rematch", text: "Rematch", action: () => rematch(), kind: nextLevel ? "" : "primary" });
  } else if (session.allEngines) {
    offers.push(
      session.running
        ? { key: "pause", text: "Pause", action: () => session.engineTurns.setRunning(false), picture: "pause" }
        : { key: "start", text: "Start", action: () => session.engineTurns.setRunning(true), kind: "primary", picture: "start" },
      { key: "pace", content: pace(session) },
    );
  } else if (session.thinking && session.mayHurry) {
    offers.push({ key: "now", text: "Move now", action: moveNow });
  } else if (session.isEngineStalled) {
    offers.push({ key: "proceed", text: "Let the engine move", action: () => session.engineTurns.proceed() });
  }
  if (isReviewable && !session.exploring) offers.push({ key: "review", text: "Review", action: review, kind: "review" });
  if (hasMistakes && session.result && !session.exploring) offers.push({ key: "mistakes", text: "Your mistakes", action: practise });
  if (hasLesson && !session.exploring) offers.push({ key: "lesson", text: "Lesson", action: startLesson, picture: "learn" });
  // Without offers, the space shows how far each player is from a connection.
  const far = offers.length || !session.mayUseEngine ? "" : distances(state, session.players);
  if (far) offers.push({ key: far, content: html("p", { class: "quiet" }, far) });
  return offers;
};
