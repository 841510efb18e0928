// The module that trains, in Node.js: `cargo wasm && node --test browser/learn.test.mjs`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../target", import.meta.url));
const engine = join(target, "tmp", "learn-engine");
const folder = mkdtempSync(join(tmpdir(), "hexzero-learn-"));

// Node.js takes files for modules by the package that they lie in.
mkdirSync(engine, { recursive: true });
writeFileSync(join(engine, "package.json"), '{"type":"module"}');
for (const name of ["files.js", "learner.js", "module.js", "wasi.js"])
  writeFileSync(join(engine, name), readFileSync(new URL(`../crates/page/page/engine/${name}`, import.meta.url)));
const { Files } = await import(join(engine, "files.js"));
const { Learner } = await import(join(engine, "learner.js"));

const module = await WebAssembly.compile(readFileSync(join(target, "wasm/hexzero-learn.wasm")));

const RECIPE = `game = "hex"
[network]
blocks = 2
channels = 16
[selfplay]
full_visits = 8
[[selfplay.sizes]]
size = 3
weight = 1.0
[training]
games_per_iteration = 20
batch = 32
`;

const THREAD = `
  const { workerData } = require("node:worker_threads");
  import(${JSON.stringify(join(engine, "module.js"))}).then(({ runThread }) => runThread(workerData, () => {}));`;

const threads = [];

// Opens the run in `files`, or begins one, on one thread.
const open = (files, recipe = RECIPE) => {
  const spawn = (thread) => threads.push(new Worker(THREAD, { eval: true, workerData: thread }));
  return Learner.open(module, { files, recipe, spawn, onEvent: () => {} });
};

const hexzero = (...args) =>
  execFileSync(join(target, "release/hexzero"), args, {
    encoding: "utf8",
    stdio: "pipe",
    env: { ...process.env, HEXZERO_KERNEL: "portable", HEXZERO_PRECISION: "int8", HEXZERO_TRAINING_PRECISION: "f32" },
  });

// The tensors of a checkpoint, behind the header: the metadata may name another time.
const weights = (bytes) => {
  const header = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  return Buffer.from(bytes.subarray(8 + header));
};

after(async () => {
  await Promise.all(threads.map((thread) => thread.terminate()));
  rmSync(folder, { recursive: true });
});

test("three iterations give the same weights as the program's", async () => {
  const files = new Files();
  const learner = await open(files);
  for (let i = 0; i < 2; i += 1) learner.iterate();
  const { iteration } = learner.iterate();
  assert.equal(iteration.games, 60);
  const changes = new Map(files.takeChanges());
  const learnt = changes.get(`run/checkpoints/${iteration.checkpoint}`);

  writeFileSync(join(folder, "recipe.toml"), RECIPE);
  const run = join(folder, "native");
  hexzero("train", "--recipe", join(folder, "recipe.toml"), "--run", run, "--workers", "1", "--games", "60");
  const native = readFileSync(join(run, "checkpoints", iteration.checkpoint));
  assert.ok(weights(learnt).equals(weights(native)));
});

test("a run that ends at any time goes on after its last iteration, here and in the program", async () => {
  const files = new Files();
  const whole = await open(files);
  whole.iterate();
  const kept = files.takeChanges().filter(([, bytes]) => bytes);
  const expected = whole.iterate().iteration;
  const learner = await open(new Files(kept));
  const figures = learner.iterate().iteration;
  assert.equal(figures.losses.policy, expected.losses.policy);
  assert.equal(figures.visits, expected.visits);

  for (const [path, bytes] of kept) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  hexzero("train", "--resume", "--run", join(folder, "run"), "--games", "40");
  const lines = readFileSync(join(folder, "run/metrics.jsonl"), "utf8").trim().split("\n");
  assert.equal(lines.length, 2);
});

test("an exam tells what the network knows", async () => {
  const learner = await open(new Files());
  const { exam } = learner.examine(2, 8);
  assert.equal(exam.policy.length, 9);
  assert.ok(Math.abs(exam.policy.reduce((sum, [, , share]) => sum + share, 0) - 1) < 1e-4);
  // As other solvers have found, too.
  assert.equal(exam.openings.length, 9);
  assert.deepEqual(exam.openings.filter(({ wins }) => !wins).map(({ move }) => move).sort(), ["a1", "b1", "b3", "c3"]);
  assert.deepEqual(exam.scores.map(({ against, games }) => [against, games]), [["random", 2], ["alphabeta:2", 2]]);
});

test("a network is asked about a position without its run", async () => {
  const files = new Files();
  const learner = await open(files);
  const { iteration } = learner.iterate();
  const network = new Map(files.takeChanges()).get(`run/checkpoints/${iteration.checkpoint}`);
  const { exam } = learner.examine(2, 8);
  const other = await Learner.load(module);
  const hex = { game: "hex", size: 3 };
  const { value, policy, pieces } = other.opinion(hex, [], network);
  assert.deepEqual([value, policy, pieces], [exam.value, exam.policy, []]);
  const after = other.opinion(hex, ["a1", "b2"], network);
  assert.deepEqual([after.policy.length, after.pieces], [7, [[0, { owner: 0 }], [4, { owner: 1 }]]]);
  assert.throws(() => other.opinion(hex, ["a1", "a1"], network), /a1/);
  assert.throws(() => other.opinion(hex, [], network.subarray(0, 100)), /of this run/);
});

test("a recipe with a mistake is refused by name", async () => {
  await assert.rejects(open(new Files(), RECIPE.replace("full_visits", "ful_visits")), /ful_visits/);
});
