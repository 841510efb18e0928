// Loads modules of the page as the server shows them: `board_ui` lies in the page's folder there, and all are modules.

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
