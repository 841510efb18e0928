// Evaluations a second of an exported network by onnxruntime-web, on one thread in Node.js. `benches/play.rs` measures the same of
// this project's kernels.
//
//     hexzero export --onnx cachex.onnx
//     npm install onnxruntime-web
//     node benches/peers/onnxruntime_web.mjs cachex.onnx [SIZE [BATCH...]]
//
// The module is found from the current folder.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { argv, cwd } from "node:process";

const ROUNDS = 31;
const ROUND_MS = 60;
/** The engine takes seconds to compile the whole module well. */
const WARM_UP_MS = 5000;
/** Numbers a cell, and of the whole position, of Cachex. */
const [PLANES, GLOBALS] = [16, 5];

const [, , file, size = "9", ...batches] = argv;
const ort = createRequire(`${cwd()}/`)("onnxruntime-web/wasm");
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(await readFile(file), { executionProviders: ["wasm"] });

for (const batch of batches.length ? batches.map(Number) : [1, 8]) {
    const shape = [batch, PLANES, Number(size), Number(size)];
    const cells = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => Number(Math.random() < 0.3));
    const inputs = {
        cells: new ort.Tensor("float32", cells, shape),
        globals: new ort.Tensor("float32", new Float32Array(batch * GLOBALS), [batch, GLOBALS]),
    };
    const rate = async (milliseconds) => {
        const began = performance.now();
        let evaluations = 0;
        while (performance.now() - began < milliseconds) {
            await session.run(inputs, ["cell_policy", "global_policy", "outcome"]);
            evaluations += batch;
        }
        return (1000 * evaluations) / (performance.now() - began);
    };
    await rate(WARM_UP_MS);
    const rates = [];
    for (let round = 0; round < ROUNDS; round++) rates.push(await rate(ROUND_MS));
    rates.sort((a, b) => a - b);
    console.log(`batch ${batch}: ${rates[Math.floor(ROUNDS / 2)].toFixed(0)} a second`);
}
