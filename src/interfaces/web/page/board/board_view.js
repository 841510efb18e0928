// The board as the game has it: which position, what may be picked on it for a move, and what is marked on it.

import { moveNumbers } from "../board_ui/changes.js";
import { View } from "../board_ui/geometry.js";
import { Picking, sourceOf } from "../board_ui/picks.js";
import { counted, list, sentence } from "../board_ui/text.js";
import { FAULTS } from "../game/faults.js";
import { Lost, Refused } from "../server/errors.js";
import { cut, wayOf } from "../text/reasons.js";
import { spoken } from "../text/moves.js";
import { boardLabel, pieceName } from "../text/sentences.js";
import { Choices } from "./choices.js";
import * as marks from "./marks.js";
import { openingMap, openingWords } from "./opening_marks.js";

// Places narrower than this, in pixels, are hit by mistake: a touch chooses, a second one plays.
const EASY_TO_HIT = 26;

// A standing board has larger places on a tall screen, but takes more of its height: worth it where a lying one has small
// ones.
// What a tall screen shows beside the board without scrolling: the heading, the players, the steps and the sentence.
const BESIDE_IN_COLUMN = 282;
const LARGE_ENOUGH = 28;
// True where the panel is beside the board, as in layout.css: there the board has a height of its own.
const BESIDE = "(min-width: 900px), (orientation: landscape) and (max-height: 500px)";
const WORTH_IT = 1.1;

// More places than these to go on to are not read out.
const READ_OUT = 8;

// Tells `careful` (`detail.message`: a small place was touched, and is to be touched again; null once it was), `told` (`detail.text`: something that only those who do not see the board need to hear) and `forbidden`
// (`detail.message`: an empty place may not be played on).
export class BoardView extends EventTarget {
  #board;
  #host;
  #session;
  #analyst;
  #reviewer;
  #ahead;
  #openings;
  #editor;
  #preferences;
  #choices;
  #position = null;
  #picking = new Picking();
  #pointed = null; // the move that is pointed at, on the board or in the list of lines
  #hinted = null;
  #touched = null; // the place that was touched once
  #previewed = null; // the move whose button is pointed at
  #foreseen = null; // the states after moves that somebody points at: [key, states]

