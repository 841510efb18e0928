// Puzzles: positions in which one move wins. docs/formats/puzzles.md has their files.

import { treeOf } from "../game/branches.js";
import { gameOf, seatNames } from "../game/games.js";
import { keep, recall } from "../game/memory.js";
import { PERSON } from "../game/roles.js";
import * as server from "../server/resources.js";
import { Progress } from "./progress.js";

const KEPT = "puzzles";

export class Puzzles {
  #about;
  #session;
  #retry;
  #beforeOpen;
  #sets = new Map(); // by game, once they were asked for

  // `beforeOpen` is called when a puzzle comes on the board.
  constructor(about, session, retry, beforeOpen) {
    this.#about = about;
    this.#session = session;
    this.#retry = retry;
    this.#beforeOpen = beforeOpen;
    session.addEventListener("change", () => this.#follow());
  }

  // The games that have puzzles.
  get games() {
    return this.#about.games.filter(({ puzzles }) => puzzles);
  }

  // Read anew each time: another window may have gone on.
  get progress() {
    return new Progress(recall(KEPT, {}), (kept) => keep(KEPT, kept));
  }

  // The puzzles of a game, the easiest first.
  async of(game) {
    if (!this.#sets.has(game)) this.#sets.set(game, (await server.puzzles(game)).puzzles);
    return this.#sets.get(game);
  }

  // Puts the next puzzle of a game on the board. False if there is none left for today.
  async start(game) {
    const puzzles = await this.of(game);
    const before = this.#session.setup?.puzzle?.id ?? null;
    const puzzle = this.progress.next(puzzles, before);
    if (!puzzle) return false;
    const roles = Object.fromEntries(seatNames(gameOf(this.#about, game)).map((player) => [player, PERSON]));
    const { level, effort } = this.#session.setup ?? { level: this.#about.levels[0], effort: this.#about.effort };
    const numbered = { ...puzzle, number: puzzles.indexOf(puzzle) + 1, of: puzzles.length };
    const setup = { game, size: puzzle.size, roles, level, effort, clock: null, opened: true, puzzle: numbered };
    await this.#session.openTree(setup, treeOf(puzzle.moves)[0], { beforeOpen: this.#beforeOpen });
    return true;
  }

  // Shows the solution and what is expected after it; who asks for it has not solved the puzzle.
  show() {
    const { puzzle } = this.#session.setup;
    this.#note(puzzle, false);
    this.#session.retrying = null;
    this.#session.addLine(this.#session.tip, [puzzle.solution, ...puzzle.reply]);
  }

  #follow() {
    const { setup, retrying, current, tip } = this.#session;
    const puzzle = setup?.puzzle;
    if (!puzzle) return;
    if (!retrying && current === tip) this.#retry.pose(tip, puzzle.solution);
    else if (retrying?.verdict) this.#note(puzzle, retrying.verdict.isBest);
  }

  #note(puzzle, isSolved) {
    if (puzzle.isNoted) return;
    Object.assign(puzzle, { isNoted: true, isLate: !isSolved });
    this.progress.note(puzzle.id, isSolved);
  }
}
