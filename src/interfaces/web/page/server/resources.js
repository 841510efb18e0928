// What the page asks for beside the messages to the engine: games, boards, conversion of files. A server answers, or where there is
// none, the engine in this tab. Addresses are relative to the page's own, so that it may lie below any path.

import { theTab } from "../engine/tab.js";
import { Lost, Refused } from "./errors.js";

// True if the page lies among plain files, without a server (`hexzero site`).
export const isSite = () => document.documentElement.hasAttribute("data-site");

// Rejects with `Lost` if the server cannot be reached, and with `Refused` and its reason if it does not give it.
const fetched = async (path, query = {}, options = {}) => {
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

const json = async (path, query, file = null) => {
  if (isSite()) return JSON.parse(await theTab().resource(path, query, file ?? ""));
  const options = file === null ? {} : { method: "POST", body: file };
  return (await fetched(`api/${path}`, query, options)).json();
};

// The games that are offered, the levels, and the run that is watched.
export const about = async () => (await fetched(isSite() ? "about.json" : "api/about")).json();

// The layout of a game's board.
export const layout = (game, size) => json("layout", { game, size });

// The opening map that ships for a board, or null.
export const openingMap = (game, size) => json("openings", { game, size });

// The puzzles of a game: docs/formats/puzzles.md.
export const puzzles = async (game) => (await fetched(`puzzles/${game}.json`)).json();

// Games of a text, in another form: `tree`, `jsonl`, `sgf` or `hexworld`.
export const converted = (text, form) => json("games", { to: form }, text);

// The progress of the training run.
export const run = () => json("run");

// Its latest games, one a line.
export const runGames = async () => (await fetched("api/run/games")).text();
