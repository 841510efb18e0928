// The page that watches a run of the program (`hexzero serve --run`).

import * as server from "../server/resources.js";
import { boardTitle } from "../game/games.js";
import { RunPanel } from "./panel.js";
import { RunReport } from "./report.js";
import { WatchedRun } from "./watchedRun.js";

// Shows the run in `host`.
export const watch = async (host, about) => {
  const run = new WatchedRun(about.run);
  await run.load();
  const game = about.games.find(({ id }) => id === run.run.game);
  if (!game) throw new Error(`This server does not know the game '${run.run.game}' of the run.`);
  host.classList.add("watching");
  document.title = `${run.run.name} · hexzero`;
  const layout = await server.layout(run.run.game, run.run.size);
  run.run.title = boardTitle(game, run.run.size);
  new RunPanel(host, run, game, layout);
  new RunReport(host, run, game);
  await run.examine();
};
