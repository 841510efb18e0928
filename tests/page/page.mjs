// Loads modules of the page as the server shows them: `board_ui` lies in the page's folder there, and all are modules.

import { readFileSync } from "node:fs";
import { register } from "node:module";

const ROOT = new URL("../../crates/", import.meta.url);
const PAGE = new URL("page/page/", ROOT);

const hooks = `
  const [page, shared] = ${JSON.stringify([String(PAGE), String(new URL("board_ui/", ROOT))])};
  export const resolve = (specifier, { parentURL }, next) => {
    if (!specifier.startsWith(".") && !specifier.startsWith("file:")) return next(specifier);
    const url = new URL(specifier, parentURL).href;
    // What the shared scripts import lies beside them.
    const found = url.startsWith(page + "board_ui/") ? url.replace(page + "board_ui/", shared) : url;
    const isOurs = found.startsWith(page) || found.startsWith(shared);
    return isOurs ? { url: found, format: "module", shortCircuit: true } : next(specifier);
  };`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);

// Imports a module by its path in the page, such as "game/clock.js".
export const load = (path) => import(new URL(path, PAGE));

// A layout as the server sends it; a test in Rust keeps those in `data/` so.
export const layoutOf = (game) => JSON.parse(readFileSync(new URL(`data/${game}.json`, import.meta.url)));

// Gives the page storages that have kept nothing yet, each with room for texts of so many letters. Returns what `localStorage` keeps.
export const emptyStorage = (room = Infinity) => {
  const [localStorage, sessionStorage] = [new Map(), new Map()];
  const storage = (kept) => ({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      if (value.length > room) throw new Error("no room");
      kept.set(name, value);
    },
  });
  globalThis.window = { localStorage: storage(localStorage), sessionStorage: storage(sessionStorage) };
  return localStorage;
};

// Runs with a clock of its own, in seconds; `pass(s)` lets time pass.
export const withTime = async (run) => {
  const { now } = performance;
  let time = 0;
  performance.now = () => 1000 * time;
  try {
    await run((seconds) => (time += seconds));
  } finally {
    performance.now = now;
  }
};
