// The page on which a network learns: settings in its address, archives, runs of the program, ratings, games.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { load } from "./page.mjs";

// Browsers give it to pages with encryption alone.
Object.defineProperty(crypto, "randomUUID", { value: undefined });

const { DEFAULTS, KNOBS, difference, fromAddress, recipe, sizesOf, toAddress } = await load("learn/recipe.js");
const { archive } = await load("learn/archive.js");
const { addressOfNetwork, learntNetwork, setupAgainst } = await load("learn/learnt.js");
const { readRun } = await load("learn/openRun.js");
const { rate } = await load("learn/elo.js");
const { unitFor } = await load("learn/runCurves.js");
const { clusterText } = await load("learn/cluster.js");
const { piecesAfter, told } = await load("learn/gameViewer.js");
const { WatchedRun } = await load("learn/watchedRun.js");

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

test("boards are offered on which learning begins at once", () => {
  assert.deepEqual(sizesOf({ id: "hex", boards: { least: 2, most: 19 } }), [3, 4, 5, 6, 7]);
  assert.deepEqual(sizesOf({ id: "infexion", boards: { least: 3, most: 7 } }), [3]);
  assert.deepEqual(sizesOf({ id: "own", boards: { least: 8, most: 9 } }), []);
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

test("a run on boards of several sizes opens on the one that is played most", async () => {
  const sizes = [[3, "1.0"], [4, "5.0"], [5, "1e-2"]].map(([size, weight]) => `[[selfplay.sizes]]\nsize = ${size}\nweight = ${weight}\n`);
  const recipeFile = file("recipe.toml", `game = "hex"\n[selfplay]\nfull_visits = 40\n${sizes.join("")}`);
  const { run } = await readRun([recipeFile, file("state.safetensors", "state")], new Map([["hex", {}]]));
  assert.deepEqual([run.size, run.visits], [4, 40]);
});

test("a run that was saved here keeps its settings, and one of others has none to link to", async () => {
  const knobs = { ...DEFAULTS, visits: 16, network: "tiny", rate: 0.01, noise: 0.1, resignation: "on", seed: 3 };
  const read = async (text) => {
    const { run } = await readRun([file("recipe.toml", text), file("state.safetensors", "state")], new Map([["hex", {}]]));
    return run.knobs;
  };
  const saved = recipe("hex", 4, knobs);
  assert.deepEqual(await read(saved), knobs);
  assert.deepEqual(await read(saved.replace("fraction = 0.10", "concentration = 8.0\nfraction = 0.1")), knobs, "as the program writes it");
  assert.equal(await read(saved.replace("full_visits = 16", "full_visits = 40")), null);
  assert.equal(await read(saved.replace("batch = 128", "batch = 256")), null);
  assert.equal(await read(`${saved}\n[[stage]]\nafter_steps = 10\n`), null);
  assert.equal(difference(null), "");
});

// The scores of a network in games of 20.
const exam = (random, program, earlier = null) =>
  [["random", random], ["alphabeta:2", program], ["earlier", earlier]].filter(([, points]) => points !== null).map(([against, points]) => ({ against, points, games: 20 }));

test("ratings are those that make the results likeliest", () => {
  // By hand: 15 of 20, and half a game each way, are 15.5 of 21, 400 log10(15.5 / 5.5) Elo.
  const { networks: [one] } = rate([exam(15, null)]);
  assert.ok(Math.abs(one - 400 * Math.log10(15.5 / 5.5)) < 0.1, String(one));
  const { networks: [even], program } = rate([exam(10, 0)]);
  assert.ok(Math.abs(even) < 0.1 && Math.abs(program - 400 * Math.log10(20.5 / 0.5)) < 0.1, `${even} ${program}`);
  // A network that wins all games against random moves is rated by the others.
  const { networks, program: classic } = rate([exam(20, 2), exam(20, 10, 18), exam(20, 20, 15), exam(20, 20, 15)]);
  assert.ok(networks.every((elo, i) => !i || elo > networks[i - 1] + 50), String(networks));
  assert.ok(networks[3] > 700 && classic > networks[0] && classic < networks[2], `${networks} ${classic}`);
  // Without a match with the one before it, as after a reload, a network is still rated near it.
  const apart = rate([exam(15, 0), exam(20, 20), exam(20, 20, 10)]).networks;
  assert.ok(apart.every((elo) => elo > 100 && elo < 1500), String(apart));
  assert.deepEqual(rate([]), { networks: [], program: 0 });
});

test("a long run is rated quickly, and its best network best", () => {
  const { networks } = rate(Array.from({ length: 1000 }, (_, i) => exam(20, Math.min(20, i), i ? 12 : null)));
  assert.ok(networks.every(Number.isFinite) && networks[999] > networks[100], `${networks[100]} ${networks[999]}`);
});

test("time is shown in a unit that suits the run", () => {
  assert.deepEqual([90, 200, 3 * 3600, 4 * 3600, 30 * 86_400].map((seconds) => unitFor(seconds)[0]), ["s", "min", "min", "h", "d"]);
});

test("a cluster says what it does", () => {
  const worker = { games_per_second: 1.25 };
  const traffic = { used: 1200, stale: 3, doubled: 0, refused: 1 };
  const status = { coordinator: { phase: "playing", traffic }, active: true, workers: [worker, worker], ranges_out: 2, messages_waiting: 1 };
  assert.equal(clusterText(status), "playing; 2.5 games a second; 1,200 games used, 3 stale, 0 doubled; 1 message refused; 2 ranges out, 1 message waiting");
  assert.equal(clusterText({ ...status, coordinator: null, active: false, workers: [] }), "resting; 0.0 games a second; 2 ranges out, 1 message waiting");
});

test("a network of a watched run is asked once about a position, and again if that failed", async () => {
  globalThis.document = { baseURI: "https://a.example/run", documentElement: { hasAttribute: () => false } };
  const asked = [];
  let isAway = true;
  globalThis.fetch = async (url) => {
    asked.push(url.searchParams.get("moves"));
    if (isAway) throw new Error("away");
    return Response.json(asked.length);
  };
  const run = new WatchedRun("mine");
  const opinion = (step, ...moves) => run.opinion({ figures: { step } }, moves);
  await assert.rejects(opinion(1, "a1"), /cannot be reached/);
  isAway = false;
  assert.deepEqual([await opinion(1, "a1"), await opinion(1, "a1"), await opinion(2, "a1"), await opinion(1, "a1", "b2")], [2, 2, 3, 4]);
  assert.deepEqual(asked, ["a1", "a1", "a1", "a1,b2"]);
});

test("a game is told with what the searches found", () => {
  const plies = [
    { name: "a1", player: 0, pieces: [[0, { owner: 0 }]], value: null, visits: null, policy: [] },
    { name: "b2", player: 1, pieces: [[0, null], [4, { owner: 1 }]], value: 0.25, visits: 64, policy: [{ name: "b2", picks: [], share: 1 }] },
  ];
  const game = { plies, result: "blue", reason: "connection" };
  assert.deepEqual([0, 1, 2].map((count) => piecesAfter(game, count).length), [0, 1, 1]);
  assert.equal(told(game, 0, ["red", "blue"]), "The start. Red's next move is drawn at random to open the game.");
  assert.equal(told(game, 1, ["red", "blue"]), "1. Red a1. Blue is to move: after a full search of 64 visits, red's expected score is 25%. The move is b2.");
  assert.equal(told(game, 2, ["red", "blue"]), "2. Blue b2. Blue wins by connection.");
});
