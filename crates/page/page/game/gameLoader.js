// Puts games on the board: new ones, those of files and links, and the one that was kept.

import { learnFindings, learnReview } from "./findings.js";
import { GameTree, mainLine } from "./gameTree.js";

/**
 * A game as this browser keeps it: what `toJSON` of the session gives and `restore` takes.
 *
 * @typedef {object} KeptGame
 * @property {import("./gameState.js").Setup} setup
 * @property {import("./gameTree.js").Node} tree
 * @property {string[]} tip the moves to the end of the game
 * @property {string[]} current the moves to the position that is shown
 * @property {import("./gameState.js").Result | null} ended
 * @property {string[] | null} [takenBack] the moves to the end of the game before some were taken back
 * @property {Record<string, number> | null} clocks seconds that the players have left
 * @property {object[]} [findings] what analyses found
 * @property {object | null} [review] the answer of the server, with the moves that it is `of`
 */

// Loads games. Its methods resolve with false if another game was asked for meanwhile.
export class GameLoader {
  #session;
  #layouts;
  #request = 0; // differs once another game was asked for

  constructor(session, layouts) {
    this.#session = session;
    this.#layouts = layouts;
  }

  // Puts a new game on the board, after some moves. `beforeOpen` is called when it takes the place of the last one.
  async begin(setup, { moves = [], beforeOpen = null } = {}) {
    const session = this.#session;
    const loaded = await this.#load(setup, session.states.fetch(setup, moves, 0));
    if (!loaded) return false;
    const [layout, states] = loaded;
    beforeOpen?.();
    const tree = new GameTree(states[0]);
    const tip = tree.addLine(tree.root, moves, states.slice(1));
    session.setGame(setup, layout, tree, tip, tip);
    tip.clocks = session.clock?.all() ?? null;
    return this.#start();
  }

  // Puts a game with variations (a `Node` of gameTree.js) on the board. Without moves to a position the end of the main line is shown. The
  // game itself has `plies` moves.
  openTree(setup, tree, { current = null, plies = Infinity, beforeOpen = null } = {}) {
    const tip = mainLine(tree).slice(0, plies);
    return this.restore({ setup, tree, tip, current: current ?? tip, ended: null, clocks: null }, beforeOpen);
  }

  // Goes on with a `KeptGame`.
  async restore({ setup, tree: kept, tip, current, ended, clocks, takenBack = null, findings = [], review = null }, beforeOpen = null) {
    const session = this.#session;
    const loaded = await this.#load(setup, GameTree.from(kept, (moves, from) => session.states.fetch(setup, moves, from)));
    if (!loaded) return false;
    const [layout, tree] = loaded;
    beforeOpen?.();
    tree.learn(findings);
    const end = tree.find(tip) ?? tree.root.line().at(-1);
    session.setGame(setup, layout, tree, end, tree.find(current) ?? end);
    learnFindings(session);
    const reviewedTip = review && tree.find(review.of);
    if (reviewedTip) learnReview(session, reviewedTip, review);
    session.ended = ended;
    session.history.reset(takenBack && tree.find(takenBack));
    if (session.clock && clocks) {
      session.clock.set(clocks);
      for (const position of end.path()) position.clocks = clocks;
      if (!session.result && end.ply > 0) session.startClock();
    }
    session.go(session.current);
    return this.#start();
  }

  // Waits for what a game needs. Returns its layout and that, or null if another game was asked for meanwhile.
  async #load(setup, asked) {
    const request = ++this.#request;
    const loaded = await Promise.all([this.#layouts.get(setup.game, setup.size), asked]);
    return request === this.#request ? loaded : null;
  }

  #start() {
    this.#session.fire("begun");
    this.#session.engineTurns.proceed();
    return true;
  }
}
