// Shows a position of the game on the board, with what is marked on it. moveInput.js takes the moves that are entered there.

import { moveNumbers, newPlaces } from "../board_ui/changes.js";
import { View } from "../board_ui/geometry.js";
import { buttonNamed, sourceOf } from "../board_ui/picks.js";
import { Emitter } from "../game/emitter.js";
import { FAULTS } from "../game/reviewer.js";
import { isRequestError } from "../server/connection.js";
import { cut, wayOf } from "../text/moves.js";
import { boardLabel, pieceName } from "../text/sentences.js";
import * as marks from "./marks.js";
import { MoveInput } from "./moveInput.js";

// The pixels that a tall screen needs beside the board without scrolling: --beside-board of layout.css.
const HEIGHT_BESIDE_BOARD = 312;
// A standing board has larger places on a tall screen, but takes more of its height: it is worth it where the places of a lying one are
// narrower than this, in pixels, and by this factor.
const MIN_PLACE_WIDTH = 28;
const MIN_STANDING_GAIN = 1.1;
// True where the panel is beside the board, as in layout.css: there the board has a height of its own.
const PANEL_IS_BESIDE = "(min-width: 900px), (orientation: landscape) and (max-height: 500px)";

// Fires `announce` (`detail.text`: something that only those who do not see the board need to hear).
export class BoardView extends Emitter {
  pointed = null; // the move that is pointed at, on the board or in the list of lines
  #position = null;
  #hinted = null;
  #previewed = null; // the move whose button is pointed at
  #foreseen = null; // the states after moves whose buttons are hovered: [key, states]

