// What the page asks for by address. This is the only module that fetches. Addresses are relative to the page's own, so that it
// may lie below any path.

import { Lost, Refused } from "./errors.js";

// Rejects with `Lost` if the server cannot be reached, and with `Refused` and its reason if it does not give it.
const ask = async (path, query = {}, options = {}) => {
  const url = new URL(path, document.baseURI);
  url.search = new URLSearchParams(query);
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Lost("The server cannot be reached.");
  }
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  return answer;
};

const json = async (...asked) => (await ask(...asked)).json();

// The games that are offered, the levels, and the run that is watched.
export const about = () => json("api/about");

// The layout of a game's board.
export const layout = (game, size) => json("api/layout", { game, size });

// The opening map that ships for a board, or null.
export const openingMap = (game, size) => json("api/openings", { game, size });

// Games of a text, in another form: `tree`, `jsonl`, `sgf` or `hexworld`.
export const converted = (text, form) => json("api/games", { to: form }, { method: "POST", body: text });

// The progress of the training run.
export const run = () => json("api/run");

// Its latest games, one a line.
export const runGames = async () => (await ask("api/run/games")).text();
