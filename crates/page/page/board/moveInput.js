// Lets a person enter a move on the board: picks of places, directions, choices and buttons narrow the legal moves down until one is left.

import { Picking } from "../board_ui/picks.js";
import { commas, counted, sentence } from "../board_ui/text.js";
import { Emitter } from "../game/emitter.js";
import { Choices } from "../panels/controls.js";
import { selectionPrompt, spoken } from "../text/moves.js";

// Places narrower than this, in pixels, are hit by mistake: a touch chooses, a second one plays.
const MIN_TOUCH_WIDTH = 26;

// More places than these to go on to are not read out.
const MAX_READ_OUT = 8;

// Fires `change` (the picks), `prompt` (`detail.message`: how a move that was begun goes on; null once it does not), `touchAgain` (the same
// of a small place, which is to be tapped again), `announce` (`detail.text`: something that only those who do not see the board need to
// hear) and `forbidden` (`detail.message`: an empty place may not be played on).
export class MoveInput extends Emitter {
  #choices;
  #picking = new Picking();
  #touched = null; // the place that was touched once

  constructor(board, host, session, preferences) {
    super();
    Object.assign(this, { board, session, preferences });
    this.#choices = new Choices(host);
    board.addEventListener("direction", ({ detail: { direction } }) => this.#pick({ direction }));
  }

  // Begins with another position.
  reset() {
    this.#touched = null;
    if (this.#picking.path.length) this.fire("prompt", { message: null });
    this.#picking = this.#freshPicking;
  }

  // Offers nothing, as the board serves another purpose.
  hide() {
    this.board.choose(null);
    this.#choices.hide();
  }

  // The places that have been picked.
  get picked() {
    return this.#picking.path.filter((pick) => "place" in pick).map(({ place }) => place);
  }

  get #freshPicking() {
    return new Picking(this.session.current.state.legal);
  }

  // Shows what may be picked.
  offer() {
    const { mayPlay, current } = this.session;
    const { state } = current;
    const begun = this.#picking.path.length > 0;
    const picks = mayPlay ? this.#places(this.#picking) : new Map();
    const playable = new Map();
    const [previews, lit, forbidden] = [new Set(), new Set(), new Set()];
    for (const [place, pick] of picks) {
      const { only } = this.#picking.with(pick);
      playable.set(place, begun ? (only ? `plays ${this.#spoken(only.name)}` : "can be selected") : "");
      if (!begun && only && !state.pieces[place]) previews.add(place);
    }
    const empty = this.board.view.places.flatMap(({ playable: isPlayable }, place) =>
      isPlayable && !state.pieces[place] ? [place] : [],
    );
    const shut = empty.filter((place) => !picks.has(place));
    // A few empty places that may not be played on are crossed out; where there are many, those that may be are lit.
    const isOpen = !begun && 2 * shut.length < empty.length;
    for (const place of picks.keys()) if (!isOpen || state.pieces[place]) lit.add(place);
    if (mayPlay && isOpen) for (const place of shut) forbidden.add(place);
    // Another way to begin is open at any time.
    if (mayPlay && begun) for (const place of this.#places(this.#freshPicking).keys()) if (!playable.has(place)) playable.set(place, "");
    const ways = begun ? [...this.#picking.of("direction").keys()] : [];
    this.board.offer({
      playable,
      lit,
      previews,
      forbidden,
      picked: this.picked,
      ways: mayPlay ? ways.map((direction) => [direction, this.#spoken(this.#picking.with({ direction }).only?.name ?? "")]) : [],
      mover: mayPlay ? this.session.seatToMove : null,
    });
    this.board.choose(this.#touched);
    this.#offerChoices(mayPlay && begun);
  }

  // Offers buttons at the place that was picked last, for what is no place.
  #offerChoices(isOpen) {
    const { game } = this.session;
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
    this.#choices.show(this.board.view.places[source].label, this.board.screen(source), choices);
  }

  // Returns the picks to which a click on a place may lead just now, by place.
  #places(picking) {
    const picks = new Map();
    for (const place of picking.of("place").keys()) picks.set(place, { place });
    for (const direction of picking.of("direction").keys()) {
      const place = picking.source === null ? null : this.board.view.next(picking.source, direction);
      if (place !== null && !picks.has(place)) picks.set(place, { direction });
    }
    return picks;
  }

  // Picks a button beside the board.
  press(button) {
    if (this.session.mayPlay) this.#pick({ button }, this.#freshPicking);
  }

  // Takes the last pick back; false if there is none.
  back() {
    if (!this.#picking.before) return false;
    const { source } = this.#picking;
    this.#setPicking(this.#picking.before);
    if (source !== null) this.board.focus(source);
    return true;
  }

  // Picks a place or begins another move there; if neither is possible, says why.
  pickPlace(place) {
    if (!this.session.mayPlay) return;
    const pick = this.#places(this.#picking).get(place);
    if (pick) return this.#pick(pick, this.#picking, place);
    if (this.#picking.path.length && place === this.#picking.source) return this.back();
    const anew = this.#places(this.#freshPicking).get(place);
    if (anew) return this.#pick(anew, this.#freshPicking, place);
    if (!this.session.current.state.pieces[place]) this.#explainForbidden(place);
  }

  // Adds a pick to a path, and plays the move that this makes. `place` is the one that was hit, if one was.
  #pick(pick, from = this.#picking, place = null) {
    const picking = from.with(pick);
    const { only } = picking;
    if (!only) return this.#setPicking(picking);
    const isSmall = place !== null && this.board.width(place) < MIN_TOUCH_WIDTH;
    const touchesTwice = this.board.touched && this.preferences.get("touchTwice") && isSmall;
    if (touchesTwice && this.#touched !== place) {
      this.#touched = place;
      this.board.choose(place);
      const message = `Tap ${this.#spoken(only.name)} again to play there.`;
      this.fire("touchAgain", { message });
    } else {
      this.#play(only.name);
    }
  }

  #play(name) {
    const { source } = this.#picking;
    if (this.#touched !== null) this.fire("touchAgain", { message: null });
    if (this.#picking.path.length) this.fire("prompt", { message: null });
    // The box of choices goes away with the focus in it.
    if (source !== null && document.activeElement?.closest?.(".choices")) this.board.focus(source);
    this.#touched = null;
    this.#picking = this.#freshPicking;
    this.session.play(name);
  }

  // Goes on with a path, or back.
  #setPicking(picking) {
    const hadFocus = document.activeElement?.closest?.(".choices");
    this.#picking = picking;
    this.#touched = null;
    this.offer();
    this.fire("change");
    const { source } = picking;
    this.fire("prompt", { message: source === null ? null : selectionPrompt(this.board.view.places[source].label, picking) });
    if (source === null) return this.fire("announce", { text: "Selection cancelled." });
    if (hadFocus && !document.activeElement?.closest?.(".choices")) this.board.focus(source);
    const label = (place) => this.board.view.places[place].label;
    const next = [...this.#places(picking).keys()].map(label);
    const more = next.length > MAX_READ_OUT ? `one of ${counted(next.length, "place", "places")}` : commas(next);
    const selected = `${label(source)} selected.`;
    this.fire("announce", { text: next.length ? `${selected} Choose ${more}.` : selected });
  }

  async #explainForbidden(place) {
    const { label } = this.board.view.places[place];
    const reason = this.#picking.path.length ? null : await this.session.states.whyNot(this.session.setup, this.session.current, label);
    const told = reason && (reason.startsWith(label) ? `${reason}.` : sentence(reason));
    const message = told || `You cannot play on ${label} now.`;
    this.fire("forbidden", { message });
  }

  #spoken(move) {
    return spoken(this.session, move);
  }
}
