// Positions a second in Chromium on one thread, in turn: searches of 400 visits by this project's modules, and bare evaluations by
// onnxruntime-web of the same network of Cachex.
//
//     cargo wasm
//     hexzero export --onnx cachex.onnx
//     npm install onnxruntime-web
//     node benches/peers/chromium.mjs models/cachex.safetensors cachex.onnx [SIZE [ROUNDS]]
//
// Needs Node.js 22 or later. onnxruntime-web is found from the current folder, Chromium by $CHROMIUM.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, cwd, env } from "node:process";
import { fileURLToPath } from "node:url";

const [, , checkpoint, network, size = "9", rounds = "5"] = argv;
const root = fileURLToPath(new URL("../..", import.meta.url));

const folders = {
  engine: join(root, "crates/page/page/engine"),
  wasm: join(env.CARGO_TARGET_DIR ?? join(root, "target"), "wasm"),
  ort: join(cwd(), "node_modules/onnxruntime-web/dist"),
};
const files = { checkpoint, network };
const types = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };

// Runs in the page.
const measure = async (size, rounds) => {
  const SECONDS = 2;
  const VISITS = 400;
  const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const { Engine } = await import("/engine/hexzero.js");
  const engine = async (name, precision) => {
    const module = await WebAssembly.compile(await bytes(`/wasm/${name}.wasm`));
    let answer;
    const engine = await Engine.start(module, { onAnswer: (text) => (answer = JSON.parse(text)), precision });
    engine.loadModel("cachex", "cachex", await bytes("/checkpoint"));
    let number = 0;
    return async () => {
      const began = performance.now();
      let visits = 0;
      while (performance.now() - began < 1000 * SECONDS) {
        // Another position each time, and short searches: few answers come from the cache of evaluations.
        const name = (cell) => String.fromCharCode(97 + (cell % size)) + (1 + Math.floor(cell / size));
        const cells = size ** 2;
        const moves = [name(number % cells), name((7 * number + Math.floor(number / cells)) % cells)];
        number++;
        if (moves[0] === moves[1]) continue;
        engine.receive(JSON.stringify({ id: number, do: "move", game: "cachex", size, moves, visits: VISITS }));
        while (engine.turn());
        visits += answer.visits ?? 0;
      }
      return (1000 * visits) / (performance.now() - began);
    };
  };

  const ort = await import("/ort/ort.wasm.min.mjs");
  ort.env.wasm.wasmPaths = "/ort/";
  ort.env.wasm.numThreads = 1;
  const session = await ort.InferenceSession.create(await bytes("/network"), { executionProviders: ["wasm"] });
  const shape = [1, 16, size, size];
  const cells = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => Number(Math.random() < 0.3));
  const inputs = {
    cells: new ort.Tensor("float32", cells, shape),
    globals: new ort.Tensor("float32", new Float32Array(5), [1, 5]),
  };
  const peer = async () => {
    const began = performance.now();
    let count = 0;
    for (; performance.now() - began < 1000 * SECONDS; count++) await session.run(inputs, ["cell_policy", "global_policy", "outcome"]);
    return (1000 * count) / (performance.now() - began);
  };

  const all = {
    "onnxruntime-web f32": peer,
    "simd128 f32": await engine("hexzero", "f32"),
    "simd128 int8": await engine("hexzero", "int8"),
    "relaxed f32": await engine("hexzero-relaxed", "f32"),
    "relaxed int8": await engine("hexzero-relaxed", "int8"),
  };
  const rates = {};
  // The first round is for the browser to compile well.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, run] of Object.entries(all)) {
      const rate = await run();
      if (round > 0) (rates[name] ??= []).push(rate);
    }
  }
  return rates;
};

const server = createServer(async ({ url }, response) => {
  const [, first, name] = url.split("?")[0].split("/");
  try {
    if (!first) return response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Speed</title>");
    const path = files[first] ?? join(folders[first], name);
    response.setHeader("Content-Type", types[path.split(".").at(-1)] ?? "application/octet-stream").end(await readFile(path));
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");
const page = `http://127.0.0.1:${server.address().port}/`;

const profile = mkdtempSync(join(tmpdir(), "hexzero-speed-"));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
const browser = spawn(env.CHROMIUM ?? "chromium", [...flags, "--remote-debugging-port=0", `--user-data-dir=${profile}`]);
const port = await new Promise((resolve, reject) => {
  browser.stderr.on("data", (text) => {
    const found = /ws:\/\/127\.0\.0\.1:([0-9]+)/.exec(text);
    if (found) resolve(found[1]);
  });
  browser.on("error", reject);
});
try {
  const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const socket = new WebSocket(targets.find(({ type }) => type === "page").webSocketDebuggerUrl);
  await once(socket, "open");
  // Sends a command, and returns the first message that is wanted.
  const call = (method, params, isWanted) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    return new Promise((resolve) => {
      socket.onmessage = ({ data }) => isWanted(JSON.parse(data)) && resolve(JSON.parse(data));
    });
  };
  await call("Page.enable", {}, ({ id }) => id);
  await call("Page.navigate", { url: page }, ({ method }) => method === "Page.loadEventFired");
  const expression = `(${measure})(${Number(size)}, ${Number(rounds)})`;
  const options = { expression, awaitPromise: true, returnByValue: true };
  const { result } = await call("Runtime.evaluate", options, ({ id }) => id);
  if (result.exceptionDetails) throw new Error(result.exceptionDetails.exception.description);
  const median = (rates) => rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  const peer = median(result.result.value["onnxruntime-web f32"]);
  for (const [name, rates] of Object.entries(result.result.value)) {
    console.log(`${name.padEnd(20)} ${median(rates).toFixed(0).padStart(7)} a second  ${(median(rates) / peer).toFixed(2)}`);
  }
} finally {
  browser.kill();
  await once(browser, "exit");
  server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
