// Sentences of the page about a game, put together from its own words and the game's.

import { changesOf } from "../board_ui/changes.js";
import { buttonOf } from "../board_ui/picks.js";
import { capital, commas, counted, list, percent, sentence } from "../board_ui/text.js";
import { FAULTS, faultOf } from "../game/faults.js";
import { sizeText } from "../game/games.js";
import { ENGINE, FRIEND, PERSON } from "../game/roles.js";
import { spoken } from "./moves.js";
import { harm, reason } from "./reasons.js";

// Returns the engine's time for a move, in words.
const effortText = ({ seconds = null, visits = null }) =>
  visits !== null ? counted(visits, "visit a move", "visits a move") : seconds !== null ? `${seconds} s a move` : "";

// How strong the engine is as a player: its level, or at full strength what it may think; nothing for a person.
export const strengthOf = (session, player) => {
  if (session.roleOf(player) !== ENGINE) return "";
  const level = session.levelOf(player);
  return level === "full" ? effortText(session.effortOf(player)) : level;
};

const ROLES = { [PERSON]: "You", [FRIEND]: "Friend", [ENGINE]: "Engine" };

// Who plays each side, for a game that is kept; null for two people at one board, of whom nothing more is known.
export const seatsOf = (session) => {
  if (session.alone) return session.setup.seats ?? null;
  const isWatched = session.setup.shared && !session.setup.shared.seat;
  const role = (player) => (isWatched ? "Player" : ROLES[session.roleOf(player)]);
  const words = (player) => [role(player), strengthOf(session, player)].filter(Boolean).join(", ");
  return Object.fromEntries(session.players.map((player) => [player, words(player)]));
};

// The names of those players of a file that are engines.
export const engineNames = (session) => {
  const engines = session.players.filter((player) => session.roleOf(player) === ENGINE);
  return Object.fromEntries(engines.map((player) => [player, ["hexzero", strengthOf(session, player)].filter(Boolean).join(", ")]));
};

export const who = (session, player) => {
  const { labels, seats } = session.setup;
  if (session.alone) return labels?.players?.[player] || seats?.[player] || "Person";
  return seatsOf(session)[player];
};

export const goals = ({ seats: [first, second] }) =>
  `${capital(first.name)} ${first.goal}, ${second.name} ${second.goal}.`;

export const boardLabel = (game, size) =>
  sizeText(game, size) ? `Board, ${sizeText(game, size)}. ${goals(game)}` : `Board. ${goals(game)}`;

// A piece, for those who do not see it.
export const pieceName = ({ seats }, { owner, symbol = null, number = 0 }) => {
  const plain = number ? `stack of ${number}` : "stone";
  const what = symbol ? `${symbol} ${plain}` : plain;
  if (owner !== null) return `${seats[owner].name} ${what}`;
  return symbol ? what : `neutral ${what}`;
};

// A certain result, as a verb of the player to move.
export const VERBS = { won: "wins", lost: "loses", drawn: "draws" };

// A certain result for the player to move, with the moves of both players that are left at most.
export const certain = ({ value, plies }) => VERBS[value] + (plies ? ` in ${plies}` : "");

// Tells how a game ended: on the board, by resignation or by time.
const reasonOf = (session, { reason, loser }) => {
  if (reason === "resignation" && loser) return `${loser} resigns`;
  if (reason === "time") return `${loser} ran out of time`;
  return session.game.endings.find(({ key }) => key === reason)?.words ?? "the game is over";
};

// The same with who has won.
export const ending = (session, result) => {
  const how = reasonOf(session, result);
  return sentence(result.winner ? `${result.winner} wins: ${how}` : `draw: ${how}`);
};

// The game's button that a move is, or null.
const buttonNamed = (game, move) => game.actions.find(({ word }) => word === move) ?? null;

// The buttons that may be pressed in a position, with their moves.
export const buttons = (game, state) =>
  state.legal
    .filter((action) => buttonOf(action) !== null)
    .map((action) => ({ ...game.actions[buttonOf(action)], index: buttonOf(action), move: action.name }));

const PRESENT = 0;
const PAST = 1;