  constructor(board, host, session, { analyst, reviewer, ahead, openings, editor }, preferences) {
    super();
    this.#board = board;
    this.#host = host;
    this.#session = session;
    this.#analyst = analyst;
    this.#reviewer = reviewer;
    this.#ahead = ahead;
    this.#openings = openings;
    this.#editor = editor;
    this.#preferences = preferences;
    this.#choices = new Choices(host);
    board.addEventListener("point", ({ detail: { place } }) => this.point(this.#moveAt(place)));
    board.addEventListener("pick", ({ detail: { place } }) => this.#pickPlace(place));
    board.addEventListener("letter", ({ detail: { place } }) => this.#letter(place));
    board.addEventListener("way", ({ detail: { direction } }) => this.#pick({ direction }));
  }

  get pointed() {
    return this.#pointed;
  }

  show() {
    if (this.#editor.active) return this.#edit();
    const session = this.#session;
    const { current, game, setup, layout } = session;
    if (this.#position !== current) {
      this.#position = current;
      this.#pointed = this.#hinted = this.#touched = this.#previewed = this.#foreseen = null;
      this.#picking = new Picking(current.state.legal);
    }
    const [first, second] = session.players;
    Object.assign(document.documentElement.dataset, { first, second });
    this.#board.shape(layout, this.#lie(layout), boardLabel(game, setup.size));
    session.view = this.#board.view;
    this.#board.show({
      state: current.state,
      before: current.parent?.state ?? null,
      name: (piece) => pieceName(game, piece),
      player: session.players.indexOf(current.state.player),
      arrived: session.arrived,
    });
    session.arrived = false;
    this.#board.number(this.#preferences.get("numbers") ? moveNumbers(current) : null);
    this.#board.measure();
    this.#offer();
  }

  // Shows the position that is being set up. A piece may go on every place.
  #edit() {
    const { game, setup, layout, state, seat, players } = this.#editor;
    Object.assign(document.documentElement.dataset, { first: players[0], second: players[1] });
    this.#board.shape(layout, this.#lie(layout), boardLabel(game, setup.size));
    this.#board.show({ state, before: null, name: (piece) => pieceName(game, piece), player: -1, arrived: false });
    this.#board.number(null);
    this.#board.measure();
    const places = layout.places.flatMap(({ playable }, place) => (playable ? [place] : []));
    const free = places.filter((place) => !state.pieces[place]);
    this.#board.offer({
      playable: new Map(places.map((place) => [place, ""])),
      lit: new Set(),
      previews: new Set(seat === null ? [] : free),
      forbidden: new Set(),
      picked: [],
      ways: [],
      mover: seat,
    });
    this.#board.choose(null);
    this.#choices.hide();
    this.#board.mark([]);
  }

  showMarks() {
    if (this.#editor.active) return;
    const { current, game } = this.#session;
    const { analysis, state } = current;
    const likes = (what) => this.#preferences.get(what);
    const board = this.#board;
    const find = (move) => this.#action(move);
    const shown = [];
    const map = likes("openings") && this.#openings.applies ? this.#openings.byPlace : null;
    if (map) shown.push(...openingMap(board, map));
    let foreseen = this.#previewed && [this.#previewed];
    if (this.#analyst.on && analysis && !state.outcome) {
      if (likes("forecast") && likes("heat") !== "chance" && analysis.board) shown.push(...marks.forecast(board, analysis.board, state.pieces));
      const line = marks.candidates(analysis).find(({ move }) => move === this.#pointed);
      if (line) foreseen = line.variation;
      else if (!map) {
        shown.push(...this.#heat(analysis, find, likes("heat")));
        if (likes("moves")) shown.push(...marks.labels(board, analysis, find, game.choices));
      }
    }
    if (this.#hinted) shown.push(...marks.hint(board, find(this.#hinted)));
    // A move that gave something away is marked, and what would have been better in its place.
    const reviewed = !foreseen && !this.#analyst.on ? this.#reviewer.of(current) : null;
    if (reviewed?.fault) {
      this.#foresee(reviewed.line.slice(0, 1), current.parent);
      shown.push(...this.#cutWays(reviewed), ...marks.fault(board, state, FAULTS[reviewed.fault].mark), ...marks.better(board, this.#foreseen[1]));
    } else {
      this.#foresee(foreseen);
      if (this.#isJudged) shown.push(...this.#way(wayOf(this.#session, current.parent.state, state), state));
      if (this.#foreseen) shown.push(...marks.variation(board, this.#foreseen[1]));
    }
    shown.push(...marks.letters(board, current.marks), ...marks.path(board, this.#picked));
    board.mark(shown, map && openingWords(map));
  }

  // True if the move to the position that is shown is part of a try that has its verdict, or of a solution.
  get #isJudged() {
    const { current, tip, retrying, setup } = this.#session;
    const isSolution = setup.puzzle && current.moves()[tip.ply] === setup.puzzle.solution;
    return !current.isWithin(tip) && Boolean(retrying?.verdict || isSolution);
  }

  // Draws a way from side to side, if there is one.
  #way(found, { pieces }) {
    return found ? marks.way(this.#board, found.way, found.owner, pieces) : [];
  }

  // Draws the way of the other player that a move would cut, if it does.
  #cutWay(before, after) {
    return this.#way(after && cut(this.#session, before, after), before);
  }

  // The way that the answer to a bad move cuts, and the one that a better move would have cut.
  #cutWays({ best }) {
    const { current } = this.#session;
    const answer = current.children.map((child) => this.#reviewer.of(child)?.best).find(Boolean);
    return [
      ...(answer ? this.#cutWay(current.state, this.#ahead.after(current, answer)) : []),
      ...this.#cutWay(current.parent.state, this.#ahead.after(current.parent, best)),
    ];
  }

  // What is drawn on the cells for each move of an analysis.
  #heat(analysis, find, kind) {
    if (kind === "off") return [];
    if (kind === "chance") return openingMap(this.#board, marks.chances(analysis, find, this.#mover));
    return marks.heat(this.#board, analysis, find, this.#mover, kind);
  }

  // Points at a move, or at none.
  point(move) {
    if (this.#pointed === move) return;
    this.#pointed = move;
    this.showMarks();
  }

  hint(move) {
    this.#hinted = move;
    this.showMarks();
  }

  // Picks a button beside the board.
  press(button) {
    if (this.#editor.active) return;
    if (this.#session.yours) this.#pick({ button }, new Picking(this.#session.current.state.legal));
  }

  // Takes the last pick back; false if there is none.
  back() {
    if (!this.#picking.before) return false;
    const { source } = this.#picking;
    this.#take(this.#picking.before);
    if (source !== null) this.#board.focus(source);
    return true;
  }

  // Shows what a move would change, for as long as somebody points at its button.
  preview(move) {
    this.#previewed = move;
    this.showMarks();
  }

  // Asks what a sequence of moves from a position on would change, and shows it when that is known.
  async #foresee(moves, from = this.#session.current) {
    if (!moves) {
      this.#foreseen = null;
      return;
    }
    const position = this.#session.current;
    const key = [from.ply, ...moves].join(" ");
    if (this.#foreseen?.[0] === key) return;
    const asked = (this.#foreseen = [key, this.#foreseen?.[1] ?? []]);
    try {
      const states = await this.#session.states.of(this.#session.setup, [...from.moves(), ...moves], from.ply + 1);
      if (asked !== this.#foreseen || position !== this.#session.current) return;
      asked[1] = states;
      this.showMarks();
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Refused)) throw error;
    }
  }

  #action(move) {
    return this.#session.current.state.legal.find(({ name }) => name === move) ?? null;
  }

  // The best move at a place, as far as one is known.
  #moveAt(place) {
    if (place === null) return null;
    const { analysis } = this.#session.current;
    const found = analysis?.lines.find(({ move }) => {
      const action = this.#action(move);
      return action && sourceOf(action) === place;
    });
    return found?.move ?? null;
  }

  get #mover() {
    const { players, current } = this.#session;
    return Math.max(0, players.indexOf(current.state.to_move ?? players[0]));
  }

  // The places that have been picked.
  get #picked() {
    return this.#picking.path.filter((pick) => "place" in pick).map(({ place }) => place);
  }

  // Returns how the board lies: turned, mirrored, and standing or not.
  #lie(layout) {
    const way = { mirrored: this.#preferences.get("mirrored"), turns: this.#preferences.get("turns") };
    return { ...way, standing: this.#stands(layout, way) };
  }

  // True if the board stands: as chosen, or where that gives the larger places.
  #stands(layout, way) {
    const wish = this.#preferences.get("stand");
    if (wish !== "fit") return wish === "standing";
    const { clientWidth, clientHeight } = this.#host;
    const height = matchMedia(BESIDE).matches ? clientHeight : innerHeight - BESIDE_IN_COLUMN;
    const width = ({ box, places }) => {
      const room = Math.min(...places.filter(({ playable }) => playable).map((place) => place.room));
      return 2 * room * Math.min(clientWidth / box.width, height / box.height);
    };
    const lying = width(new View(layout, way));
    return lying < LARGE_ENOUGH && width(new View(layout, { ...way, standing: true })) > WORTH_IT * lying;
  }

  // The picks to which a click on a place may lead just now, by place.
  #places(picking) {
    const picks = new Map();
    for (const place of picking.of("place").keys()) picks.set(place, { place });
    for (const direction of picking.of("direction").keys()) {
      const place = picking.source === null ? null : this.#board.view.next(picking.source, direction);
      if (place !== null && !picks.has(place)) picks.set(place, { direction });
    }
    return picks;
  }

  // Shows what may be picked.
  #offer() {
    const { yours, current } = this.#session;
    const { state } = current;
    const begun = this.#picking.path.length > 0;
    const picks = yours ? this.#places(this.#picking) : new Map();
    const playable = new Map();
    const [previews, lit, forbidden] = [new Set(), new Set(), new Set()];
    for (const [place, pick] of picks) {
      const { only } = this.#picking.with(pick);
      playable.set(place, begun ? (only ? `plays ${this.#spoken(only.name)}` : "may be picked") : "");
      if (!begun && only && !state.pieces[place]) previews.add(place);
    }
    const empty = this.#board.view.places.flatMap(({ playable: isPlayable }, place) =>
      isPlayable && !state.pieces[place] ? [place] : [],
    );
    const shut = empty.filter((place) => !picks.has(place));
    // A few empty places that may not be played on are crossed out; where there are many, those that may be are lit.
    const isOpen = !begun && 2 * shut.length < empty.length;
    for (const place of picks.keys()) if (!isOpen || state.pieces[place]) lit.add(place);
    if (yours && isOpen) for (const place of shut) forbidden.add(place);
    // Another way to begin is open at any time.
    if (yours && begun)
      for (const place of this.#places(this.#start).keys()) if (!playable.has(place)) playable.set(place, "");
    const ways = begun ? [...this.#picking.of("direction").keys()] : [];
    this.#board.offer({
      playable,
      lit,
      previews,
      forbidden,
      picked: this.#picked,
      ways: yours ? ways.map((direction) => [direction, this.#spoken(this.#picking.with({ direction }).only?.name ?? "")]) : [],
      mover: yours ? this.#mover : null,
    });
    this.#board.choose(this.#touched);
    this.#offerChoices(yours && begun);
    this.showMarks();
  }

  // Buttons at the place that was picked last, for what is no place.
  #offerChoices(isOpen) {
    const { game } = this.#session;
    const { complete, source } = this.#picking;
    const choices = !isOpen
      ? []
      : [
          ...[...this.#picking.of("choice").keys()].map((choice) => [game.choices[choice].label, { choice }]),
          ...[...this.#picking.of("button").keys()].map((button) => [game.actions[button].label, { button }]),
        ].map(([label, pick]) => [label, () => this.#pick(pick)]);
    // A move that is done, though others go on from there.
    if (isOpen && complete) choices.unshift([`Play ${this.#spoken(complete.name)}`, () => this.#play(complete.name)]);
    if (!choices.length || source === null) return this.#choices.hide();
    this.#choices.show(this.#board.view.places[source].label, this.#board.screen(source), choices);
  }

  get #start() {
    return new Picking(this.#session.current.state.legal);
  }

  #pickPlace(place) {
    if (this.#editor.active) return this.#editor.pick(place);
    if (!this.#session.yours) return;
    const pick = this.#places(this.#picking).get(place);
    if (pick) return this.#pick(pick, this.#picking, place);
    if (this.#picking.path.length && place === this.#picking.source) return this.back();
    const anew = this.#places(this.#start).get(place);
    if (anew) return this.#pick(anew, this.#start, place);
    if (!this.#session.current.state.pieces[place]) this.#forbid(place);
  }

  // Adds a pick to a path, and plays the move that this makes. `place` is the one that was hit, if one was.
  #pick(pick, from = this.#picking, place = null) {
    const picking = from.with(pick);
    const { only } = picking;
    if (!only) return this.#take(picking);
    const isSmall = place !== null && this.#board.width(place) < EASY_TO_HIT;
    const careful = this.#board.touched && this.#preferences.get("touchTwice") && isSmall;
    if (careful && this.#touched !== place) {
      this.#touched = place;
      this.#board.choose(place);
      const message = `Touch ${this.#spoken(only.name)} again to play there.`;
      this.dispatchEvent(new CustomEvent("careful", { detail: { message } }));
    } else {
      this.#play(only.name);
    }
  }

  // Puts a letter on a place, or takes it away.
  #letter(place) {
    if (this.#editor.active) return;
    const { label } = this.#board.view.places[place];
    const had = this.#session.current.marks?.[label];
    const letter = this.#session.letter(label);
    this.#tell(letter ? `${letter} on ${label}.` : had ? `Nothing on ${label} any more.` : "All letters are on the board.");
  }

  #play(name) {
    const { source } = this.#picking;
    if (this.#touched !== null) this.dispatchEvent(new CustomEvent("careful", { detail: { message: null } }));
    // The box of choices goes away with the focus in it.
    if (source !== null && document.activeElement?.closest?.(".choices")) this.#board.focus(source);
    this.#touched = null;
    this.#picking = this.#start;
    this.#session.play(name);
  }

  // Goes on with a path, or back.
  #take(picking) {
    const hadFocus = document.activeElement?.closest?.(".choices");
    this.#picking = picking;
    this.#touched = null;
    this.#offer();
    const { source } = picking;
    if (source === null) return this.#tell("Taken back.");
    if (hadFocus && !document.activeElement?.closest?.(".choices")) this.#board.focus(source);
    const label = (place) => this.#board.view.places[place].label;
    const next = [...this.#places(picking).keys()].map(label);
    const more = next.length > READ_OUT ? counted(next.length, "place", "places") : list(next);
    const picked = `${label(source)} picked.`;
    this.#tell(next.length ? `${picked} Go on with ${more}.` : picked);
  }

  #spoken(move) {
    return spoken(this.#session, move);
  }

  #tell(text) {
    this.dispatchEvent(new CustomEvent("told", { detail: { text } }));
  }

  async #forbid(place) {
    const { label } = this.#board.view.places[place];
    const reason = this.#picking.path.length ? null : await this.#session.states.whyNot(this.#session.setup, this.#session.current, label);
    const told = reason && (reason.startsWith(label) ? `${reason}.` : sentence(reason));
    const message = told || `${label} may not be played now.`;
    this.dispatchEvent(new CustomEvent("forbidden", { detail: { message } }));
  }
}
