// A thread of the engine beside the engine's worker. It runs until it is terminated.

import { Engine } from "./hexzero.js";

onmessage = async ({ data }) => {
  try {
    await Engine.runThread(data, () => postMessage({ running: data.id }));
  } catch (error) {
    postMessage({ failed: error.message });
  }
};
