// The positions of a game and of its variations, and the same tree without positions, as it goes into files and addresses. The first
// child of a position is its main continuation.

/**
 * A move of a game without its position: the move (null for the start), the continuations, the main one first, a comment, texts on
 * the board by place, and what a search found: findings.js.
 *
 * @typedef {[string | null, Node[], string?, Record<string, string>?, string?]} Node
 */

export const branch = (move, children = [], comment = "", marks = null, finding = null) => {
  if (finding) return [move, children, comment, marks ?? {}, finding];
  return marks ? [move, children, comment, marks] : comment ? [move, children, comment] : [move, children];
};

export const emptyTree = (children = [], comment = "") => branch(null, children, comment);

// Moves in a row as a tree, and its last position.
export const treeOf = (moves) => {
  const tree = emptyTree();
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

// A line as an object, for JSON: its moves, variations and comments. `ply` is the number of moves of the
// whole game before the line; it ends where the game did, after `most` moves.
const lineOf = (first, ply, most = Infinity) => {
  const [moves, variations, comments, marks, analysis] = [[], [], {}, {}, {}];
  for (let at = first; at; ) {
    const [move, children, comment, texts, finding] = at;
    if (move !== null) moves.push(move);
    const here = ply + moves.length;
    if (comment) comments[here] = comment;
    if (texts && Object.keys(texts).length) marks[here] = texts;
    if (finding) analysis[here] = finding;
    const goesOn = here < most;
    for (const other of children.slice(goesOn ? 1 : 0)) variations.push({ ply: here, ...lineOf(other, here) });
    at = goesOn ? children[0] : null;
  }
  return {
    moves,
    ...(variations.length && { variations }),
    ...(Object.keys(comments).length && { comments }),
    ...(Object.keys(marks).length && { marks }),
    ...(Object.keys(analysis).length && { analysis }),
  };
};

export const toLine = (tree, most = Infinity) => lineOf(tree, 0, most);

// Lines of an analysis that are kept beyond the visit, and moves of each: those that are shown.
const KEPT_LINES = 8;
const KEPT_MOVES = 10;

// An analysis without what takes much room.
const brief = ({ board, ...analysis }) => ({
  ...analysis,
  lines: analysis.lines.slice(0, KEPT_LINES).map((line) => ({ ...line, variation: line.variation.slice(0, KEPT_MOVES) })),
  isKept: true,
});

const nonEmpty = (marks) => (marks && Object.keys(marks).length ? marks : null);

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

export class Position {
  children = []; // the main continuation first
  analysis = null; // the deepest that is known
  chance = null; // what the first player may expect of this position, from 0 to 1
  clocks = null; // seconds that the players have left here, by name
  comment = "";
  marks = null; // texts on the board, by the labels of places
  reviewed = null; // what a review found here: visits and the best line
  finding = null; // what the file says that a search found: findings.js
  latest = null; // the child that was looked at last

  constructor(parent, move, state) {
    this.parent = parent;
    this.move = move;
    this.state = state;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  child(move) {
    return this.children.find((child) => child.move === move) ?? null;
  }

  // From the start to here.
  path() {
    const path = [];
    for (let at = this; at; at = at.parent) path.unshift(at);
    return path;
  }

  moves() {
    return this.path().slice(1).map((position) => position.move);
  }

  // From the start through here to the end, along what was looked at last.
  line() {
    const line = this.path();
    for (let at = this.next(); at; at = at.next()) line.push(at);
    return line;
  }

  next() {
    return this.latest ?? this.children[0] ?? null;
  }

  // Puts the next free letter on a place, or removes what is there. Returns the letter, or null.
  toggleLetter(place) {
    const { [place]: there = null, ...others } = this.marks ?? {};
    const letter = there ? null : (LETTERS.find((one) => !Object.values(others).includes(one)) ?? null);
    const marks = letter ? { ...others, [place]: letter } : others;
    this.marks = Object.keys(marks).length ? marks : null;
    return letter;
  }

  isWithin(other) {
    for (let at = other; at; at = at.parent) if (at === this) return true;
    return false;
  }
}

export class GameTree {
  constructor(state) {
    this.root = new Position(null, null, state);
  }

  add(parent, move, state) {
    const child = new Position(parent, move, state);
    parent.children.push(child);
    return child;
  }

  // Adds moves after a position, with the states after each of them, where they are not there yet. Returns the position after the last.
  addLine(from, moves, states) {
    return states.reduce((at, state, i) => at.child(moves[i]) ?? this.add(at, moves[i], state), from);
  }

  // Makes the line to a position the main one.
  promote(position) {
    for (let at = position; at.parent; at = at.parent) {
      const { children } = at.parent;
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
      at.parent.latest = at;
    }
  }

  // True if a position is on the main line.
  isMain(position) {
    return position.path().every((at) => !at.parent || at.parent.children[0] === at);
  }

  // True if a position is still part of the tree.
  has(position) {
    return position.path().every((at) => (at.parent ? at.parent.children.includes(at) : at === this.root));
  }

  remove(position) {
    const { parent } = position;
    parent.children = parent.children.filter((child) => child !== position);
    if (parent.latest === position) parent.latest = null;
  }

  // Returns what is known of the positions, for `learn`.
  findings() {
    const found = [];
    this.toJSON(null, (position) => {
      const { analysis, chance } = position;
      if (analysis && !analysis.isBrief) found.push({ moves: position.moves(), chance, analysis: brief(analysis) });
    });
    return found;
  }

  // Takes up what was known when the page was left.
  learn(findings) {
    for (const { moves, chance, analysis } of findings) {
      const position = this.find(moves);
      if (position) Object.assign(position, { chance, analysis });
    }
  }

  // The position after some moves, or null.
  find(moves) {
    return moves.reduce((position, move) => position?.child(move) ?? null, this.root);
  }

  // The moves of all lines, as nodes. `onEach(position, branch)` is called for every position.
  toJSON(_key, onEach = null) {
    const write = (position) => {
      const written = branch(position.move, position.children.map(write), position.comment, position.marks, position.finding);
      onEach?.(position, written);
      return written;
    };
    return write(this.root);
  }

  // Builds a tree again; `statesOf(moves, from)` gives the states after `from`, from + 1, … moves.
  static async from([, children, comment = "", marks = null, finding = null], statesOf) {
    const tree = new GameTree((await statesOf([], 0))[0]);
    tree.root.comment = comment;
    tree.root.marks = nonEmpty(marks);
    tree.root.finding = finding;
    // Each line to a leaf is asked for at once, without what it shares with the line before.
    const grow = async (parent, branches) => {
      for (const branch of branches) {
        const line = [branch];
        while (line.at(-1)[1].length) line.push(line.at(-1)[1][0]);
        const states = await statesOf([...parent.moves(), ...line.map(([move]) => move)], parent.ply + 1);
        const grown = [];
        line.forEach(([move, , said = "", texts = null, found = null], i) => {
          const before = grown.at(-1) ?? parent;
          // A variation may stand in a file twice.
          const position = before.child(states[i].move) ?? tree.add(before, states[i].move ?? move, states[i]);
          position.comment ||= said;
          position.marks ??= nonEmpty(texts);
          position.finding ??= found;
          grown.push(position);
        });
        for (const [i, position] of grown.entries()) await grow(position, line[i][1].slice(1));
      }
    };
    await grow(tree.root, children);
    return tree;
  }
}
