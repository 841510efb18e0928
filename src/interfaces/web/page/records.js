// Games in files: as JSON lines, one game a line with its variations, or as SGF.

import { fromLine, toLine } from "./branches.js";
import { gameOf, seatNames } from "./games.js";
import { isSgf, readSgf, writeSgf } from "./sgf.js";

// What docs/formats.md says of a game: who gave up stands in place of the result.
const write = ({ game, size, tree, plies, ended, outcome }) => {
  const record = { game, size, ...toLine(tree, plies) };
  if (ended) {
    record.resigned = ended.loser;
    if (ended.reason === "time") record.on_time = true;
  } else if (outcome) {
    record.result = outcome.winner ?? "draw";
  }
  return JSON.stringify(record);
};

export const ofSession = (session) =>
  write({
    game: session.setup.game,
    size: session.setup.size,
    tree: session.tree.toJSON(),
    plies: session.result ? session.tip.ply : Infinity,
    ended: session.ended,
    outcome: session.tip.state.outcome,
  });

// The same as SGF.
export const sgfOfSession = (session) => {
  const { game, setup, players, result, ended } = session;
  const seatOf = (path) => players.indexOf(session.tree.find(path).state.player);
  const winner = result ? (result.winner ? players.indexOf(result.winner) : -1) : null;
  const how = ended ? (ended.reason === "time" ? "T" : "R") : "";
  const { version } = session.about;
  return writeSgf({ game, size: setup.size, tree: session.tree.toJSON(), winner, how }, version, seatOf);
};

// Reads a file of games: SGF, or JSON lines.
export const readFile = (text, about) => (isSgf(text) ? readSgf(text, about) : read(text, about));

// Reads the lines of a file. Throws an error that names the line; that the moves are legal is for the server to say.
export const read = (text, about) => {
  const { games } = about;
  const example = JSON.stringify({ game: games[0].id, size: games[0].boards.default, moves: [] });
  const records = [];
  text.split("\n").forEach((line, i) => {
    if (!line.trim()) return;
    const wrong = (what) => new Error(`Line ${i + 1}: ${what}`);
    let record;
    try {
      record = JSON.parse(line);
    } catch {
      throw wrong(`this is not a game as a line of JSON, such as ${example}.`);
    }
    const game = gameOf(about, record?.game);
    if (!game)
      throw wrong(
        `there is no game named ${JSON.stringify(record?.game)}; there are ${games.map(({ id }) => id).join(", ")}.`,
      );
    const { size } = record;
    const { least, most } = game.boards;
    if (!Number.isInteger(size) || size < least || size > most)
      throw wrong(`the size must be a number from ${least} to ${most}.`);
    let tree;
    try {
      tree = fromLine(record);
    } catch (error) {
      throw wrong(error.message);
    }
    const { result = null, resigned = null } = record;
    const players = seatNames(game);
    if (result !== null && result !== "draw" && !players.includes(result))
      throw wrong(`the result must be ${players.join(", ")}, draw or null.`);
    if (resigned !== null && !players.includes(resigned))
      throw wrong(`resigned must name who gave up, ${players.join(" or ")}, or be null.`);
    records.push({
      game: game.id,
      size,
      tree,
      plies: record.moves.length,
      result,
      resigned,
      on_time: record.on_time === true,
    });
  });
  if (!records.length) throw new Error("There is no game in this file.");
  return records;
};

export const download = (text, name, type = "application/jsonl") => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
