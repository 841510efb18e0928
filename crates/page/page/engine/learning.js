// A run in a worker: it plays and learns, iteration after iteration, and keeps every one in the browser. The page starts its threads.

import { IN_USE, takeRun } from "../learn/runLock.js";
import { RunStore } from "../learn/store.js";
import { learningModule } from "./download.js";
import { Files } from "./files.js";
import { pause } from "./hexzero.js";
import { Learner, RUN } from "./learner.js";

// Games against each of the other players after an iteration, and visits a move: enough to see the way, in a second or two.
const EXAM_GAMES = 20;
const EXAM_VISITS = 64;

let learner = null;
let files = null;
let store = null;
let id = null;
let isGoing = false;
let isBusy = false;

const fail = (error) => postMessage({ failed: error.message });

// Locks the run for as long as this worker lives, as the files stay in its memory even while the run is paused. Returns why that is not
// possible, or null.
const obstacle = async () => {
  if (!(await takeRun(id))) return IN_USE;
  const isKept = (await store.runs()).some((run) => run.id === id);
  return isKept ? null : "This run was deleted in another window.";
};

const open = async ({ base, run, recipe, threads }) => {
  id = run;
  store = await RunStore.open();
  const refused = await obstacle();
  if (refused) return postMessage({ refused });
  files = new Files(await store.files(id));
  const module = await learningModule(base);
  const spawn = (thread) => postMessage({ spawn: thread });
  learner = await Learner.open(module, { files, recipe, threads, spawn, onEvent: (event) => postMessage({ event }) });
  await store.keep(id, files.takeChanges());
  // Another window may have trained the run since the page read it.
  postMessage({ opened: true, entries: await store.entries(id) });
};

// Returns the bytes of the checkpoint file of this name among the changes, or null.
const checkpointOf = (changes, name) => changes.find(([path]) => path === `${RUN}/checkpoints/${name}`)?.[1] ?? null;

const iterate = async () => {
  const { iteration: figures } = learner.iterate();
  const { exam } = learner.examine(EXAM_GAMES, EXAM_VISITS);
  const changes = files.takeChanges();
  const entry = { figures, exam };
  await store.keep(id, changes, entry, checkpointOf(changes, figures.checkpoint));
  postMessage({ entry });
};

const go = async () => {
  if (isBusy || !learner) return;
  isBusy = true;
  try {
    while (isGoing) {
      await iterate();
      // Lets messages in.
      await pause();
    }
    postMessage({ rests: true });
  } catch (error) {
    fail(error);
  } finally {
    isBusy = false;
  }
};

const tasks = {
  open: (message) => open(message).then(() => go()),
  go: () => {
    isGoing = true;
    go();
  },
  rest: () => {
    isGoing = false;
    if (!isBusy) postMessage({ rests: true });
  },
};

onmessage = ({ data }) => Promise.resolve(tasks[data.task]?.(data)).catch(fail);
