// Asks the networks of a run what they think of positions. It has its own worker, as that of the run is busy for seconds at a time.

import { RunStore } from "../learn/store.js";
import { learningModule } from "./download.js";
import { Learner } from "./learner.js";

let ready = null;

const start = async (base) => {
  return Promise.all([Learner.load(await learningModule(base)), RunStore.open()]);
};

onmessage = async ({ data: { id, base, run, iteration, moves } }) => {
  try {
    ready ??= start(base);
    // A later question tries again.
    ready.catch(() => (ready = null));
    const [learner, store] = await ready;
    postMessage({ id, opinion: learner.opinion(run, moves, await store.network(run.id, iteration)) });
  } catch (error) {
    postMessage({ id, failed: error.message });
  }
};
