// The system of a module with threads: memory that they share, and those functions of WASI that Rust's standard library calls there.

const PAGE = 1 << 16;

// Returns new memory for a module. Its limits are those that `cargo wasm` gives to the module.
export const sharedMemory = () => new WebAssembly.Memory({ initial: (32 << 20) / PAGE, maximum: (1 << 30) / PAGE, shared: true });

const SUCCESS = 0;

// Returns the imports of a module whose memory `getMemory` returns, all but the one that starts threads and those for files.
export const system = (getMemory) => {
  const view = () => new DataView(getMemory().buffer);
  const none = (count, bytes) => {
    view().setUint32(count, 0, true);
    view().setUint32(bytes, 0, true);
    return SUCCESS;
  };
  return {
    // Threads compare times, so the clock must not begin with the worker.
    clock_time_get: (clock, precision, at) => {
      view().setBigUint64(at, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    environ_sizes_get: none,
    proc_exit: (code) => {
      throw new Error(`it ended with code ${code}`);
    },
    random_get: (at, bytes) => {
      new Uint8Array(getMemory().buffer, at, bytes).set(crypto.getRandomValues(new Uint8Array(bytes)));
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
  };
};
