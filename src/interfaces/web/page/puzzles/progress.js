// What is remembered of puzzles: which were solved, when the others come again, and how many were solved in a row.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

// A puzzle that was not solved comes again after the first of these times; each time that it is solved then, after the next
// one; after the last no more.
const AGAIN_AFTER = [10 * MINUTE, DAY, 4 * DAY, 14 * DAY];

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

  // Notes the first try at a puzzle.
  note(id, isSolved) {
    const { puzzles } = this.#kept;
    const before = puzzles[id];
    const step = !isSolved ? 0 : before ? (before.step ?? AGAIN_AFTER.length) + 1 : AGAIN_AFTER.length;
    puzzles[id] = step < AGAIN_AFTER.length ? { step, due: this.#now() + AGAIN_AFTER[step] } : {};
    this.#kept.streak = isSolved ? this.streak + 1 : 0;
    this.#kept.longest = Math.max(this.longest, this.streak);
    this.#keep(this.#kept);
  }

  // The puzzle that comes next: one to repeat, the longest due first, or else the first that is new; null if all are solved.
  // `but` is left out where there is another one.
  next(puzzles, but = null) {
    const due = this.#due(puzzles).sort((a, b) => this.#of(a).due - this.#of(b).due);
    const fresh = puzzles.filter((puzzle) => !this.#of(puzzle));
    const waiting = [...due, ...fresh];
    return waiting.find(({ id }) => id !== but) ?? waiting[0] ?? null;
  }

  // How many are solved for good or for now, and how many are to be repeated.
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
