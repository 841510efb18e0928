// A WebAssembly module of hexzero: its functions, called with texts and bytes in place of addresses.

import { Files } from "./files.js";
import { sharedMemory, system } from "./wasi.js";

export class Module {
  // The functions of the module, once there is one.
  exports = null;
  // What `spawn` returned for each thread.
  started = [];
  #onAnswer;
  #getMemory = null;
  #fault = null;

  // `onAnswer` gets what the module says.
  constructor(onAnswer) {
    this.#onAnswer = onAnswer;
  }

  // Instantiates a compiled `WebAssembly.Module`. Of several threads each has an instance in the same memory: `memory`, or new memory
  // if it is null and `isShared`. `spawn` starts a thread, where there may be some: it passes what it gets to `runThread` in a worker. `files`
  // keeps the module's files.
  async instantiate(module, { memory = null, isShared = false, spawn = null, files = new Files() } = {}) {
    const own = memory ?? (isShared ? sharedMemory() : null);
    this.#getMemory = () => own ?? this.exports.memory;
    const hexzero = {
      now: () => performance.now(),
      answer: (at, bytes) => this.#onAnswer(this.#text(at, bytes)),
      failed: (at, bytes) => (this.#fault = this.#text(at, bytes)),
    };
    const startThread = (argument) => {
      const id = this.started.length + 1;
      this.started.push(spawn({ module, memory: own, id, argument }));
      return id;
    };
    const imports = {
      hexzero,
      env: { memory: own },
      wasi_snapshot_preview1: { ...system(this.#getMemory), ...files.functions(this.#getMemory) },
      wasi: { "thread-spawn": spawn ? startThread : () => -1 },
    };
    this.exports = (await WebAssembly.instantiate(module, imports)).exports;
  }

  // Calls a function that returns 0 after an answer with an error. Throws that, or returns the answer.
  callOrThrow(name, ...values) {
    const [accepted, text] = this.callForText(() => this.call(name, ...values));
    if (!accepted) throw new Error(text);
    return text;
  }

  // Returns the result of a call and the last text that it says; earlier texts go to `onAnswer`.
  callForText(call) {
    const onAnswer = this.#onAnswer;
    let told = null;
    this.#onAnswer = (text) => {
      if (told !== null) onAnswer(told);
      told = text;
    };
    try {
      return [call(), told ?? ""];
    } finally {
      this.#onAnswer = onAnswer;
    }
  }

  // Calls an exported function with numbers, and texts or bytes.
  call(name, ...values) {
    const { allocate, release } = this.exports;
    const isNumber = (value) => typeof value === "number";
    const numbers = values.filter(isNumber);
    const places = values.filter((value) => !isNumber(value)).map((text) => {
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      const at = allocate(bytes.length);
      this.#bytes(at, bytes.length).set(bytes);
      return [at, bytes.length];
    });
    try {
      return this.exports[name](...numbers, ...places.flat());
    } catch (error) {
      throw this.failure(error);
    } finally {
      if (this.#fault === null) for (const place of places) release(...place);
    }
  }

  failure(error) {
    return new Error(`The engine has failed: ${this.#fault ?? error.message}`, { cause: error });
  }

  #bytes(at, length) {
    return new Uint8Array(this.#getMemory().buffer, at, length);
  }

  // Returns a text. Decoders refuse shared memory, so the bytes are copied.
  #text(at, bytes) {
    return new TextDecoder().decode(this.#bytes(at, bytes).slice());
  }
}

// Runs a thread of a module, as its first thread asked to; `onRunning` is called when it runs, and `onAnswer` gets what it says. It
// never returns.
export const runThread = async ({ module, memory, id, argument }, onRunning, onAnswer = () => {}) => {
  const thread = new Module(onAnswer);
  await thread.instantiate(module, { memory });
  onRunning();
  try {
    thread.exports.wasi_thread_start(id, argument);
  } catch (error) {
    throw thread.failure(error);
  }
};
