// The address of a position: its game, board, stones that were set up, and moves with variations. docs/web.md describes the form.

import { branch, emptyTree, treeOf } from "./gameTree.js";
import { addressOfLesson } from "../lessons/lessons.js";
import { SEATS, friendOf } from "./games.js";

// Encodes a name, with the characters that have a meaning in addresses.
const encodeName = (text) => encodeURIComponent(text).replace(/[.()*!'~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

// Writes the tree as a part of an address: the moves in order, with the alternatives to each move in parentheses before it. A star
// follows the move to the position that is shown, an apostrophe and the comment a move with a comment.
export const toAddress = (tree, current) => {
  const marks = (at) => (at === current ? "*" : "") + (at[2] ? `'${encodeName(at[2])}` : "");
  const write = (at) => {
    const [main, ...others] = at[1];
    const beside = others.map((other) => `(${step(other)})`).join("");
    return beside + (main ? step(main) : "");
  };
  const step = (at) => `.${encodeName(at[0])}${marks(at)}${write(at)}`;
  return marks(tree) + write(tree);
};

// No address that the page writes comes near it.
const MAX_READ = 1 << 16;

// Returns the tree of an address, and the moves to the position that is shown, or null. Throws an error if the address is malformed.
export const fromAddress = (text) => {
  const wrong = () => new Error("This link does not contain a valid game.");
  if (text.length > MAX_READ) throw wrong();
  const parts = text.match(/[.'][^.()*']+|[()*]|./gs) ?? [];
  // The last move of a path and the path before it: a list of moves for each position would grow with their square.
  let shown = null;
  let i = 0;
  const takeMarks = (at, path) => {
    if (parts[i] === "*") [shown, i] = [{ path }, i + 1];
    if (parts[i]?.[0] === "'") [at[2], i] = [decodeURIComponent(parts[i].slice(1)), i + 1];
  };
  // Lists the continuations of a position: variations in parentheses, then the main line.
  const follow = (at, path) => {
    for (;;) {
      const others = [];
      for (; parts[i] === "("; i += 1) {
        i += 1;
        const beside = emptyTree();
        follow(beside, path);
        if (parts[i] !== ")" || beside[1].length !== 1) throw wrong();
        others.push(beside[1][0]);
      }
      if (i === parts.length || parts[i] === ")") {
        if (others.length) throw wrong();
        return;
      }
      if (parts[i].length < 2 || parts[i][0] !== ".") throw wrong();
      const next = branch(decodeURIComponent(parts[i].slice(1)));
      at[1].push(next, ...others);
      [at, path, i] = [next, { move: next[0], before: path }, i + 1];
      takeMarks(at, path);
    }
  };
  const tree = emptyTree();
  try {
    takeMarks(tree, null);
    follow(tree, null);
  } catch (error) {
    // Invalid percent-encoding, or variations nested deeper than the stack allows.
    throw error instanceof URIError || error instanceof RangeError ? wrong() : error;
  }
  if (i < parts.length) throw wrong();
  if (!shown) return [tree, null];
  const moves = [];
  for (let at = shown.path; at; at = at.before) moves.push(at.move);
  return [tree, moves.reverse()];
};

const decodeNames = (text) => text.split(".").filter(Boolean).map(decodeURIComponent);

// Writes a position that was set up as the part of an address behind its moves: `/a1.b2;c3;2`; nothing for a game from an empty board.
export const stonesToAddress = (stones) =>
  stones
    ? `/${SEATS.map((seat) => stones[seat].map(encodeName).join(".")).join(";")};${SEATS.indexOf(stones.to_move) + 1}`
    : "";

export const stonesOfAddress = (text) => {
  if (!text) return null;
  const [first, second, seat] = text.split(";");
  try {
    if (seat === "1" || seat === "2") return { first: decodeNames(first), second: decodeNames(second), to_move: SEATS[seat - 1] };
  } catch {
    // Invalid percent-encoding.
  }
  throw new Error("This link does not contain a valid position.");
};

// Longer addresses leave out what was said, and then all but the moves to the position that is shown.
const MAX_ADDRESS = 6000;

// Returns the address of a position with the moves to it alone.
const addressOfLine = ({ game, size, stones }, position) => {
  return `#${game}/${size}/${toAddress(...treeOf(position.moves()))}${stonesToAddress(stones)}`;
};

// Returns the address of the position that is shown, as what follows the page's own.
export const addressOf = (session) => {
  const { setup, current } = session;
  if (setup.lesson) return addressOfLesson(setup.lesson);
  const head = `#${setup.game}/${setup.size}/`;
  const stones = stonesToAddress(setup.stones);
  for (const hasComments of [true, false]) {
    let shown = null;
    const tree = session.tree.toJSON(null, (position, written) => {
      if (!hasComments) written.length = 2;
      if (position === current) shown = written;
    });
    const whole = head + toAddress(tree, shown) + stones;
    if (whole.length <= MAX_ADDRESS) return whole;
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

// Returns the address with which the friend goes on, as the other player.
export const addressForFriend = (session) => {
  const seat = session.players.indexOf(friendOf(session)) + 1;
  return `#friend/${seat}/${addressOfLine(session.setup, session.tip).slice(1)}`;
};
