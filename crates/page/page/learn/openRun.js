// Opens the folder of a run: one that the program trains, or one that was saved here.

import { RUN } from "../engine/learner.js";
import { newId } from "../game/storage.js";
import { knobsIn, visitsIn } from "./recipe.js";

// The files that a run goes on from, by their paths in its folder.
const NEEDED = /^(recipe\.toml|state\.safetensors|metrics\.jsonl|starts-[^/]*|games\/[^/]+\.games|checkpoints\/[^/]+\.safetensors)$/;

// The figures of a line of `metrics.jsonl`, of which a run that was killed may have left a part.
const figuresOf = (line) => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

// Reads the chosen files of a folder. Returns the run, its files and what its iterations brought. Throws an error that says what is wrong.
export const readRun = async (chosen, games) => {
  const inFolder = (file) => file.webkitRelativePath.split("/").slice(1).join("/");
  const parts = chosen.map((file) => [inFolder(file), file]).filter(([path]) => NEEDED.test(path));
  const found = new Map(parts);
  for (const name of ["recipe.toml", "state.safetensors"])
    if (!found.has(name)) throw new Error(`This folder holds no run: there is no ${name} in it.`);
  const recipe = await found.get("recipe.toml").text();
  const game = /^game = "([^"]+)"/m.exec(recipe)?.[1];
  const sizes = [...recipe.matchAll(/^\[\[selfplay\.sizes\]\]\nsize = (\d+)(?:\nweight = ([\d.e-]+))?/gm)];
  if (!games.has(game)) throw new Error(`The recipe of this run names the game '${game}', which is not offered here.`);
  if (!sizes.length) throw new Error("The recipe of this run names no board size.");
  // The board that is played most is the one that the module examines.
  const weighed = sizes.map(([, size, weight = "1"]) => ({ size: Number(size), weight: Number(weight) }));
  const { size } = weighed.reduce((best, one) => (one.weight >= best.weight ? one : best));
  const lines = (await found.get("metrics.jsonl")?.text()) ?? "";
  const entries = lines.split("\n").map(figuresOf).filter(Boolean).map((figures) => ({ figures, exam: null }));
  const files = await Promise.all(parts.map(async ([path, file]) => [`${RUN}/${path}`, new Uint8Array(await file.arrayBuffer())]));
  const run = { id: newId(), begun: Date.now(), game, size, visits: visitsIn(recipe), knobs: knobsIn(recipe, game, size), recipe };
  return { run, files, entries };
};
