// Games in the Smart Game Format (SGF, FF[4]) with variations and comments. A game that has no number there is named by the
// property HZ, and its moves are in its own notation: docs/formats.md.

import { branch, start } from "./branches.js";

const LETTERS = ["B", "W"];

const escaped = (text) => text.replace(/[\]\\]/g, "\\$&");

// Writes a game: `{ game, size, tree, ended, outcome }`. Whose a move is, `seatOf(moves)` tells.
export const writeSgf = ({ game, size, tree, winner, how }, version, seatOf) => {
  const foreign = (move) => game.actions.find(({ word }) => word === move)?.foreign ?? move;
  const comment = ([, , text]) => (text ? `C[${escaped(text)}]` : "");
  const node = (at, path) => `;${LETTERS[seatOf(path)]}[${escaped(foreign(at[0]))}]${comment(at)}`;
  const after = ([, children], path) => {
    const written = children.map((child) => {
      const longer = [...path, child[0]];
      return node(child, longer) + after(child, longer);
    });
    return written.length > 1 ? written.map((line) => `\n(${line})`).join("") : written.join("");
  };
  const result = winner === null ? "" : `RE[${winner < 0 ? "0" : `${LETTERS[winner]}+${how}`}]`;
  const name = game.sgf === null ? `HZ[${game.id}]` : `GM[${game.sgf}]HZ[${game.id}]`;
  return `(;FF[4]CA[UTF-8]AP[hexzero:${version}]${name}SZ[${size}]${result}${comment(tree)}${after(tree, [])})\n`;
};

const TOKEN = /\s*(?:([();])|([A-Za-z]+)\s*|\[((?:\\[\s\S]|[^\]\\])*)\]|(\S))/gy;

// The nodes of a text: each its properties and the nodes that follow. Throws a sentence about what is wrong.
const parse = (text) => {
  const games = [];
  const open = [];
  let at = null; // the node after which the next one comes
  let values = null;
  for (const [, sign, name, value, other] of text.replace(/^\uFEFF/, "").matchAll(TOKEN)) {
    if (other !== undefined) throw new Error(`This is no game in SGF: '${other}' where a property should be.`);
    if (sign === "(") open.push(at);
    else if (sign === ")") {
      if (!open.length) throw new Error("This is no game in SGF: a parenthesis closes that was not opened.");
      at = open.pop();
    } else if (sign === ";") {
      const node = { properties: {}, next: [] };
      if (!open.length) throw new Error("This is no game in SGF: it does not begin with a parenthesis.");
      (at ? at.next : games).push(node);
      at = node;
    } else if (name !== undefined) {
      if (!at) throw new Error(`This is no game in SGF: ${name} stands before the first node.`);
      values = at.properties[name.replace(/[a-z]/g, "")] ??= [];
    } else if (value !== undefined) {
      if (!values) throw new Error("This is no game in SGF: a value without a property.");
      values.push(value.replace(/\\([\s\S])/g, "$1"));
    }
  }
  if (open.length) throw new Error("This is no game in SGF: a parenthesis is not closed.");
  if (!games.length) throw new Error("There is no game in this file.");
  return games;
};

const read = ({ properties: first, next }, { games }) => {
  const [number, named] = [first.GM?.[0], first.HZ?.[0]];
  const game = games.find(({ id, sgf }) => (named ? id === named : sgf !== null && String(sgf) === number));
  if (!game) throw new Error(`The game ${named ? `'${named}'` : number ? `GM[${number}]` : "of this file"} is not known here.`);
  const size = Number(first.SZ?.[0]?.split(":")[0]);
  const { least, most } = game.boards;
  if (!Number.isInteger(size) || size < least || size > most)
    throw new Error(`The size of the board, SZ, must be from ${least} to ${most}.`);
  const word = (move) => game.actions.find(({ foreign }) => foreign === move)?.word ?? move;
  let loser = null;
  // A node with moves of its own, or without: then what follows belongs to the one before.
  const grow = (at, { properties, next: following }, isMain) => {
    let to = at;
    for (const name of ["AB", "AW", "AE"])
      if (properties[name]) throw new Error(`Stones that were set up (${name}) cannot be opened here.`);
    for (const [seat, letter] of LETTERS.entries()) {
      for (const move of properties[letter] ?? []) {
        if (move === "resign" || move === "forfeit") {
          if (isMain) loser = seat;
          continue;
        }
        const child = branch(word(move.trim()));
        to[1].push(child);
        to = child;
      }
    }
    if (properties.C) to[2] = [to[2], properties.C[0]].filter(Boolean).join("\n");
    following.forEach((one, i) => grow(to, one, isMain && i === 0));
  };
  const tree = start();
  grow(tree, { properties: first, next }, true);
  const result = /^([BW])\+(R|T)/i.exec(first.RE?.[0] ?? "");
  if (result) loser = result[1].toUpperCase() === "B" ? 1 : 0;
  const resigned = loser === null ? null : game.seats[loser].name;
  return { game: game.id, size, tree, resigned, on_time: result?.[2].toUpperCase() === "T", result: null };
};

export const isSgf = (text) => /^\uFEFF?\s*\(\s*;/.test(text);

// The games of a text. Throws an error that says what is wrong.
export const readSgf = (text, about) => parse(text).map((root) => read(root, about));
