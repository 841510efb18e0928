// The state of the game on the board, and what follows from it. session.js changes it.

import { Emitter } from "./emitter.js";
import { ENGINE, PERSON, firstGame, gameOf, isWithFriend, seatNames } from "./games.js";

/**
 * Who plays a game, on which board, and how. It is kept with the game.
 *
 * @typedef {object} Setup
 * @property {string} game the id of the game
 * @property {number} size of the board
 * @property {object | null} [stones] the position that the game begins with, in the form of address.js, if it was set up
 * @property {Record<string, "person" | "engine" | "friend">} roles by player
 * @property {string} level of the engine
 * @property {Record<string, string> | null} [levels] by player, in a game of the engine against itself
 * @property {{ seconds?: number, visits?: number }} effort of the engine for a move at full strength
 * @property {{ seconds: number, increment: number } | null} clock seconds for the game, and for each move
 * @property {string | null} [id] under which this browser keeps the game
 * @property {Record<string, string> | null} [seats] who played it, in words, where the roles do not tell
 * @property {boolean} [opened] true for a game of a file, a link, a puzzle or a lesson, which is to be looked through
 * @property {{ name?: string, players?: Record<string, string>, date?: string }} [labels]
 * @property {object} [puzzle] the puzzle that the game poses: docs/formats/puzzles.md
 * @property {import("../lessons/lessons.js").Lesson} [lesson] the step of a lesson that the game is
 * @property {SharedSetup | null} [shared]
 */

/**
 * A board that the server keeps for two people.
 *
 * @typedef {object} SharedSetup
 * @property {string} token by which this page joined it
 * @property {"first" | "second" | null} seat of this player; null for who watches
 * @property {Record<string, string> | null} tokens of all, for who shared it
 * @property {"first" | "second" | null} asks who asks to take a move back
 */

/** The end of a game. @typedef {{ winner: string | null, loser?: string, reason: string }} Result */

/**
 * A move that is tried in place of another one: a mistake, or the first move of a puzzle. retry.js owns it.
 *
 * @typedef {object} Retrying
 * @property {string} player who tries
 * @property {import("./gameTree.js").Position} from the position before the move
 * @property {{ best: string, before: number, move?: string, after?: number, isOnly?: boolean }} was the review of the move that was played
 * @property {object | null} verdict on the try
 */

// Who plays: the base of a game in progress, and of a position that is being set up.
export class Seating extends Emitter {
  setup; // a `Setup`

  constructor(about) {
    super();
    this.about = about;
  }

  get game() {
    return gameOf(this.about, this.setup.game);
  }

  get players() {
    return seatNames(this.game);
  }

  get allEngines() {
    return this.players.every((player) => this.roleOf(player) === ENGINE);
  }

  get allPeople() {
    return this.players.every((player) => this.roleOf(player) === PERSON);
  }

  roleOf(player) {
    return this.setup.roles[player];
  }

  // Returns the engine's level for a side: in a game against itself each has one.
  levelOf(player) {
    return this.setup.levels?.[player] ?? this.setup.level;
  }

  // Returns the engine's time for a move of a side; nothing where its level says that.
  effortOf(player) {
    return this.levelOf(player) === "full" && !this.setup.clock ? (this.setup.effort ?? this.about.effort) : {};
  }

  side(player) {
    return player === this.players[0] ? "first" : "second";
  }
}

// The state of a session. Each group of fields has one owner, which alone writes them.
export class GameState extends Seating {
  // The Session: the game on the board.
  layout; // the board, as the server lays it out
  tree = null; // the GameTree; null until the first game is there
  tip; // the Position at the end of the game: where it goes on
  current; // the Position that is shown
  ended = null; // the Result of a game that ended by resignation or by time
  clock = null;
  isSending = false; // while a person's move is with the server

  // The Session and the board: whether the move to the position that is shown has just been made, and is still to be drawn.
  arrived = false;

  // The EngineTurns: whether the engine thinks about its move, since when, and whether a game against itself goes on.
  thinking = false;
  thinkingSince = 0;
  running = false;