// A move in words, by what it changed: which tells more to the ear than its name in files. `tense` is of the verb.
const deed = (session, position, tense) => {
  const { player, move, pieces } = position.state;
  const { placed, moved, removed } = changesOf(position.state);
  const { places } = session.layout;
  const label = (place) => places[place].label;
  if (moved.length) {
    const ways = moved.map(([from, to]) => `${label(from)} to ${label(to)}`);
    return `${["moves", "moved"][tense]} ${list(ways)}`;
  }
  const before = position.parent?.state.pieces ?? [];
  const left = removed.find((place) => before[place]?.owner === session.players.indexOf(player));
  const reached = pieces.flatMap((piece, place) =>
    piece && place !== left && JSON.stringify(piece) !== JSON.stringify(before[place]) ? [label(place)] : [],
  );
  if (left !== undefined && reached.length)
    return `${["spreads", "spread"][tense]} ${label(left)} over ${list(reached)}`;
  const [place, ...more] = placed;
  const { number = 0, symbol = null } = pieces[place] ?? {};
  if (places[place]?.kind === "edge") {
    const filled = `${["fills", "filled"][tense]} edge ${label(place)}`;
    const cells = list(more.map((cell) => `cell ${label(cell)}`));
    return more.length ? `${filled} and ${["takes", "took"][tense]} ${cells}` : filled;
  }
  if (number) return `${["puts", "put"][tense]} a stack of ${number} on ${label(place)}`;
  if (symbol) return `${["puts", "put"][tense]} ${symbol} on ${label(place)}`;
  return `${["plays", "played"][tense]} ${spoken(session, move)}`;
};

// Tells how far the players are from joining their sides, in games about that.
export const distances = ({ needs: [one, other], outcome }, [first, second]) =>
  one && other && !outcome
    ? `To join the sides ${first} needs ${counted(one.stones, "stone", "stones")}, ${second} ${other.stones}.`
    : "";

const wasPlayed = (session, position) => {
  const { player, move } = position.state;
  const button = buttonNamed(session.game, move);
  if (button) return sentence(`${capital(player)} ${button.done}`);
  const played = `${capital(player)} ${deed(session, position, PAST)}`;
  return sentence(commas([played, ...harm(session, position, ["capturing", "turning"])]));
};

// A move in words, for those who listen.
export const told = (session, position) => {
  const { player, move, outcome } = position.state;
  if (!move) return position.comment || (session.setup.stones ? "The position that was set up." : "The board is empty.");
  const button = buttonNamed(session.game, move);
  const words = button
    ? `${capital(player)} ${button.done}`
    : list([`${capital(player)} ${deed(session, position, PRESENT)}`, ...harm(session, position)]);
  const offers = buttons(session.game, position.state).map(({ label }) => label);
  return [
    sentence(words),
    outcome && ending(session, outcome),
    offers.length && `Also possible: ${list(offers)}.`,
    position.comment && `Comment: ${position.comment}`,
  ]
    .filter(Boolean)
    .join(" ");
};

const end = (session, result) => {
  const { winner } = result;
  const person = session.players.find((player) => session.roleOf(player) === PERSON);
  const isMine = !session.alone && person;
  const title = !winner
    ? "A draw"
    : !isMine
      ? `${capital(winner)} wins`
      : winner === person
        ? "You win"
        : session.roleOf(winner) === FRIEND
          ? "Your friend wins"
          : "The engine wins";
  // The title says already who has won.
  return { title, text: sentence(reasonOf(session, result)) };
};

const yourTurn = (session, position, mover) => {
  const { game } = session;
  const { state, ply } = position;
  const isYou = !session.alone && !session.exploring;
  const goesOn = state.player === mover;
  const turn = isYou ? `Your turn${goesOn ? " goes on" : ""}` : `${capital(mover)} ${goesOn ? "goes on" : "to move"}`;
  const offers = buttons(game, state);
  const swap = offers.find(({ kind }) => kind === "swap");
  if (swap) return { title: `${isYou ? "You" : capital(mover)} may swap`, text: swap.offer };
  if (offers.length) return { title: turn, text: [...new Set(offers.map(({ offer }) => offer))].join(" ") };
  if (ply === 0) {
    const { task } = game.seats[session.players.indexOf(mover)];
    return { title: isYou ? `You are ${mover}` : `${capital(mover)} begins`, text: task };
  }
  const button = buttonNamed(game, state.move);
  if (button && !goesOn && isYou) {
    const done = `${state.player} ${button.done.split(":")[0]}`;
    return { title: turn, text: `${sentence(done)} ${button.suffered}` };
  }
  return { title: turn, text: position.comment || wasPlayed(session, position) };
};

const playedAndWhy = (session, position) => [wasPlayed(session, position), reason(session, position)].filter(Boolean).join(" ");

