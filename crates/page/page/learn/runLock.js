// One window at a time changes a run: two would overwrite each other's files.

// A page that was left may hold its run for a moment.
const PATIENCE_MS = 2000;

export const IN_USE = "Another window is training this run, or has paused it. Close that window first.";

// Resolves with a function that gives the run back, or with null if another window has it. A worker gives back what it has when it ends.
export const takeRun = (id, patience = PATIENCE_MS) =>
  new Promise((resolve, reject) => {
    // Old browsers have no locks.
    if (!navigator.locks) return resolve(() => {});
    const hold = () => new Promise((giveBack) => resolve(giveBack));
    const giveUp = (error) => (["AbortError", "TimeoutError"].includes(error.name) ? resolve(null) : reject(error));
    navigator.locks.request(`hexzero run ${id}`, { signal: AbortSignal.timeout(patience) }, hold).catch(giveUp);
  });