  // Retry: the `Retrying` of the move that is tried otherwise, and the position of such a variation that the engine answers.
  retrying = null;
  replying = null;

  // Lessons: the position after the moves that were tried in a step of a lesson, and whether they were right, as `{ position, isRight }`.
  verdict = null;

  // The Reviewer: true while the server looks the game over; then `{ tip, review, moves }`: the last position, the review, and its moves by
  // position.
  reviewing = false;
  reviewed = null;

  // The SharedBoard: itself, which takes the moves of a shared board to the server.
  relay = null;

  // The BoardView and screen.js: how the board lies, and whether the analysis is on.
  view = null;
  analysing = false;

  // The engine's level and time in the game on the board, or those of a newcomer's game.
  get engineSettings() {
    const { level, effort } = this.setup ?? firstGame(this.about);
    return { level, effort };
  }

  // The end of the game, be it on the board, by resignation or by time.
  get result() {
    return this.ended ?? this.tip.state.outcome;
  }

  // True if the engine may advise: those who play a friend decide alone.
  get mayUseEngine() {
    if (!this.tree || this.result) return true;
    return this.setup.shared ? !this.setup.shared.seat : !isWithFriend(this);
  }

  // True while the server does something that would end an analysis, or make the server refuse one.
  get isEngineBusy() {
    return this.thinking || this.reviewing || this.replying !== null;
  }

  // True if it is the engine's turn but no request is under way, as after a refusal.
  get isEngineStalled() {
    return !this.result && !this.thinking && this.roleOf(this.tip.state.to_move) === ENGINE;
  }

  // True if the engine may think for long, so that it can be told to move at once.
  get mayHurry() {
    return this.levelOf(this.tip.state.to_move) === "full";
  }

  // The number of the seat to move in the position that is shown; the first one at the end.
  get seatToMove() {
    return Math.max(0, this.players.indexOf(this.current.state.to_move ?? this.players[0]));
  }

  // True for a puzzle or a step of a lesson: moves are tried from its position, and it is not kept.
  get isExercise() {
    return Boolean(this.setup?.puzzle || this.setup?.lesson);
  }

  get exploring() {
    return this.current !== this.tip;
  }

  // True if a person may move in the position that is shown.
  get mayPlay() {
    if (!this.tree || this.isSending || this.replying === this.current || this.verdict || this.current.state.outcome) return false;
    return this.exploring || this.ended !== null || this.setup.roles[this.current.state.to_move] === PERSON;
  }

  // The next level for a person who has won against the engine, or null.
  get nextLevel() {
    const { winner } = this.result ?? {};
    const isWon = winner && !this.allPeople && this.roleOf(winner) === PERSON && this.players.some((player) => this.roleOf(player) === ENGINE);
    const { levels } = this.about;
    return (isWon && levels[levels.indexOf(this.setup.level) + 1]) || null;
  }

  // The player who may resign, or null.
  get resigner() {
    if (this.result || this.allEngines || this.isExercise || this.tip.ply === 0) return null;
    const { to_move: mover } = this.tip.state;
    return this.roleOf(mover) === PERSON ? mover : this.players.find((player) => this.roleOf(player) === PERSON);
  }

  // The position to which `backToGame` goes: the one where the game goes on; in a game that is over, from a variation first the one
  // where the variation begins, and from there the end.
  get returnTarget() {
    const { current, tip, result, setup } = this;
    const left = current.path().findLast((at) => at.isWithin(tip));
    return left === current || !(result || setup.opened) ? tip : left;
  }

  // Returns what the first player may expect; `win` and `draw` are the chances of `player`.
  firstPlayerChance(player, win, draw) {
    const share = win + draw / 2;
    return player === this.players[0] ? share : 1 - share;
  }

  // Returns the fields by which a request names a position.
  requestFields(position) {
    const { game, size, stones = null } = this.setup;
    return { game, size, setup: stones, moves: position.moves() };
  }
}
