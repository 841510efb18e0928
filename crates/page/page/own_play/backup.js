// Saves all that this browser keeps of a person's play as one file (games, mistakes, reviews, puzzles and lessons), and loads such a file.

import { find } from "../board_ui/elements.js";
import { counted } from "../board_ui/text.js";
import { download } from "../game/records.js";
import { MAX_GAMES, keysOf } from "../game/savedGames.js";
import { keep, recall, recallList } from "../game/storage.js";
import { MAX_MISTAKES } from "./mistakes.js";
import { MAX_REVIEWS } from "./reviews.js";

const VERSION = 1;
// What is kept: the texts by which an entry is known again (two entries with one in common are the same), and the most entries.
const LISTS = {
  games: [keysOf, MAX_GAMES],
  mistakes: [({ id }) => [id], MAX_MISTAKES],
  reviews: [({ key, player }) => [`${player} ${key}`], MAX_REVIEWS],
};
const RECORDS = ["puzzles", "lessons"];

export const asFile = () => {
  const parts = [...Object.keys(LISTS), ...RECORDS].flatMap((name) => {
    const value = recall(name, null);
    return value === null ? [] : [[name, value]];
  });
  return `${JSON.stringify({ hexzero: "kept", version: VERSION, ...Object.fromEntries(parts) })}\n`;
};

// Adds what a file has to what is here, up to the latest that the browser keeps, and returns how many games, mistakes and reviews are new.
// Records of puzzles and lessons are taken from the file where there are none here.
export const restore = (text) => {
  const file = JSON.parse(text);
  if (file?.hexzero !== "kept") throw new SyntaxError("no file of this page");
  if (file.version !== VERSION) throw new Error(`This file has version ${file.version}; this page reads version ${VERSION}.`);
  const counts = {};
  for (const [name, [keysOfEntry, most]] of Object.entries(LISTS)) {
    const here = recallList(name, Boolean);
    const known = new Set(here.flatMap(keysOfEntry));
    const entries = Array.isArray(file[name]) ? file[name].filter(Boolean) : [];
    const fresh = new Set(entries.filter((entry) => !keysOfEntry(entry).some((key) => known.has(key))));
    const kept = [...here, ...fresh].toSorted((a, b) => (b.when ?? 0) - (a.when ?? 0)).slice(0, most);
    if (fresh.size && !keep(name, kept)) throw new Error("There is no room for all of it in this browser.");
    counts[name] = kept.filter((entry) => fresh.has(entry)).length;
  }
  for (const name of RECORDS) if (file[name] && recall(name, null) === null) keep(name, file[name]);
  return counts;
};

// Ties the dialog's controls to it.
export const bindKeeping = () => {
  const say = (text) => (find("kept-note").textContent = text);
  find("save-all").addEventListener("click", () => {
    download(asFile(), "hexzero-kept.json", "application/json");
    say("Saved.");
  });
  find("load-all").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    try {
      const { games, mistakes, reviews } = restore(await file.text());
      const [g, m, r] = [[games, "game"], [mistakes, "mistake"], [reviews, "review"]].map(([n, one]) => counted(n, `new ${one}`, `new ${one}s`));
      say(`${g}, ${m}, ${r}.`);
    } catch (error) {
      say(error instanceof SyntaxError ? "This is not a file that was saved here." : error.message);
    }
    target.value = "";
  });
};
