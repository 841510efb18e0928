// The page on which a network learns: settings in its address, archives, runs of the program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { load } from "./page.mjs";

const { DEFAULTS, KNOBS, fromAddress, recipe, toAddress } = await load("learn/recipe.js");
const { archive } = await load("learn/archive.js");
const { addressOfNetwork, learntNetwork, setupAgainst } = await load("learn/learnt.js");
const { readRun } = await load("learn/openRun.js");

test("an address carries all settings", () => {
  for (const [name, { values }] of Object.entries(KNOBS))
    for (const value of values) {
      const run = { game: "hex", size: 4, knobs: { ...DEFAULTS, [name]: value } };
      assert.deepEqual(fromAddress(toAddress(run)), run);
    }
  assert.equal(fromAddress("#home"), null);
  assert.deepEqual(fromAddress("#hex/4/visits=7,none=1").knobs, DEFAULTS, "what is not offered is left out");
});

test("a recipe names what was chosen", () => {
  const text = recipe("y", 6, { ...DEFAULTS, visits: 16, network: "tiny", noise: 0, resignation: "on", symmetries: "off", seed: 3 });
  for (const line of ['game = "y"', "seed = 3", "blocks = 2", "full_visits = 16", "size = 6", "fraction = 0.00", "chance = 0.1", "symmetries = false"])
    assert.ok(text.split("\n").includes(line), line);
});

test("an archive is one that tar unpacks", async () => {
  const files = [["run/recipe.toml", new TextEncoder().encode("seed = 1\n")], ["run/games/000000.games", new Uint8Array(1000).fill(7)]];
  const folder = mkdtempSync(join(tmpdir(), "hexzero-tar-"));
  try {
    writeFileSync(join(folder, "run.tar"), new Uint8Array(await archive(files).arrayBuffer()));
    execFileSync("tar", ["-xf", "run.tar"], { cwd: folder });
    for (const [path, bytes] of files) assert.deepEqual(new Uint8Array(readFileSync(join(folder, path))), new Uint8Array(bytes));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an address names a network that learnt here", () => {
  const address = addressOfNetwork({ id: "one-two", game: "hex", size: 5 }, 12);
  const learnt = learntNetwork(address.slice(2));
  assert.deepEqual(learnt, { game: "hex", size: 5, path: "learnt:one-two:12" });
  assert.equal(learntNetwork("?other=1"), null);
  const about = { games: [{ id: "hex", seats: [{ name: "black" }, { name: "white" }] }], levels: ["casual", "full"] };
  const setup = setupAgainst(learnt, about, { game: "cachex", size: 7, roles: { red: "person", blue: "engine" }, clock: null });
  assert.deepEqual(setup.roles, { black: "person", white: "engine" });
  assert.deepEqual([setup.game, setup.size, setup.level], ["hex", 5, "full"]);
});

// A chosen file of a folder.
const file = (path, text) => Object.assign(new Blob([text]), { webkitRelativePath: `mine/${path}` });

test("a run of the program is read, and what is none is refused by name", async () => {
  const games = new Map([["hex", {}]]);
  const recipeFile = file("recipe.toml", 'game = "hex"\n[[selfplay.sizes]]\nsize = 4\n');
  const state = file("state.safetensors", "state");
  const metrics = file("metrics.jsonl", '{"iteration":1,"games":100}\n{"iteration":2,"ga');
  const { run, files, entries } = await readRun([recipeFile, state, metrics, file("journal", "x"), file("games/000000.games", "g")], games);
  assert.deepEqual([run.game, run.size], ["hex", 4]);
  assert.deepEqual(files.map(([path]) => path).sort(), ["run/games/000000.games", "run/metrics.jsonl", "run/recipe.toml", "run/state.safetensors"]);
  assert.deepEqual(entries.map(({ figures }) => figures.games), [100], "half a line is no iteration");
  await assert.rejects(readRun([recipeFile], games), /state\.safetensors/);
  await assert.rejects(readRun([recipeFile, state], new Map()), /'hex'/);
});
