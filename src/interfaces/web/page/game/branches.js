// The moves of a game with its variations, without positions: [move, [continuations], comment, texts on the board by place], the
// main one first, from the start, which has no move. In this form games go into files and addresses, and come out of them.

export const branch = (move, children = [], comment = "", marks = null) =>
  marks ? [move, children, comment, marks] : comment ? [move, children, comment] : [move, children];

export const start = (children = [], comment = "") => branch(null, children, comment);

// Moves in a row as a tree, and its last position.
export const treeOf = (moves) => {
  const tree = start();
  let last = tree;
  for (const move of moves) {
    const next = branch(move);
    last[1].push(next);
    last = next;
  }
  return [tree, last];
};

// The moves of the main line.
export const mainLine = (tree) => {
  const moves = [];
  for (let [next] = tree[1]; next; [next] = next[1]) moves.push(next[0]);
  return moves;
};

// A line as an object, for JSON: its moves, what stands beside them, and what was said. `ply` is the number of moves of the
// whole game before the line; it ends where the game did, after `most` moves.
const lineOf = (first, ply, most = Infinity) => {
  const [moves, variations, comments, marks] = [[], [], {}, {}];
  for (let at = first; at; ) {
    const [move, children, comment, texts] = at;
    if (move !== null) moves.push(move);
    const here = ply + moves.length;
    if (comment) comments[here] = comment;
    if (texts) marks[here] = texts;
    const goesOn = here < most;
    for (const other of children.slice(goesOn ? 1 : 0)) variations.push({ ply: here, ...lineOf(other, here) });
    at = goesOn ? children[0] : null;
  }
  return {
    moves,
    ...(variations.length && { variations }),
    ...(Object.keys(comments).length && { comments }),
    ...(Object.keys(marks).length && { marks }),
  };
};

export const toLine = (tree, most = Infinity) => lineOf(tree, 0, most);

// The tree as a part of an address: moves one after another, and before the next one what could have been played in its
// place, in parentheses. The one that is looked at is followed by a star, and what was said of it by an apostrophe and that.
const plain = (text) =>
  encodeURIComponent(text).replace(/[.()*!'~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

export const toAddress = (tree, current) => {
  const marks = (at) => (at === current ? "*" : "") + (at[2] ? `'${plain(at[2])}` : "");
  const write = (at) => {
    const [[main, ...others]] = [at[1]];
    const beside = others.map((other) => `(${step(other)})`).join("");
    return beside + (main ? step(main) : "");
  };
  const step = (at) => `.${plain(at[0])}${marks(at)}${write(at)}`;
  return marks(tree) + write(tree);
};

// No address that the page writes comes near it.
const LONGEST_READ = 1 << 16;

// The tree of an address, and the moves to the one that is looked at, null if none is. Throws an error if it is none.
export const fromAddress = (text) => {
  const wrong = () => new Error("This link does not contain a valid game.");
  if (text.length > LONGEST_READ) throw wrong();
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
        const beside = start();
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
  const tree = start();
  try {
    takeMarks(tree, null);
    follow(tree, null);
  } catch (error) {
    // Signs that stand for no letter, and more variations in variations than there is room for.
    throw error instanceof URIError || error instanceof RangeError ? wrong() : error;
  }
  if (i < parts.length) throw wrong();
  if (!shown) return [tree, null];
  const moves = [];
  for (let at = shown.path; at; at = at.before) moves.push(at.move);
  return [tree, moves.reverse()];
};
