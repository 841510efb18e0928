// Answers requests with the WebAssembly module in Node.js: `node browser/answers.mjs MODULE PRECISION < REQUESTS`. The first line of
// the input is an object with the paths of models by game, the others are requests. Prints the last answer to each.

import { readFileSync } from "node:fs";
import { argv, stdin } from "node:process";
import { createInterface } from "node:readline";

// The package that holds it declares no kind of module.
const source = readFileSync(new URL("../src/interfaces/web/page/engine/hexzero.js", import.meta.url), "utf8");
const { Engine } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const [, , path, precision] = argv;
let last = null;
const engine = await Engine.start(await WebAssembly.compile(readFileSync(path)), { onAnswer: (text) => (last = text), seed: 1, precision });
let isFirst = true;
for await (const line of createInterface({ input: stdin })) {
  if (isFirst) {
    for (const [game, file] of Object.entries(JSON.parse(line))) engine.loadModel(game, file, readFileSync(file));
    isFirst = false;
    continue;
  }
  engine.receive(line);
  while (engine.turn());
  console.log(last);
}
