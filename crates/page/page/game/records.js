// Games as lines of JSON, and in the forms of other programs: those the server reads and writes. docs/formats.md.

import { sentence } from "../board_ui/text.js";
import { converted } from "../server/resources.js";
import { findingOf } from "./findings.js";
import { branch, toLine } from "./gameTree.js";

// What a line begins with: the game, its board, and the stones that were set up.
const headOf = ({ game, size, stones = null }) => ({ game, size, ...(stones && { setup: stones }) });

// The tree with what searches found out, as files keep it.
const withFindings = (tree) =>
  tree.toJSON(null, (position, written) => {
    const [move, children, comment, marks] = written;
    written.splice(0, Infinity, ...branch(move, children, comment, marks, findingOf(position)));
  });

// The game as a line. Who gave up stands in place of the result. `names` are for players without a name of their own.
export const recordOfSession = ({ setup, tree, tip, ended }, names = {}) => {
  const record = { ...headOf(setup), ...toLine(withFindings(tree), tip.ply) };
  const { outcome } = tip.state;
  if (ended) {
    record.resigned = ended.loser;
    if (ended.reason === "time") record.on_time = true;
  } else if (outcome) {
    record.result = outcome.winner ?? "draw";
  }
  const labels = { ...setup.labels, players: { ...names, ...setup.labels?.players } };
  for (const [name, value] of Object.entries(labels)) if (value && Object.keys(value).length) record[name] = value;
  return JSON.stringify(record);
};

// The line through the position that is shown, for those who know no variations.
export const lineOfSession = (session) => {
  const { setup, ended, tip, current } = session;
  const moves = current.line().at(-1).moves();
  const hasEnd = ended && current.isWithin(tip) && moves.length === tip.ply;
  return JSON.stringify({ ...headOf(setup), moves, shown: current.ply, ...(hasEnd && { resigned: ended.loser }) });
};

// Tells what is wrong with a text, without the line if there is only one.
const problem = (error, text) => (text.trim().includes("\n") ? error : error.replace(/^game 1 \(line 1\): /, ""));

const ask = async (text, form) => {
  const told = await converted(text, form);
  if (told.error) throw new Error(sentence(problem(told.error, text)));
  return told;
};

// Returns true for a list of moves, and false for a link or a game.
export const areMoves = (text) => !/^([({<#]|https?:|www\.|hexworld)/.test(text) && !/^\d+[xrmnc\d]*,([a-z:,]|$)/.test(text);

// A list of moves, perhaps numbered, as a game on the board of `setup`.
export const recordOfMoves = (text, setup) => {
  const moves = text.split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word));
  return JSON.stringify({ ...headOf(setup), moves });
};

// Converts games to another form: `sgf`, `jsonl` or `hexworld`. Throws an error that says why not.
export const convert = async (text, form) => (await ask(text, form)).text;

// Reads games in any form, each as a record with its tree.
export const readGames = async (text) => (await ask(text, "tree")).games;

// Reads a kept game, and adds what is known of it beside its line.
export const readKept = async ({ line, id, seats }) => {
  const [game] = await readGames(line);
  return { ...game, ...(id && { id }), seats };
};

// Saves a text, or bytes, as a file.
export const download = (contents, name, type = "application/jsonl") => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([contents], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
