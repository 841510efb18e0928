// Puzzles: positions in which one move wins. docs/formats/puzzles.md has their files.

import { treeOf } from "../game/gameTree.js";
import { gameOf, rolesOfPeople, seatNames } from "../game/games.js";
import { keep, recall } from "../game/storage.js";
import { FAULTS } from "../game/reviewer.js";
import * as server from "../server/resources.js";
import * as mistakes from "../own_play/mistakes.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

// A puzzle that was not solved is due again after the first of these times, and each time it is then solved, after the next one; after
// the last it is done.
const REPEAT_DELAYS_MS = [10 * MINUTE, DAY, 4 * DAY, 14 * DAY];

// The record of the puzzles: which were solved, when the others are due again, and how many were solved in a row.
export class Progress {
  #kept;
  #keep;
  #now;

  // `kept` is what `keep` was given last; `now` gives the time in milliseconds.
  constructor(kept, keep, now = Date.now) {
    const { streak, longest, puzzles } = kept ?? {};
    const isCount = (number) => Number.isInteger(number) && number >= 0;
    this.#kept = {
      streak: isCount(streak) ? streak : 0,
      longest: isCount(longest) ? longest : 0,
      puzzles: puzzles && typeof puzzles === "object" && !Array.isArray(puzzles) ? puzzles : {},
    };
    this.#keep = keep;
    this.#now = now;
  }

  // Solved in a row.
  get streak() {
    return this.#kept.streak;
  }

  get longest() {
    return this.#kept.longest;
  }

  // Notes the first try at a puzzle. A move that was wrong in a game counts as a try before.
  note(id, isSolved, wasWrong = false) {
    const { puzzles } = this.#kept;
    const before = puzzles[id] ?? (wasWrong ? { step: 0 } : null);
    const step = !isSolved ? 0 : before ? (before.step ?? REPEAT_DELAYS_MS.length) + 1 : REPEAT_DELAYS_MS.length;
    puzzles[id] = step < REPEAT_DELAYS_MS.length ? { step, due: this.#now() + REPEAT_DELAYS_MS[step] } : {};
    this.#kept.streak = isSolved ? this.streak + 1 : 0;
    this.#kept.longest = Math.max(this.longest, this.streak);
    this.#keep(this.#kept);
  }

  // The next puzzle: the one that has been due for longest, else the first new one; null if all are solved. `but` comes only if there
  // is no other.
  next(puzzles, but = null) {
    const due = this.#due(puzzles).sort((a, b) => this.#of(a).due - this.#of(b).due);
    const fresh = puzzles.filter((puzzle) => !this.#of(puzzle));
    const waiting = [...due, ...fresh];
    return waiting.find(({ id }) => id !== but) ?? waiting[0] ?? null;
  }

  // Counts the puzzles that are solved, for good or for now, and those to be repeated.
  counts(puzzles) {
    const due = this.#due(puzzles).length;
    const tried = puzzles.filter((puzzle) => this.#of(puzzle)).length;
    return { solved: tried - puzzles.filter((puzzle) => this.#of(puzzle)?.step === 0).length, due, of: puzzles.length };
  }

  #of({ id }) {
    return this.#kept.puzzles[id] ?? null;
  }

  #due(puzzles) {
    return puzzles.filter((puzzle) => this.#of(puzzle)?.due <= this.#now());
  }
}

const KEPT = "puzzles";

// Any good move corrects a mistake.
export const isSolved = ({ fault = null }, { isBest, loss }) => isBest || (fault !== null && loss < FAULTS.inaccuracy.least);

// Puts puzzles on the board, and notes which are solved.
export class Puzzles {
  #sets = new Map(); // by game, once they were asked for

  // `beforeOpen` is called when a puzzle comes on the board.
  constructor(about, session, retry, beforeOpen) {
    Object.assign(this, { about, session, retry, beforeOpen });
    session.addEventListener("change", () => this.#follow());
  }

  // The games that have puzzles.
  get games() {
    return this.about.games.filter(({ puzzles }) => puzzles);
  }

  // The mistakes of one's own games; those in games that this server does not offer are left out.
  get mistakes() {
    return mistakes.known().filter(({ game }) => gameOf(this.about, game));
  }

  // Read again each time: another window may have changed it.
  get progress() {
    return new Progress(recall(KEPT, {}), (kept) => keep(KEPT, kept));
  }

  // The puzzles of a game, the easiest first, or the mistakes of one's own games.
  async load(game) {
    if (game === mistakes.MISTAKES) return this.mistakes;
    if (!this.#sets.has(game)) this.#sets.set(game, (await server.puzzles(game)).puzzles);
    return this.#sets.get(game);
  }

  // Puts the next puzzle of a game on the board, or of one's own mistakes. False if there is none left for today.
  async start(set) {
    const puzzles = await this.load(set);
    // The last puzzle is passed over if it was not tried; one that was tried comes again when it is due.
    const { id = null, isNoted = false } = this.session.setup?.puzzle ?? {};
    const before = isNoted ? null : id;
    const puzzle = this.progress.next(puzzles, before);
    if (!puzzle) return false;
    const { size, stones = null, game = set } = puzzle;
    const roles = rolesOfPeople(seatNames(gameOf(this.about, game)));
    const numbered = { ...puzzle, set, number: puzzles.indexOf(puzzle) + 1, of: puzzles.length };
    const setup = { game, size, stones, roles, ...this.session.engineSettings, clock: null, opened: true, puzzle: numbered };
    await this.session.loader.openTree(setup, treeOf(puzzle.moves)[0], { beforeOpen: this.beforeOpen });
    return true;
  }

  // Shows the solution and what is expected after it; who asks for it has not solved the puzzle.
  show() {
    const { puzzle } = this.session.setup;
    this.#note(puzzle, false);
    this.session.retrying = null;
    this.session.addLine(this.session.tip, [puzzle.solution, ...puzzle.reply]);
  }

  #follow() {
    const { setup, retrying, current, tip } = this.session;
    const puzzle = setup?.puzzle;
    if (!puzzle) return;
    if (!retrying && current === tip) this.retry.startPuzzle(tip, puzzle);
    else if (retrying?.verdict) this.#note(puzzle, isSolved(puzzle, retrying.verdict));
  }

  #note(puzzle, isSolved) {
    if (puzzle.isNoted) return;
    Object.assign(puzzle, { isNoted: true, isLate: !isSolved });
    this.progress.note(puzzle.id, isSolved, Boolean(puzzle.fault));
  }
}
