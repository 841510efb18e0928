// What the page says about a game. The game's own words come from the server.

import { captured, turned } from "./changes.js";
import { sizeText } from "./games.js";
import { buttonOf } from "./picks.js";
import { ENGINE, PERSON } from "./session.js";

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export const list = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

// How long the engine thinks about a move.
const effortText = ({ seconds = null, visits = null }) =>
  visits !== null ? `${count(visits, "visit")} a move` : seconds !== null ? `${seconds} s a move` : "";

export const who = (session, player) => {
  if (session.alone) return session.setup.labels?.players?.[player] || "Person";
  return session.roleOf(player) === PERSON
    ? "You"
    : session.levelOf(player) === "full"
      ? ["Engine", effortText(session.effortOf(player))].filter(Boolean).join(", ")
      : `Engine, ${session.levelOf(player)}`;
};

export const goals = ({ seats }) => `${capital(seats.map(({ name, goal }) => `${name} ${goal}`).join(", "))}.`;

export const boardLabel = (game, size) =>
  `Board${sizeText(game, size) ? `, ${sizeText(game, size)}` : ""}. ${goals(game)}`;

// A piece, for those who do not see it.
export const pieceName = ({ seats }, { owner, symbol = null, number = 0 }) => {
  const whose = owner === null ? (symbol ? "" : "neutral ") : `${seats[owner].name} `;
  return `${whose}${symbol ? `${symbol} ` : ""}${number ? `stack of ${number}` : "stone"}`;
};

// A certain result for the player to move, with the moves of both players that are left at most.
export const certain = ({ value, plies }) =>
  ({ won: "wins", lost: "loses", drawn: "draws" })[value] + (plies ? ` in ${plies}` : "");

// The game's button that a move is, or null.
const buttonNamed = (game, move) => game.actions.find(({ word }) => word === move) ?? null;

// The buttons that may be pressed in a position, with their moves.
export const buttons = (game, state) =>
  state.legal
    .filter((action) => buttonOf(action) !== null)
    .map((action) => ({ ...game.actions[buttonOf(action)], index: buttonOf(action), move: action.name }));

// What a move did to the other player's pieces, each with its verb: "captures" and "turns", or other forms of them.
export const harm = (session, position, verbs = ["captures", "turns"]) => {
  const label = (place) => session.layout.places[place].label;
  return [captured, turned].flatMap((of, i) => {
    const places = of(session.game, position).map(label);
    return places.length ? [`${verbs[i]} ${list(places)}`] : [];
  });
};

const wasPlayed = (session, position) => {
  const { player, move } = position.state;
  const button = buttonNamed(session.game, move);
  if (button) return `${capital(player)} ${button.done}`;
  return [`${capital(player)} played ${move}`, ...harm(session, position, ["capturing", "turning"])].join(", ");
};

// A move in words, for those who listen.
export const told = (session, position) => {
  const { player, move, outcome } = position.state;
  if (!move) return position.comment || (session.setup.stones ? "The position that was set up." : "The board is empty.");
  const button = buttonNamed(session.game, move);
  const words = button
    ? `${capital(player)} ${button.done}`
    : [`${capital(player)} plays ${move}`, ...harm(session, position)].join(" and ");
  const offers = buttons(session.game, position.state).map(({ label }) => label);
  return (
    `${words}.` +
    (outcome ? ` ${capital(outcome.text)}.` : "") +
    (offers.length ? ` Also possible: ${list(offers)}.` : "") +
    (position.comment ? ` Comment: ${position.comment}` : "")
  );
};

const end = (session, result) => {
  const person = session.players.find((player) => session.roleOf(player) === PERSON);
  const mine = !session.alone && person;
  const title = !result.winner
    ? "A draw"
    : mine
      ? result.winner === person
        ? "You win"
        : "The engine wins"
      : `${capital(result.winner)} wins`;
  // The title says already who has won.
  return { title, text: `${capital(result.text.split(": ").at(-1))}.` };
};

const yourTurn = (session, position, mover) => {
  const { game } = session;
  const { state, ply } = position;
  const you = session.alone || session.exploring ? capital(mover) : "You";
  const turn =
    state.player === mover
      ? you === "You"
        ? "Your turn goes on"
        : `${you} goes on`
      : you === "You"
        ? "Your turn"
        : `${you} to move`;
  const offers = buttons(game, state);
  const swap = offers.find(({ kind }) => kind === "swap");
  if (swap) return { title: `${swap.label}?`, text: swap.offer };
  if (offers.length) return { title: turn, text: [...new Set(offers.map(({ offer }) => offer))].join(" ") };
  if (ply === 0) {
    const { task } = game.seats[session.players.indexOf(mover)];
    return { title: you === "You" ? `You are ${mover}` : `${you} begins`, text: task };
  }
  const button = buttonNamed(game, state.move);
  if (button && state.player !== mover && !session.exploring && !session.alone) {
    return { title: `${capital(state.player)} ${button.done.split(":")[0]}`, text: button.suffered };
  }
  return { title: turn, text: position.comment || `${wasPlayed(session, position)}.` };
};

// The sentence about the game: a title and a text.
export const status = (session) => {
  const { current, result, exploring } = session;
  const state = current.state;
  const mover = state.to_move;
  if (!exploring && result) return end(session, result);
  if (exploring && session.replying)
    return { title: "The engine is thinking", text: `${wasPlayed(session, current)}.`, busy: true };
  if (exploring && session.retrying?.from === current)
    return { title: "Try again", text: `Find a better move for ${session.retrying.player}.` };
  if (exploring) {
    const where = current.isWithin(session.tip) ? `Move ${current.ply} of ${session.tip.ply}` : "A variation";
    const text = state.outcome
      ? `${capital(state.outcome.text)}.`
      : `${capital(mover)} to move. Try moves for both sides.`;
    return { title: where, text: current.comment || text };
  }
  if (session.roleOf(mover) === ENGINE) {
    const text = state.move ? `${wasPlayed(session, current)}.` : "";
    if (session.watching && !session.running)
      return { title: `${capital(mover)} to move`, text: "The engine plays itself. Press start to go on." };
    if (session.waiting && !session.watching) return { title: `${capital(mover)} to move`, text };
    return { title: session.watching ? `${capital(mover)} is thinking` : "The engine is thinking", text, busy: true };
  }
  return yourTurn(session, current, mover);
};
