// A game with a friend, in which a link takes each move to the other: no server keeps it.

import { addressOfLine } from "./address.js";
import { FRIEND, PERSON } from "./roles.js";

const friendOf = (session) => session.players.find((player) => session.roleOf(player) === FRIEND) ?? null;

export const isWithFriend = (session) => friendOf(session) !== null;

// True if the last move is one that the friend does not know yet.
export const mayBeSent = (session) => {
  const { state } = session.tip;
  if (session.setup.shared || !isWithFriend(session) || session.roleOf(state.player) !== PERSON) return false;
  return Boolean(session.result) || session.roleOf(state.to_move) === FRIEND;
};

// Returns the address with which the friend goes on, as the other player.
export const addressForFriend = (session) => {
  const seat = session.players.indexOf(friendOf(session)) + 1;
  return `#friend/${seat}/${addressOfLine(session.setup, session.tip).slice(1)}`;
};

// Returns the roles for a link that asks the one who opens it to play a seat, by its number.
export const rolesOf = (players, seat) =>
  Object.fromEntries(players.map((player, i) => [player, i + 1 === seat ? PERSON : FRIEND]));
