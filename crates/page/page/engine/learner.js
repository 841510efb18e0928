// The module that learns. It blocks for seconds at a time, so it should run in a worker. It also runs in Node.js.

import { Module } from "./module.js";

// The folder of the run in the module's files.
export const RUN = "run";

export class Learner extends Module {
  // Opens the run in `files`, or begins one there by `recipe`, a text in TOML. `onEvent` gets what happens in an
  // iteration: `{plays}`, how many games begin; `{game}`, one that is over, with its `size` and for each of its `moves` the name and the
  // places that it changed; `{trains}`, how many steps begin; `{step}`, the losses of one; `{warning}`. The games are played on `threads`
  // threads, each of which `spawn` starts, as for an `Engine`; their events come from `runThread`, not from here.
  static async open(module, { files, recipe, onEvent, threads = 1, spawn }) {
    const learner = new Learner((text) => onEvent(JSON.parse(text)));
    await learner.instantiate(module, { isShared: true, spawn, files });
    learner.exports._initialize();
    learner.callOrThrow("open_run", threads, recipe);
    return learner;
  }

  // Loads the module without a run.
  static async load(module) {
    const learner = new Learner(() => {});
    await learner.instantiate(module, { isShared: true });
    learner.exports._initialize();
    return learner;
  }

  // Returns what a network (the bytes of a checkpoint) thinks of the position after some moves: the first player's expected score as
  // `value`, the moves with their places and probabilities as `policy`, and the `pieces` with their places.
  opinion({ game, size }, moves, network) {
    return JSON.parse(this.callOrThrow("opinion", size, [game, ...moves].join(" "), network));
  }

  // Plays games and learns from them. Returns the figures of the iteration.
  iterate() {
    return JSON.parse(this.callOrThrow("iterate"));
  }

  // Examines the network: `games` games against each opponent, `visits` visits a move.
  examine(games, visits) {
    return JSON.parse(this.callOrThrow("examine", games, visits));
  }
}
