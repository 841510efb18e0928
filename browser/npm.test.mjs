// The npm package in a fresh project: `browser/pack && node --test browser/npm.test.mjs`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../target", import.meta.url));
const packed = join(target, "npm");
const project = mkdtempSync(join(tmpdir(), "hexzero-npm-"));

// The example of the package's page.
const [, EXAMPLE] = readFileSync(new URL("npm/README.md", import.meta.url), "utf8").match(/```js\n([^]*?)```/);

const run = (script) => {
  writeFileSync(join(project, "script.mjs"), script);
  return execFileSync("node", ["script.mjs"], { cwd: project, encoding: "utf8" });
};

let began;

before(() => {
  began = Date.now();
  const [file] = readdirSync(packed).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(project, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", join(packed, file)], { cwd: project });
});

after(() => rmSync(project, { recursive: true }));

test("it plays a first move within 30 seconds of being installed", (context) => {
  const move = run(`
    import { load } from "hexzero-wasm";
    const engine = await load();
    await engine.loadModel("hex");
    console.log((await engine.bestMove({ game: "hex", size: 11, moves: [] }, { seconds: 1 })).move);`);
  assert.match(move, /^[a-k]\d+\n$/);
  const seconds = (Date.now() - began) / 1000;
  context.diagnostic(`${seconds} s from the package to the first move`);
  assert.ok(seconds < 30, `${seconds} s`);
});

test("the example of its page runs", () => {
  const lines = run(EXAMPLE).trim().split("\n");
  assert.ok(lines.length > 3, "updates of the analysis");
  assert.match(lines.at(-2), /^\d+ % with [a-k]\d+$/);
  assert.match(lines.at(-1), /^[a-k]\d+$/);
});

test("its types fit", (context) => {
  try {
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "typescript@5"], { cwd: project, stdio: "pipe" });
  } catch {
    return context.skip("typescript cannot be installed");
  }
  const check = (name, script) => {
    writeFileSync(join(project, name), script);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", name];
    execFileSync("npx", ["tsc", ...options], { cwd: project, encoding: "utf8" });
  };
  check("example.mts", EXAMPLE);
  check("all.mts", `
    import { load, obstacle, type Analysis, type BestMove, type Position } from "hexzero-wasm";
    const why: string | null = obstacle();
    const engine = await load({ seed: 1, mebibytes: 64 });
    await engine.loadModel("hex", new Uint8Array());
    const positions: Position[] = await engine.positions({ game: "hex", size: 5 }, 0);
    const found: BestMove = await engine.bestMove({ game: "hex", size: 5 }, { visits: 10, level: "full" });
    const analysis: Analysis = await engine.analyse({ game: "hex", size: 5 }, { onUpdate: ({ visits }) => visits + 1 });
    console.log(why, positions.length, found.win + found.visits, analysis.lines[0].prior);
    engine.stop();
  `);
  assert.throws(() => check("wrong.mts", 'import { load } from "hexzero-wasm"; load({ seeds: 1 });'), ({ stdout }) => /seeds/.test(stdout));
});

test("searches wait for each other, end when told, and name what is wrong", () => {
  const output = run(`
    import { load } from "hexzero-wasm";
    const engine = await load({ seed: 1 });
    const game = { game: "hex", size: 5, moves: ["a1"] };
    const said = async (work) => console.log(await work().then(() => "no error", (error) => error.message));
    await said(() => engine.bestMove(game, { visits: 1 }));
    await engine.loadModel("hex");
    const [first, second] = await Promise.all([engine.bestMove(game, { visits: 50 }), engine.bestMove({ ...game, moves: [] }, { visits: 60 })]);
    console.log(first.visits, second.visits, (await engine.positions(game, 0)).length);
    const endless = engine.analyse(game, { seconds: 60, onUpdate: () => engine.stop() });
    console.log((await endless).done);
    const broken = () => { throw new Error("a fault of the callback"); };
    await said(() => engine.analyse(game, { seconds: 60, onUpdate: broken }));
    await engine.loadModel("hex-noswap");
    console.log(typeof (await engine.bestMove({ ...game, game: "hex-noswap" }, { visits: 50 })).move);
    await said(() => engine.bestMove({ ...game, moves: ["z9"] }));
    await said(() => engine.loadModel("hex", new Uint8Array([1, 2, 3])));
    await said(() => load({ wasm: new URL("package.json", import.meta.url) }));
    // As in a browser that has it switched off.
    Promise.try ??= () => null;
    delete globalThis.WebAssembly;
    await said(load);
  `).trim().split("\n");
  assert.equal(output[0], "the model of Hex is not loaded");
  assert.deepEqual(output.slice(1, 5), ["50 60 2", "true", "a fault of the callback", "string"]);
  assert.match(output[5], /^move 1, 'z9': /);
  assert.match(output[6], /^checkpoint hex: not a hexzero checkpoint, or damaged: /);
  assert.match(output[7], /WebAssembly/);
  assert.equal(output[8], "This browser has no WebAssembly, which the engine needs.");
});
