// The sentence about the game: whose turn it is, how the game ended, or what is tried in a variation.

import { buttonNamed } from "../board_ui/picks.js";
import { capital, percent, sentence } from "../board_ui/text.js";
import { ENGINE, FRIEND, PERSON, isWithFriend } from "../game/games.js";
import { FAULTS, faultOf } from "../game/reviewer.js";
import { reason, spoken } from "./moves.js";
import { buttons, ending, reasonOf, wasPlayed } from "./sentences.js";

const endStatus = (session, result) => {
  const { winner } = result;
  const person = session.players.find((player) => session.roleOf(player) === PERSON);
  const isMine = !session.allPeople && person;
  const title = !winner
    ? "A draw"
    : !isMine
      ? `${capital(winner)} wins`
      : winner === person
        ? "You win"
        : session.roleOf(winner) === FRIEND
          ? "Your friend wins"
          : "The engine wins";
  // The title already names the winner.
  return { title, text: sentence(reasonOf(session, result)) };
};

const turnStatus = (session, position, mover) => {
  const { game } = session;
  const { state, ply } = position;
  const isYou = !session.allPeople && !session.exploring;
  const goesOn = state.player === mover;
  const turn = isYou ? `Your turn${goesOn ? " again" : ""}` : `${capital(mover)} ${goesOn ? "moves again" : "to move"}`;
  const offers = buttons(game, state);
  const swap = offers.find(({ kind }) => kind === "swap");
  if (swap) return { title: `${isYou ? "You" : capital(mover)} may swap`, text: swap.offer };
  if (offers.length) return { title: turn, text: [...new Set(offers.map(({ offer }) => offer))].join(" ") };
  if (ply === 0) {
    const { task } = game.seats[session.players.indexOf(mover)];
    const toSend = isYou && isWithFriend(session) && !session.setup.shared ? " After your move, send your friend the link." : "";
    const other = session.players.find((player) => player !== mover);
    const warning = isYou && game.swaps && !session.setup.stones ? ` ${capital(other)} may take over a strong first stone.` : "";
    return { title: isYou ? `You are ${mover}` : `${capital(mover)} begins`, text: task + warning + toSend };
  }
  const button = buttonNamed(game, state.move);
  if (button && !goesOn && isYou) {
    const done = `${state.player} ${button.done.split(":")[0]}`;
    return { title: turn, text: `${sentence(done)} ${button.suffered}` };
  }
  return { title: turn, text: position.comment || wasPlayed(session, position) };
};

const playedAndWhy = (session, position) => [wasPlayed(session, position), reason(session, position)].filter(Boolean).join(" ");

// Describes how good the tried move is, and what the answer to it does.
const tryStatus = (session, { position, moves, isBest, loss, share, was }) => {
  const named = moves.map((move) => spoken(session, move)).join(", then ");
  const { current, setup, retrying } = session;
  const answer = current === position ? "" : playedAndWhy(session, current);
  if (setup.puzzle && !setup.puzzle.fault) {
    const wanted = `the ${setup.puzzle.goal === "best" ? "best" : "winning"} move`;
    if (!isBest) return { title: "Not that one", text: answer || `${named} is not ${wanted}.`, busy: session.replying === current };
    const late = setup.puzzle.isLate ? "Not on the first try, so this puzzle comes back later. " : "";
    return { title: "Solved", text: [`${late}${named} is ${wanted}.`, reason(session, position)].filter(Boolean).join(" ") };
  }
  const fault = faultOf(loss);
  const others = isBest ? [] : [`${percent(was.before)} after the best move`];
  if (was.move !== moves.join(" ")) others.push(`${percent(was.after)} after ${spoken(session, was.move)}, as played`);
  const words = [`${capital(retrying.player)}'s win rate is ${percent(share)} after ${named}`, ...others].join("; ");
  const title = isBest ? "The best move" : fault ? capital(FAULTS[fault].words) : "A good move";
  return { title, text: [`${words}.`, answer || reason(session, position)].filter(Boolean).join(" ") };
};

// True if only the other player's answers lie between the move that was tried and the position.
const isAnswered = ({ current, retrying }) => {
  let at = current;
  while (at && at !== retrying.verdict.position && at.state.player !== retrying.player) at = at.parent;
  return at === retrying.verdict.position;
};

