// Runs a program that was compiled for wasm32-wasip1, such as a test binary: `node .ci/wasi-runner.mjs PROGRAM [ARGUMENT...]`.
// It sees the files below the current folder and those below /.
import { readFile } from "node:fs/promises";
import { argv, cwd, env } from "node:process";
import { WASI } from "node:wasi";

const [, , program, ...rest] = argv;
const preopens = { ".": cwd(), "/": "/" };
const wasi = new WASI({ version: "preview1", args: [program, ...rest], env, preopens });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