// Tells how good the move is that was tried in place of another one, and what the answer to it does.
const verdict = (session, { position, moves, isBest, loss, share, was }) => {
  const named = moves.map((move) => spoken(session, move)).join(", then ");
  const { current, setup, retrying } = session;
  const answer = current === position ? "" : playedAndWhy(session, current);
  if (setup.puzzle) {
    const late = setup.puzzle.isLate ? "Not at the first try: the puzzle comes again. " : "";
    if (isBest) return { title: "Solved", text: [`${late}${named} is the move.`, reason(session, position), answer].filter(Boolean).join(" ") };
    return { title: "Not that one", text: answer || `${named} is not the ${setup.puzzle.goal ? "best" : "winning"} move.`, busy: session.replying === current };
  }
  const fault = faultOf(loss);
  const others = isBest ? [] : [`the best move leaves ${percent(was.before)}`];
  if (was.move !== moves.join(" ")) others.push(`${spoken(session, was.move)}, as played, ${percent(was.after)}`);
  const words = [`${named} leaves ${retrying.player} ${percent(share)}`, ...others].join("; ");
  const title = isBest ? "The best move" : fault ? capital(FAULTS[fault].words) : "A good move";
  return { title, text: [`${words}.`, answer || reason(session, position)].filter(Boolean).join(" ") };
};

// True if a position comes of the other player's answers alone to a move that was tried.
const isAnswered = ({ current, retrying }) => {
  let at = current;
  while (at && at !== retrying.verdict.position && at.state.player !== retrying.player) at = at.parent;
  return at === retrying.verdict.position;
};

const exploring = (session) => {
  const { current, tip } = session;
  const { state, ply, comment } = current;
  if (session.retrying?.verdict && isAnswered(session)) return verdict(session, session.retrying.verdict);
  if (session.replying && session.replying === current) return { title: "The engine is thinking", text: wasPlayed(session, current), busy: true };
  if (session.retrying?.from === current)
    return { title: "Try again", text: `Find a better move for ${session.retrying.player}.` };
  const isTakenBack = session.history.isTakenBack(current);
  const { puzzle } = session.setup;
  if (puzzle && current.moves()[tip.ply] === puzzle.solution) return { title: "The solution", text: playedAndWhy(session, current) };
  const title = current.isWithin(tip) ? `Move ${ply} of ${tip.ply}` : isTakenBack ? `Move ${ply}, taken back` : "A variation";
  const text = state.outcome ? ending(session, state.outcome) : `${capital(state.to_move)} to move. Try moves for both sides.`;
  return { title, text: comment || text };
};

const posed = ({ number, of, grade, goal = "win" }, mover) => ({
  title: goal === "win" ? `${capital(mover)} to move and win` : `${capital(mover)} to move`,
  text:
    (goal === "win" ? "Find the only move that wins." : "Find the best move: every other one is clearly worse.") +
    ` Puzzle ${number} of ${of}, grade ${grade} of 5.`,
});

// Somebody asks to take a move of a shared board back.
const askingBack = (session) => {
  const { asks, seat } = session.setup.shared;
  if (asks === seat) return { title: "You ask to take back", text: "The other player has to allow it." };
  const asker = capital(session.players[asks === "first" ? 0 : 1]);
  return { title: `${asker} asks to take back`, text: seat ? "Allow it, refuse it, or play on." : "" };
};

// The sentence about the game: a title and a text.
export const status = (session) => {
  const { current, result } = session;
  if (session.exploring) return exploring(session);
  if (result) return end(session, result);
  const { state } = current;
  const mover = state.to_move;
  if (session.setup.puzzle) return posed(session.setup.puzzle, mover);
  if (session.setup.shared?.asks) return askingBack(session);
  if (session.roleOf(mover) === FRIEND && session.setup.shared) {
    const text = state.move ? wasPlayed(session, current) : "The move comes here by itself.";
    return { title: session.setup.shared.seat ? "Your friend's turn" : `${capital(mover)} to move`, text };
  }
  if (session.roleOf(mover) === FRIEND) {
    const isSent = session.roleOf(state.player) === PERSON;
    const text = isSent ? "Send your friend the link, and open the one that comes back." : "Open the link that your friend sends.";
    return { title: "Your friend's turn", text };
  }
  if (session.roleOf(mover) !== ENGINE) return yourTurn(session, current, mover);
  const player = capital(mover);
  const title = `${player} to move`;
  const text = state.move ? wasPlayed(session, current) : "";
  if (session.watching && !session.running) return { title, text: "The engine plays itself. Press start to go on." };
  if (session.waiting && !session.watching) return { title, text };
  return { title: session.watching ? `${player} is thinking` : "The engine is thinking", text, busy: true };
};

// The game and its board, in short.
export const playing = (game, size) =>
  sizeText(game, size) ? `${game.title}, ${sizeText(game, size)}` : game.title;
