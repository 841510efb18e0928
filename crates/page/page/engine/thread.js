// A thread of a module beside the module's worker. It runs until it is terminated.

import { runThread } from "./module.js";

onmessage = async ({ data }) => {
  try {
    await runThread(data, () => postMessage({ running: data.id }), (answer) => postMessage({ answer }));
  } catch (error) {
    postMessage({ failed: error.message });
  }
};
