// The address of a position: its game, board, and moves with variations.

import { stonesOfAddress, stonesToAddress } from "./arrangement.js";
import { fromAddress, toAddress, treeOf } from "./branches.js";

// Longer addresses leave out what was said, and then all but the moves to the position that is shown.
const LONGEST = 6000;

// Returns the address of a position with the moves to it alone.
export const addressOfLine = ({ game, size, stones }, position) => {
  return `#${game}/${size}/${toAddress(...treeOf(position.moves()))}${stonesToAddress(stones)}`;
};

// Returns what a position's address has behind the page's.
export const addressOf = (session) => {
  const { setup, current } = session;
  const head = `#${setup.game}/${setup.size}/`;
  const stones = stonesToAddress(setup.stones);
  for (const hasComments of [true, false]) {
    let shown = null;
    const tree = session.tree.toJSON(null, (position, written) => {
      if (!hasComments) written.length = 2;
      if (position === current) shown = written;
    });
    const whole = head + toAddress(tree, shown) + stones;
    if (whole.length <= LONGEST) return whole;
  }
  return addressOfLine(setup, current);
};

// The game of such an address, with the moves to the position that it shows; null if there is none in it. `seat` is the number
// of the seat that a friend's link gives to the one who opens it, else null.
export const gameOfAddress = (hash, { games }) => {
  if (hash.length < 2) return null;
  const [, seat = null, rest] = /^#(?:friend\/([12])\/)?(.*)$/s.exec(hash);
  const [id, size, moves = "", stones = ""] = rest.split("/");
  const game = games.find((one) => one.id === id);
  if (!game || !/^\d+$/.test(size ?? "")) throw new Error("This link does not contain a valid game.");
  const [tree, current] = fromAddress(moves);
  return { game: id, size: Number(size), stones: stonesOfAddress(stones), tree, current, seat: seat && Number(seat) };
};
