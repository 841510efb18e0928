// The board as the game has it: which position, what may be played, and what is marked on it.

import { Lost } from "./connection.js";
import { APOTHEM, Geometry, cellName } from "./geometry.js";
import * as marks from "./marks.js";
import { joins } from "./words.js";

// Cells narrower than this, in pixels, are hit by mistake: a touch chooses, a second one plays.
const EASY_TO_HIT = 26;

// A standing board has larger cells on a tall screen, but takes more of its height: worth it where a lying one has small
// cells.
const SHARE_OF_HEIGHT = 0.66;
const LARGE_ENOUGH = 28;
const WORTH_IT = 1.1;

// Tells `chosen` (`detail.name`): a cell was touched once and waits for the second touch; and `forbidden`
// (`detail.message`): an empty cell may not be played.
export class BoardView extends EventTarget {
  #board;
  #host;
  #session;
  #analyst;
  #preferences;
  #position = null;
  #pointed = null; // the move that is pointed at, on the board or in the list of lines
  #hinted = null;
  #touched = null; // the cell that was touched once
  #swapped = null; // where a swap would place the stone, while its button is pointed at

  constructor(board, host, session, analyst, preferences) {
    super();
    this.#board = board;
    this.#host = host;
    this.#session = session;
    this.#analyst = analyst;
    this.#preferences = preferences;
    board.addEventListener("point", ({ detail: { name } }) => this.point(name));
    board.addEventListener("play", ({ detail: { cell, name } }) => this.#play(cell, name));
  }

  get pointed() {
    return this.#pointed;
  }

  show() {
    const session = this.#session;
    const { current, players } = session;
    if (this.#position !== current) {
      this.#position = current;
      this.#pointed = this.#hinted = this.#touched = this.#swapped = null;
    }
    const { state } = current;
    const name = (code) => players.find((player) => player[0].toUpperCase() === code) ?? null;
    this.owner = (code) => name(code) && session.side(name(code));
    document.documentElement.dataset.players = players.join("-");
    this.#board.shape(session.setup.size, this.#stands(), joins(session.game));
    this.#board.show({
      state,
      owner: this.owner,
      name,
      arrived: session.arrived,
      captors: state.player ? session.side(state.player) : "",
      playable: new Set(session.yours ? state.legal : []),
      mover: session.yours ? this.#mover : null,
    });
    session.arrived = false;
    this.#board.measure();
    this.#board.choose(this.#touched);
    this.showMarks();
  }

  showMarks() {
    const { analysis, state } = this.#session.current;
    const likes = (what) => this.#preferences.get(what);
    const board = this.#board;
    const shown = [];
    if (this.#analyst.on && analysis && !state.outcome) {
      if (likes("forecast"))
        shown.push(...marks.forecast(board, analysis.board, (cell) => this.owner(state.board[cell])));
      const line = marks.candidates(analysis).find(({ move }) => move === this.#pointed);
      if (likes("policy") && !line) shown.push(...marks.policy(board, analysis, this.#mover));
      if (line) shown.push(...marks.variation(board, line.variation, this.#mover));
      else if (likes("moves")) shown.push(...marks.labels(board, analysis));
    }
    if (this.#hinted) shown.push(...marks.hint(board, this.#hinted));
    if (this.#swapped) shown.push(...marks.variation(board, [this.#swapped], this.#mover));
    board.mark(...shown);
  }

  point(move) {
    if (this.#pointed === move) return;
    this.#pointed = move;
    this.showMarks();
  }

  hint(move) {
    this.#hinted = move;
    this.showMarks();
  }

  // Shows what a swap would do, for as long as somebody points at its button.
  async showSwap(shows) {
    const position = this.#session.current;
    const { swap } = position.state;
    this.#swapped = null;
    try {
      if (shows && swap) {
        const [state] = await this.#session.states(this.#session.setup, [...position.moves(), swap], position.ply + 1);
        if (position !== this.#session.current) return;
        this.#swapped = cellName(
          [...state.board].findIndex((code) => code !== "."),
          this.#session.setup.size,
        );
      }
      this.showMarks();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }

  get #mover() {
    return this.#session.side(this.#session.current.state.to_move ?? this.#session.players[0]);
  }

  // Whether the board stands on its corner: as wished, or where that gives the larger cells.
  #stands() {
    const wish = this.#preferences.get("stand");
    if (wish !== "fit") return wish === "standing";
    const { clientWidth, clientHeight } = this.#host;
    const height = matchMedia("(max-width: 899px)").matches ? innerHeight * SHARE_OF_HEIGHT : clientHeight;
    const width = ({ box }) => 2 * APOTHEM * Math.min(clientWidth / box.width, height / box.height);
    const { size } = this.#session.setup;
    const lying = width(new Geometry(size));
    return lying < LARGE_ENOUGH && width(new Geometry(size, true)) > WORTH_IT * lying;
  }

  // The first move is the only one for which an empty cell is forbidden.
  #forbid(name, ply) {
    const message = ply === 0 ? "The first stone may not take the centre." : `${name} may not be played now.`;
    this.dispatchEvent(new CustomEvent("forbidden", { detail: { message } }));
  }

  #play(cell, name) {
    const { yours, current } = this.#session;
    if (!yours) return;
    if (!current.state.legal.includes(name)) {
      if (current.state.board[cell] === ".") this.#forbid(name, current.ply);
      return;
    }
    const careful = this.#board.touched && this.#preferences.get("touchTwice") && this.#board.cellWidth < EASY_TO_HIT;
    if (careful && this.#touched !== cell) {
      this.#touched = cell;
      this.#board.choose(cell);
      this.dispatchEvent(new CustomEvent("chosen", { detail: { name } }));
    } else {
      this.#touched = null;
      this.#session.play(name);
    }
  }
}
