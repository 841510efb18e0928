// Requests of the page beside the messages to the engine: games, boards, conversion of files. A server answers, or where there is
// none, the engine in this tab. Addresses are relative to the page's own, so that it may lie below any path.

import { once } from "../engine/once.js";
import { tabEngine } from "../engine/tab.js";
import { ConnectionLost, RequestRefused } from "./connection.js";

// True if the page lies among plain files, without a server (`hexzero serve site`).
export const isSite = () => document.documentElement.hasAttribute("data-site");

// Rejects with `ConnectionLost` if the server cannot be reached, with `RequestRefused` and its reason if it refuses.
const fetched = async (path, query = {}, options = {}) => {
  const url = new URL(path, document.baseURI);
  url.search = new URLSearchParams(query);
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new ConnectionLost("The server cannot be reached.");
  }
  if (!answer.ok) throw new RequestRefused((await answer.text()).trim());
  return answer;
};

const json = async (path, query, file = null) => {
  if (isSite()) return JSON.parse(await tabEngine().resource(path, query, file ?? ""));
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

// The figures, charts, ratings and games of the training run.
export const runHistory = () => json("run/history");

// Resolves with what the network after a step of the training run thinks of the position after some moves.
export const runOpinion = (step, size, moves) => json("run/opinion", { step, size, moves: moves.join(",") });

// The cluster that plays for the training run; null if none does.
export const runCluster = () => json("run/cluster");

// The latest games of the training run, one a line.
export const runGames = async () => (await fetched("api/run/games")).text();

// Keeps the boards of the games, as the server lays them out: each is asked for once.
export class Layouts {
  #known = new Map();

  // The layout of a game's board of some size. Fails as a request does.
  get(game, size) {
    return once(this.#known, `${game} ${size}`, () => layout(game, size));
  }
}