  constructor(board, host, session, { analyst, reviewer, whatIf, openings, editor }, preferences) {
    super();
    Object.assign(this, { board, host, session, analyst, reviewer, whatIf, openings, editor, preferences });
    this.input = new MoveInput(board, host, session, preferences);
    this.input.addEventListener("change", () => this.showMarks());
    board.addEventListener("point", ({ detail: { place } }) => this.point(this.#moveAt(place)));
    board.addEventListener("pick", ({ detail: { place } }) => (editor.active ? editor : this.input).pickPlace(place));
    board.addEventListener("letter", ({ detail: { place } }) => this.#toggleLetter(place));
  }

  show() {
    if (this.editor.active) return this.#edit();
    const session = this.session;
    const { current, game, setup, layout } = session;
    if (this.#position !== current) {
      this.#position = current;
      this.pointed = this.#hinted = this.#previewed = this.#foreseen = null;
      this.input.reset();
    }
    const [first, second] = session.players;
    Object.assign(document.documentElement.dataset, { first, second });
    this.board.drawLayout(layout, this.#orientation(layout), boardLabel(game, setup.size));
    session.view = this.board.view;
    this.board.show({
      state: current.state,
      before: current.parent?.state ?? null,
      name: (piece) => pieceName(game, piece),
      player: session.players.indexOf(current.state.player),
      arrived: session.arrived,
    });
    session.arrived = false;
    this.board.number(this.preferences.get("numbers") ? moveNumbers(current) : null);
    this.board.measure();
    this.input.offer();
    this.showMarks();
  }

  // Shows the position that is being set up. A piece may go on every place.
  #edit() {
    const { game, setup, layout, state, seat, players } = this.editor;
    Object.assign(document.documentElement.dataset, { first: players[0], second: players[1] });
    this.board.drawLayout(layout, this.#orientation(layout), boardLabel(game, setup.size));
    this.board.show({ state, before: null, name: (piece) => pieceName(game, piece), player: -1, arrived: false });
    this.board.number(null);
    this.board.measure();
    const places = layout.places.flatMap(({ playable }, place) => (playable ? [place] : []));
    const free = places.filter((place) => !state.pieces[place]);
    this.board.offer({
      playable: new Map(places.map((place) => [place, ""])),
      lit: new Set(),
      previews: new Set(seat === null ? [] : free),
      forbidden: new Set(),
      picked: [],
      ways: [],
      mover: seat,
    });
    this.input.hide();
    this.board.mark([]);
  }

  showMarks() {
    if (this.editor.active) return;
    const { current, game } = this.session;
    const { analysis, state } = current;
    const preference = (what) => this.preferences.get(what);
    const board = this.board;
    const find = (move) => this.#action(move);
    const shown = [];
    const map = preference("openings") && this.openings.applies ? this.openings.byPlace : null;
    if (map) shown.push(...marks.openingMap(board, map));
    let foreseen = this.#previewed && [this.#previewed];
    if (this.analyst.on && analysis && !state.outcome) {
      if (preference("forecast") && preference("heat") !== "chance" && analysis.board) shown.push(...marks.forecast(board, analysis.board, state.pieces));
      if (analysis.proof) shown.push(...marks.region(board, analysis.proof, this.#winner(analysis), find));
      const line = marks.candidates(analysis).find(({ move }) => move === this.pointed);
      if (line) foreseen = line.variation;
      else if (!map) {
        shown.push(...this.#heat(analysis, find, preference("heat")));
        if (preference("moves")) shown.push(...marks.labels(board, analysis, find, game.choices));
      }
    }
    if (this.#hinted) shown.push(...marks.hint(board, find(this.#hinted)));
    // A move that gave something away is marked, and what would have been better in its place.
    const reviewed = !foreseen && !this.analyst.on ? this.reviewer.reviewOf(current) : null;
    if (reviewed?.fault) {
      this.#foresee(reviewed.line.slice(0, 1), current.parent);
      shown.push(...this.#cutWays(reviewed), ...marks.fault(board, state, FAULTS[reviewed.fault].mark), ...marks.better(board, this.#foreseen[1]));
    } else {
      this.#foresee(foreseen);
      if (this.#isJudged) shown.push(...this.#way(this.#wayOfTry(current), state));
      if (this.#foreseen) shown.push(...marks.variation(board, this.#foreseen[1]));
    }
    // A swap puts down no stone of its own: the one that it took over is marked.
    if (buttonNamed(game, state.move) && newPlaces(state).length === 1 && !reviewed?.fault) shown.push(...marks.swapped(board, state));
    shown.push(...marks.letters(board, current.marks), ...marks.path(board, this.input.picked));
    board.mark(shown, map && marks.openingWords(map));
  }

  // True if the move to the position that is shown is part of a try that has its verdict, or of a solution.
  get #isJudged() {
    const { current, tip, retrying, setup } = this.session;
    const isSolution = setup.puzzle && current.moves()[tip.ply] === setup.puzzle.solution;
    return !current.isWithin(tip) && Boolean(retrying?.verdict || isSolution);
  }

  // The way that explains a try: in a puzzle that of the player who solves it, also after the reply.
  #wayOfTry(current) {
    const { setup, tip, players, retrying } = this.session;
    if (!setup.puzzle || retrying?.verdict?.isBest === false) return wayOf(this.session, current.parent.state, current.state);
    const owner = players.indexOf(tip.state.to_move);
    const need = current.state.needs?.[owner];
    return need ? { owner, way: need.way } : null;
  }

  // Draws a way from side to side, if there is one.
  #way(found, { pieces }) {
    return found ? marks.way(this.board, found.way, found.owner, pieces) : [];
  }

  // Draws the way of the other player that a move would cut, if it does.
  #cutWay(before, after) {
    return this.#way(after && cut(this.session, before, after), before);
  }

  // Draws the way that the answer to a bad move cuts, and the one that a better move would have cut.
  #cutWays({ best }) {
    const { current } = this.session;
    const answer = current.children.map((child) => this.reviewer.reviewOf(child)?.best).find(Boolean);
    return [
      ...(answer ? this.#cutWay(current.state, this.whatIf.after(current, answer)) : []),
      ...this.#cutWay(current.parent.state, this.whatIf.after(current.parent, best)),
    ];
  }

  // Draws the moves of an analysis on the cells.
  #heat(analysis, find, kind) {
    if (kind === "off") return [];
    if (kind === "chance") return marks.openingMap(this.board, marks.chances(analysis, find, this.session.seatToMove));
    return marks.heat(this.board, analysis, find, this.session.seatToMove, kind);
  }

  // Returns the seat that a proof found to win, or null.
  #winner({ proof, to_move: mover }) {
    if (!proof.winner) return null;
    const { seatToMove } = this.session;
    return proof.winner === mover ? seatToMove : 1 - seatToMove;
  }

  // Points at a move, or at none.
  point(move) {
    if (this.pointed === move) return;
    this.pointed = move;
    this.showMarks();
  }

  // Picks a button beside the board.
  press(button) {
    if (!this.editor.active) this.input.press(button);
  }

  hint(move) {
    this.#hinted = move;
    this.showMarks();
  }

  // Shows what a move would change, while its button is hovered.
  preview(move) {
    this.#previewed = move;
    this.showMarks();
  }

  // Asks what a sequence of moves from a position on would change, and shows it when that is known.
  async #foresee(moves, from = this.session.current) {
    if (!moves) {
      this.#foreseen = null;
      return;
    }
    const position = this.session.current;
    const key = [from.ply, ...moves].join(" ");
    if (this.#foreseen?.[0] === key) return;
    const asked = (this.#foreseen = [key, this.#foreseen?.[1] ?? []]);
    try {
      const states = await this.session.states.fetch(this.session.setup, [...from.moves(), ...moves], from.ply + 1);
      if (asked !== this.#foreseen || position !== this.session.current) return;
      asked[1] = states;
      this.showMarks();
    } catch (error) {
      if (!isRequestError(error)) throw error;
    }
  }

  #action(move) {
    return this.session.current.state.legal.find(({ name }) => name === move) ?? null;
  }

  // Returns the best move at a place, or null if none is known.
  #moveAt(place) {
    if (place === null) return null;
    const { analysis } = this.session.current;
    const found = analysis?.lines.find(({ move }) => {
      const action = this.#action(move);
      return action && sourceOf(action) === place;
    });
    return found?.move ?? null;
  }

  // Returns how the board lies: turned, mirrored, and standing or not.
  #orientation(layout) {
    const way = { mirrored: this.preferences.get("mirrored"), turns: this.preferences.get("turns") };
    return { ...way, standing: this.#isStanding(layout, way) };
  }

  // True if the board stands: as chosen, or where that gives the larger places.
  #isStanding(layout, way) {
    const wanted = this.preferences.get("stand");
    if (wanted !== "fit") return wanted === "standing";
    const { clientWidth, clientHeight } = this.host;
    const height = matchMedia(PANEL_IS_BESIDE).matches ? clientHeight : innerHeight - HEIGHT_BESIDE_BOARD;
    const width = ({ box, places }) => {
      const room = Math.min(...places.filter(({ playable }) => playable).map((place) => place.room));
      return 2 * room * Math.min(clientWidth / box.width, height / box.height);
    };
    const lying = width(new View(layout, way));
    return lying < MIN_PLACE_WIDTH && width(new View(layout, { ...way, standing: true })) > MIN_STANDING_GAIN * lying;
  }

  // Puts a letter on a place, or takes it away.
  #toggleLetter(place) {
    if (this.editor.active) return;
    const { label } = this.board.view.places[place];
    const had = this.session.current.marks?.[label];
    const letter = this.session.toggleLetter(label);
    this.fire("announce", { text: letter ? `${letter} on ${label}.` : had ? `Letter removed from ${label}.` : "All letters are in use." });
  }
}
