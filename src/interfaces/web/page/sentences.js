// What the page says about a game, put together from words.js and the game's own words.

import { captured, turned } from "./changes.js";
import { sizeText } from "./games.js";
import { buttonOf } from "./picks.js";
import { capital, commas, list, say, theirs } from "./say.js";
import { ENGINE, PERSON } from "./session.js";

const sentence = (what) => say("sentence", { what });

// The name of a seat as it is shown.
export const seat = (player) => theirs(player);

export const Seat = (player) => capital(seat(player));

// How long the engine thinks about a move.
const effortText = ({ seconds = null, visits = null }) =>
  visits !== null ? say("effort.visits", { n: visits }) : seconds !== null ? say("effort.seconds", { n: seconds }) : "";

export const who = (session, player) => {
  if (session.alone) return session.setup.labels?.players?.[player] || say("who.person");
  if (session.roleOf(player) === PERSON) return say("who.you");
  const level = session.levelOf(player);
  const how = level === "full" ? effortText(session.effortOf(player)) : say(`level.${level}`);
  return how ? say("who.engine.how", { how }) : say("who.engine");
};

export const goals = ({ seats: [first, second] }) =>
  say("game.goals", { first: seat(first.name), ofFirst: first.goal, second: seat(second.name), ofSecond: second.goal });

export const boardLabel = (game, size) =>
  sizeText(game, size)
    ? say("board.label.size", { size: sizeText(game, size), goals: goals(game) })
    : say("board.label", { goals: goals(game) });

// A piece, for those who do not see it.
export const pieceName = ({ seats }, { owner, symbol = null, number = 0 }) => {
  const plain = number ? say("piece.stack", { n: number }) : say("piece.stone");
  const what = symbol ? say("piece.symbol", { symbol, what: plain }) : plain;
  if (owner !== null) return say("piece.owned", { owner: seat(seats[owner].name), what });
  return symbol ? what : say("piece.neutral", { what });
};

// A certain result for the player to move, with the moves of both players that are left at most.
export const certain = ({ value, plies }) =>
  plies ? say(`certain.${value}.in`, { n: plies }) : say(`certain.${value}`);

// How a game ended: on the board, by resignation or by time.
const reasonOf = (session, { reason, loser }) => {
  if (reason === "resignation" && loser) return say("end.resigned", { player: seat(loser) });
  if (reason === "time") return say("end.time", { player: seat(loser) });
  return session.game.endings.find(({ key }) => key === reason)?.words ?? say("end.other");
};

// The same with who has won.
export const ending = (session, result) => {
  const how = reasonOf(session, result);
  return sentence(result.winner ? say("end.wins", { player: seat(result.winner), how }) : say("end.draw", { how }));
};

// The game's button that a move is, or null.
const buttonNamed = (game, move) => game.actions.find(({ word }) => word === move) ?? null;

// The buttons that may be pressed in a position, with their moves.
export const buttons = (game, state) =>
  state.legal
    .filter((action) => buttonOf(action) !== null)
    .map((action) => ({ ...game.actions[buttonOf(action)], index: buttonOf(action), move: action.name }));

// What a move did to the other player's pieces: for captures and for turns, the key of what is said.
export const harm = (session, position, keys = ["told.captures", "told.turns"]) => {
  const label = (place) => session.layout.places[place].label;
  return [captured, turned].flatMap((of, i) => {
    const places = of(session.game, position).map(label);
    return places.length ? [say(keys[i], { places: list(places) })] : [];
  });
};

const wasPlayed = (session, position) => {
  const { player, move } = position.state;
  const button = buttonNamed(session.game, move);
  if (button) return sentence(say("told.button", { player: seat(player), done: button.done }));
  const played = say("told.played", { player: seat(player), move });
  return sentence(commas([played, ...harm(session, position, ["told.capturing", "told.turning"])]));
};

// A move in words, for those who listen.
export const told = (session, position) => {
  const { player, move, outcome } = position.state;
  if (!move) return position.comment || say(session.setup.stones ? "told.setup" : "told.start");
  const button = buttonNamed(session.game, move);
  const words = button
    ? say("told.button", { player: seat(player), done: button.done })
    : list([say("told.plays", { player: seat(player), move }), ...harm(session, position)]);
  const offers = buttons(session.game, position.state).map(({ label }) => label);
  return [
    sentence(words),
    outcome && ending(session, outcome),
    offers.length && say("told.possible", { offers: list(offers) }),
    position.comment && say("told.comment", { comment: position.comment }),
  ]
    .filter(Boolean)
    .join(" ");
};

const end = (session, result) => {
  const { winner } = result;
  const person = session.players.find((player) => session.roleOf(player) === PERSON);
  const isMine = !session.alone && person;
  const title = !winner
    ? say("end.title.draw")
    : !isMine
      ? say("end.title.player", { player: seat(winner) })
      : say(winner === person ? "end.title.you" : "end.title.engine");
  // The title says already who has won.
  return { title, text: sentence(reasonOf(session, result)) };
};

const yourTurn = (session, position, mover) => {
  const { game } = session;
  const { state, ply } = position;
  const isYou = !session.alone && !session.exploring;
  const player = seat(mover);
  const goesOn = state.player === mover;
  const turn = isYou ? say(goesOn ? "turn.yours.on" : "turn.yours") : say(goesOn ? "turn.on" : "turn", { player });
  const offers = buttons(game, state);
  const swap = offers.find(({ kind }) => kind === "swap");
  if (swap) return { title: say("turn.offer", { label: swap.label }), text: swap.offer };
  if (offers.length) return { title: turn, text: [...new Set(offers.map(({ offer }) => offer))].join(" ") };
  if (ply === 0) {
    const { task } = game.seats[session.players.indexOf(mover)];
    return { title: say(isYou ? "turn.you" : "turn.begins", { player }), text: task };
  }
  const button = buttonNamed(game, state.move);
  if (button && !goesOn && isYou) {
    return { title: say("told.button", { player: seat(state.player), done: button.done.split(":")[0] }), text: button.suffered };
  }
  return { title: turn, text: position.comment || wasPlayed(session, position) };
};

const exploring = (session) => {
  const { current, tip } = session;
  const { state, ply, comment } = current;
  if (session.replying) return { title: say("turn.thinking"), text: wasPlayed(session, current), busy: true };
  if (session.retrying?.from === current)
    return { title: say("retry.title"), text: say("retry.text", { player: seat(session.retrying.player) }) };
  const title = current.isWithin(tip) ? say("explore.move", { n: ply, of: tip.ply }) : say("explore.variation");
  const text = state.outcome ? ending(session, state.outcome) : say("explore.text", { player: seat(state.to_move) });
  return { title, text: comment || text };
};

// The sentence about the game: a title and a text.
export const status = (session) => {
  const { current, result } = session;
  if (session.exploring) return exploring(session);
  if (result) return end(session, result);
  const { state } = current;
  const mover = state.to_move;
  if (session.roleOf(mover) !== ENGINE) return yourTurn(session, current, mover);
  const player = seat(mover);
  const text = state.move ? wasPlayed(session, current) : "";
  if (session.watching && !session.running) return { title: say("turn", { player }), text: say("turn.paused") };
  if (session.waiting && !session.watching) return { title: say("turn", { player }), text };
  return { title: session.watching ? say("turn.thinks", { player }) : say("turn.thinking"), text, busy: true };
};

// The game and its board, in short.
export const playing = (game, size) =>
  sizeText(game, size) ? say("game.playing", { title: game.title, size: sizeText(game, size) }) : game.title;
