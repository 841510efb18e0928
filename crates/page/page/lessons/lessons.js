// Lessons: short courses of positions on the board, in each of which a person makes a move and sees what it does. data.js has them.

import { Emitter } from "../game/emitter.js";
import { treeOf } from "../game/gameTree.js";
import { gameOf, rolesOfPeople, seatNames } from "../game/games.js";
import { keep, recall } from "../game/storage.js";

/**
 * A step of a lesson on the board, as the setup of the session has it: a step of data.js, and which one it is.
 *
 * @typedef {object} Lesson
 * @property {string} game that was asked for, which may be a variant
 * @property {number} number of the step, from 1
 * @property {number} of all steps
 * @property {string} text
 * @property {string[]} answers
 */

// The networks whose games have a lesson, known before the lessons are loaded.
const TAUGHT = new Set("hex cachex y tack vex chameleon imnyss 12star infexion fan link dozer gale hexifence quickwin 3connection".split(" "));

const KEPT = "lessons";

// Milliseconds between the moves that follow a right answer.
const PACE_MS = 900;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

const words = (text) => text.split(" ").filter(Boolean);

const matches = (pattern, move) => (pattern.endsWith("*") ? move.startsWith(pattern.slice(0, -1)) : pattern === move);

// Judges moves by the answers of a step: "right", "wrong", or "open" while they may still become a right answer.
export const judge = (answers, moves) => {
  const begun = answers.map(words).filter((answer) => moves.every((move, i) => i < answer.length && matches(answer[i], move)));
  if (!begun.length) return "wrong";
  return begun.some((answer) => answer.length === moves.length) ? "right" : "open";
};

// Returns the next move of an answer, or null if any will do.
export const nextMove = (answers, moves) => {
  const open = answers.map(words).find((answer) => answer.length > moves.length && moves.every((move, i) => matches(answer[i], move)));
  const next = open?.[moves.length] ?? null;
  return next?.endsWith("*") ? null : next;
};

// Returns the address of a step: `#learn/infexion/2`.
export const addressOfLesson = ({ game, number }) => `#learn/${game}/${number}`;

// The game and the number of the step that an address names, or null.
export const lessonOfAddress = (hash) => {
  const [, game, number = "1"] = /^#learn\/([\w-]+)(?:\/(\d+))?$/.exec(hash) ?? [];
  return game ? { game, number: Number(number) } : null;
};

// Puts lessons on the board, and owns the session's `verdict`. Fires `judged` when a move, and what follows it, is on the board.
export class Lessons extends Emitter {
  left = null; // the setup of the game that had not begun when the lesson took its place

  // `beforeOpen` is called when a step comes on the board.
  constructor(about, session, beforeOpen) {
    super();
    Object.assign(this, { about, session, beforeOpen });
    session.addEventListener("change", () => this.#follow());
  }

  has(game) {
    return TAUGHT.has(game.network);
  }

  // True if the user has finished a game's lesson.
  isFinished(game) {
    return Boolean(recall(KEPT, {})[game.network]);
  }

  // The steps of a game's lesson; a variant without the swap skips those about it.
  async stepsOf(game) {
    const { LESSONS } = await import(new URL("./data.js", import.meta.url));
    return LESSONS[game.network].filter(({ swap = false }) => !swap || game.swaps);
  }

  // Puts a step of a game's lesson on the board. False if there is none, or another game was asked for meanwhile.
  async start(id, number = 1) {
    const game = gameOf(this.about, id);
    if (!game || !this.has(game)) return false;
    const steps = await this.stepsOf(game);
    const at = Math.min(Math.max(1, number), steps.length);
    const { size, stones = null, moves = "", ...step } = steps[at - 1];
    const { setup: before = null, tip } = this.session;
    const left = before?.lesson ? this.left : tip?.ply === 0 && before.game === id && !before.opened ? before : null;
    const setup = {
      game: id,
      size,
      stones: stones && { first: words(stones.first), second: words(stones.second), to_move: stones.to_move },
      roles: rolesOfPeople(seatNames(game)),
      ...this.session.engineSettings,
      clock: null,
      opened: true,
      lesson: { ...step, game: id, number: at, of: steps.length },
    };
    const isOpen = await this.session.loader.openTree(setup, treeOf(words(moves))[0], { beforeOpen: this.beforeOpen });
    if (isOpen) this.left = left;
    return isOpen;
  }

  next() {
    const { game, number } = this.session.setup.lesson;
    return this.start(game, number + 1);
  }

  // Removes the moves that were tried.
  again() {
    const session = this.session;
    const tried = session.current.path().find(({ parent }) => parent === session.tip);
    if (tried) session.tree.remove(tried);
    session.go(session.tip);
  }

  // The move to be made now, or null if there are several.
  get answer() {
    const { setup, current, tip } = this.session;
    return nextMove(setup.lesson.answers, current.moves().slice(tip.ply));
  }

  #follow() {
    const session = this.session;
    const lesson = session.setup?.lesson;
    const { current, tip, verdict } = session;
    if (verdict && !(lesson && verdict.position.isWithin(current))) session.verdict = null;
    if (!lesson || session.verdict || current === tip || !tip.isWithin(current)) return;
    const found = judge(lesson.answers, current.moves().slice(tip.ply));
    if (found === "open") return;
    session.verdict = { position: current, isRight: found === "right" };
    if (session.verdict.isRight && lesson.number === lesson.of) this.#finish();
    this.#show(session.verdict, lesson.then ?? "");
  }

  #finish() {
    keep(KEPT, { ...recall(KEPT, {}), [this.session.game.network]: true });
  }

  // Plays what follows a right answer.
  async #show(verdict, then) {
    const session = this.session;
    const { position, isRight } = verdict;
    if (isRight && then) await this.#playOut(position, words(then));
    // Lets the page show the verdict first.
    else await null;
    if (session.verdict === verdict) this.fire("judged");
  }

  async #playOut(from, moves) {
    const session = this.session;
    const { setup, tree } = session;
    try {
      const states = await session.states.fetch(setup, [...from.moves(), ...moves], from.ply + 1);
      const end = tree.addLine(from, moves, states);
      for (const position of end.path().slice(from.ply + 1)) {
        await pause(PACE_MS);
        // The user may have gone elsewhere meanwhile.
        if (session.current !== position.parent) return;
        session.go(position, true);
      }
    } catch (error) {
      session.reportFailure(error);
    }
  }
}
