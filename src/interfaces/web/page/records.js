// Games as JSON lines: one game a line, several in a file.

import { gameOf, seatNames } from "./games.js";

// What docs/formats.md says of a game: who gave up stands in place of the result.
export const write = ({ game, size, moves, ended, outcome }) => {
  const record = { game, size, moves };
  if (ended) {
    record.resigned = ended.loser;
    if (ended.reason === "time") record.on_time = true;
  } else if (outcome) {
    record.result = outcome.winner ?? "draw";
  }
  return JSON.stringify(record);
};

export const ofSession = (session) => {
  const line = session.tip.path();
  return write({
    game: session.setup.game,
    size: session.setup.size,
    moves: session.tip.moves(),
    ended: session.ended,
    outcome: line.at(-1).state.outcome,
  });
};

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
    const { size, moves } = record;
    const { least, most } = game.boards;
    if (!Number.isInteger(size) || size < least || size > most)
      throw wrong(`the size must be a number from ${least} to ${most}.`);
    if (!Array.isArray(moves) || moves.some((move) => typeof move !== "string"))
      throw wrong("the moves must be a list of names.");
    const { result = null, resigned = null } = record;
    const players = seatNames(game);
    if (result !== null && result !== "draw" && !players.includes(result))
      throw wrong(`the result must be ${players.join(", ")}, draw or null.`);
    if (resigned !== null && !players.includes(resigned))
      throw wrong(`resigned must name who gave up, ${players.join(" or ")}, or be null.`);
    records.push({
      game: game.id,
      size,
      moves,
      result,
      resigned,
      on_time: record.on_time === true,
    });
  });
  if (!records.length) throw new Error("There is no game in this file.");
  return records;
};

export const download = (text, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
