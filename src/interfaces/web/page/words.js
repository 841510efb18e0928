// What the page says about a game.

import { ENGINE, PERSON } from "./session.js";

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export const list = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export const gameTitle = (name) =>
  ({ cachex: "Cachex", hex: "Hex", "hex-noswap": "Hex without the swap" })[name] ?? capital(name);

export const who = (session, player) => {
  if (session.alone) return "Person";
  return session.roleOf(player) === PERSON
    ? "You"
    : session.setup.level === "full"
      ? "Engine"
      : `Engine, ${session.setup.level}`;
};

export const joins = ({ players, sides }) =>
  sides ? `${capital(players[0])} joins row 1 to the last row, ${players[1]} joins column a to the last column.` : "";

// A move in words, for those who listen.
export const told = (position) => {
  const { player, move, cell, captured, outcome, swap } = position.state;
  if (!move) return "The board is empty.";
  const words =
    cell === null
      ? `${capital(player)} swaps: the stone changes colour and place.`
      : `${capital(player)} plays ${move}`;
  const captures = captured.length ? ` and captures ${list(captured)}` : "";
  return (
    words +
    captures +
    (cell === null ? "" : ".") +
    (outcome ? ` ${capital(outcome.text)}.` : "") +
    (swap ? " A swap is possible." : "")
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

const yourTurn = (session, state, mover) => {
  const before = session.current.ply === 0;
  const you = session.alone || session.exploring ? capital(mover) : "You";
  if (state.swap) {
    return {
      title: "Swap?",
      text: `Take over ${session.players[0]}'s stone as your own, mirrored to your sides, or place a stone.`,
    };
  }
  if (state.cell === null && state.move && !session.exploring && !session.alone) {
    return {
      title: `${capital(state.player)} swapped`,
      text: "Your stone changed colour and place. Now it is your turn again.",
    };
  }
  if (state.captured.length) {
    return {
      title: you === "You" ? "Your turn" : `${you} to move`,
      text: `${capital(state.player)} captured ${list(state.captured)}.`,
    };
  }
  if (before) {
    const sides = session.game.sides ? `Join the two ${mover} sides.` : "";
    return {
      title: you === "You" ? `You are ${mover}` : `${you} begins`,
      text: `${sides} Place the first stone.`.trim(),
    };
  }
  return {
    title: you === "You" ? "Your turn" : `${you} to move`,
    text: `${capital(state.player)} played ${state.move}.`,
  };
};

// The sentence about the game: a title and a text.
export const status = (session) => {
  const { current, result, exploring } = session;
  const state = current.state;
  const mover = state.to_move;
  if (!exploring && result) return end(session, result);
  if (exploring) {
    const where = current.isWithin(session.tip) ? `Move ${current.ply} of ${session.tip.ply}` : "A variation";
    const text = state.outcome
      ? `${capital(state.outcome.text)}.`
      : `${capital(mover)} to move. Try moves for both sides.`;
    return { title: where, text };
  }
  if (session.roleOf(mover) === ENGINE) {
    const text = state.move
      ? `${capital(state.player)} played ${state.move}${state.captured.length ? `, capturing ${list(state.captured)}` : ""}.`
      : "";
    if (session.watching && !session.running)
      return { title: `${capital(mover)} to move`, text: "The engine plays itself. Press start to go on." };
    if (session.waiting && !session.watching) return { title: `${capital(mover)} to move`, text };
    return { title: session.watching ? `${capital(mover)} is thinking` : "The engine is thinking", text, busy: true };
  }
  return yourTurn(session, state, mover);
};