const exploringStatus = (session) => {
  const { current, tip } = session;
  const { state, ply, comment } = current;
  if (session.retrying?.verdict && isAnswered(session)) return tryStatus(session, session.retrying.verdict);
  if (session.replying && session.replying === current) return { title: "The engine is thinking", text: wasPlayed(session, current), busy: true };
  if (session.retrying?.from === current) return { title: "Try again", text: `Find a better move for ${session.retrying.player}.` };
  const isTakenBack = session.history.isTakenBack(current);
  const { puzzle } = session.setup;
  if (puzzle && current.moves()[tip.ply] === puzzle.solution) return { title: "The solution", text: playedAndWhy(session, current) };
  const title = current.isWithin(tip) ? `Move ${ply} of ${tip.ply}` : isTakenBack ? `Move ${ply}, taken back` : "A variation";
  const text = state.outcome ? ending(session, state.outcome) : `${capital(state.to_move)} to move. Try moves for both sides.`;
  return { title, text: comment || text };
};

// A mistake of the user's own, to be corrected.
const mistakeStatus = (session, { played, fault, before, after, number, of }, mover) => ({
  title: `${capital(mover)} to move`,
  text:
    `You played ${spoken(session, played)} here, ${FAULTS[fault].words}: ${percent(before)} became ${percent(after)}. Find a better move.` +
    ` Mistake ${number} of ${of}.`,
});

const puzzleStatus = ({ number, of, grade, goal = "win" }, mover) => ({
  title: goal === "win" ? `${capital(mover)} to move and win` : `${capital(mover)} to move`,
  text:
    (goal === "win" ? "Find the only winning move." : "Find the best move: all others are clearly worse.") +
    ` Puzzle ${number} of ${of}, grade ${grade} of 5.`,
});

// A player of a shared board asks to take a move back.
const takeBackStatus = (session) => {
  const { asks, seat } = session.setup.shared;
  if (asks === seat) return { title: "You asked to undo", text: "Your opponent has to agree." };
  const asker = capital(session.players[asks === "first" ? 0 : 1]);
  return { title: `${asker} asks to undo`, text: seat ? "Allow it, refuse it, or just play on." : "" };
};

// A step of a lesson: what to do, or the verdict on the move.
const lessonStatus = ({ lesson, verdict }) => {
  const { number, of, text, right, wrong } = lesson;
  if (!verdict) return { title: `Step ${number} of ${of}`, text };
  if (!verdict.isRight) return { title: "Not that one", text: wrong };
  return { title: number === of ? "Lesson complete" : "Right", text: right };
};

// The sentence about the game: a title and a text.
export const status = (session) => {
  const { current, result, setup, tip } = session;
  if (setup.lesson && tip.isWithin(current)) return lessonStatus({ lesson: setup.lesson, verdict: session.verdict });
  if (session.exploring) return exploringStatus(session);
  if (result) return endStatus(session, result);
  const { state } = current;
  const mover = state.to_move;
  const { puzzle, shared } = setup;
  if (puzzle) return puzzle.fault ? mistakeStatus(session, puzzle, mover) : puzzleStatus(puzzle, mover);
  if (shared?.asks) return takeBackStatus(session);
  if (session.roleOf(mover) === FRIEND && shared) {
    const text = state.move ? wasPlayed(session, current) : "Their move will appear here.";
    return { title: shared.seat ? "Your friend's turn" : `${capital(mover)} to move`, text };
  }
  if (session.roleOf(mover) === FRIEND) {
    const isSent = session.roleOf(state.player) === PERSON;
    const text = isSent ? "Send your friend the link, and open the one that comes back." : "Open the link that your friend sends.";
    return { title: "Your friend's turn", text };
  }
  if (session.roleOf(mover) !== ENGINE) return turnStatus(session, current, mover);
  const player = capital(mover);
  const title = `${player} to move`;
  const text = state.move ? wasPlayed(session, current) : "";
  if (session.allEngines && !session.running) return { title, text: "The engine plays itself. Press Start to continue." };
  if (session.isEngineStalled && !session.allEngines) return { title, text };
  return { title: session.allEngines ? `${player} is thinking` : "The engine is thinking", text, busy: true };
};
