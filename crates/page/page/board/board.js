// The board: an SVG picture of any layout, whose playable places are buttons. It shows what it is told and knows no rules.

import { changesOf, newPlaces } from "../board_ui/changes.js";
import { svg } from "../board_ui/elements.js";
import { UNIT, View, at, minus } from "../board_ui/geometry.js";
import { arrow, cross, ground, links, ownerClass, piece, stone, trace, trail, viewBox } from "../board_ui/picture.js";
import { commas } from "../board_ui/text.js";
import { Emitter } from "../game/emitter.js";

const CROSS_SIZE = 0.3;
const KEYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const TO_THE_END = { Home: "left", End: "right", PageUp: "up", PageDown: "down" };
// The directions of the digits on a number pad.
const COMPASS = { 1: [-1, 1], 2: [0, 1], 3: [1, 1], 4: [-1, 0], 6: [1, 0], 7: [-1, -1], 8: [0, -1], 9: [1, -1] };

// Fires `pick` (`detail.place`), `letter` (`detail.place`: a letter is to be put there or removed), `direction` (`detail.direction`: an arrow
// was chosen) and `point` (`detail.place`, or null).
export class Board extends Emitter {
  #host;
  #places = [];
  #layers = {};
  #focused = null;
  #state = null;
  #words = [];
  #labels = []; // what is said of each place, without what lies upon it
  #notes = null;

  constructor(host) {
    super();
    this.#host = host;
    this.view = null;
    this.picture = null;
    host.addEventListener("click", (event) => this.#onClick(event));
    // The right button of a mouse, a long touch, or the menu key.
    host.addEventListener("contextmenu", (event) => this.#onContextMenu(event));
    host.addEventListener("keydown", (event) => this.#onKey(event));
    host.addEventListener("focusin", (event) => this.#onFocus(event));
    host.addEventListener("focusout", () => this.#onBlur());
    host.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.fire("point", { place: this.#placeOf(event) }));
    host.addEventListener("pointerleave", () => this.fire("point", { place: null }));
  }

  #onContextMenu(event) {
    const place = this.#placeOf(event);
    if (place === null) return;
    event.preventDefault();
    this.fire("letter", { place });
  }

  // Returns the width of a place on the screen.
  width(place) {
    return 2 * this.view.places[place].room * this.scale;
  }

  // The labels keep a readable size, whatever the size of the picture.
  measure() {
    const { width, height } = this.picture.getBoundingClientRect();
    this.scale = Math.min(width / this.view.box.width, height / this.view.box.height);
    this.picture.style.setProperty("--scale", this.scale);
  }

  // Returns the position of a place on the screen.
  screen(place) {
    const [x, y] = this.view.places[place].centre;
    const { a, d, e, f } = this.picture.getScreenCTM();
    return { x: a * x + e, y: d * y + f, room: this.view.places[place].room * this.scale };
  }

  // Draws an empty board, unless it is already shown. `way` is its orientation: see `View`.
  drawLayout(layout, way, label) {
    const orientation = JSON.stringify(way);
    if (this.view?.layout === layout && this.orientation === orientation && this.label === label) return;
    const focused = this.picture?.contains(document.activeElement);
    Object.assign(this, { orientation, label, view: new View(layout, way) });
    this.#places = this.view.places.map((_, place) => this.#place(place));
    this.#focused = this.#middle();
    this.#state = null;
    const layer = (name) => (this.#layers[name] = svg("g", { class: name, "aria-hidden": "true" }));
    const picture = svg(
      "svg",
      { class: "board", viewBox: viewBox(this.view.box), role: "group", "aria-label": label },
      ground(this.view),
      layer("links"),
      svg("g", { class: "cells" }, ...this.#places),
      layer("fading"),
      layer("marks"),
      layer("ways"),
      layer("focus"),
    );
    if (this.picture) this.picture.replaceWith(picture);
    else this.#host.prepend(picture);
    this.picture = picture;
    if (focused) this.focus();
  }

  // Shows a position; `before` is the state before its last move, and `name` gives the words for a piece.
  show({ state, before, name, player, arrived }) {
    // A position is shown again whenever something changes: moving pieces must not start again.
    if (state === this.#state) return;
    this.#state = state;
    const { placed, moved, removed } = changesOf(state);
    const fresh = new Set(newPlaces(state));
    const turned = new Set(placed.length + moved.length ? changesOf(state).recoloured : []);
    const from = new Map(moved.map(([start, end]) => [end, start]));
    const chain = new Set(state.chain);
    this.picture.classList.toggle("decided", chain.size > 0);
    this.#places.forEach((element, place) => {
      const what = state.pieces[place];
      this.#setPiece(element, place, what);
      element.classList.toggle("last", fresh.has(place));
      element.classList.toggle("turned", turned.has(place));
      element.classList.toggle("winning", chain.has(place));
      element.classList.toggle("arrived", arrived && placed.includes(place));
      const start = arrived ? (from.get(place) ?? null) : null;
      this.#slide(element, start !== null && !this.view.wraps(start, place) ? start : null, place);
      const words = [this.view.places[place].label, what ? name(what) : "empty"];
      if (fresh.has(place)) words.push("last move");
      if (turned.has(place)) words.push("taken over just now");
      const gone = removed.includes(place) ? before?.pieces[place] : null;
      if (gone)
        words.push(
          gone.owner === player
            ? "left just now"
            : what
              ? `captured a ${name(gone)}`
              : "captured just now",
        );
      if (chain.has(place)) words.push("in the winning chain");
      this.#words[place] = words;
    });
    this.#fade(removed, before, arrived);
    this.#layers.links.replaceChildren(
      ...links(this.view, state.chain, state.pieces[state.chain[0]]?.owner ?? null),
      ...moved.map(([start, end]) => trail(this.view, start, end)),
    );
  }

  // Shows what may be picked now: `playable` maps places to their descriptions, `lit` places are highlighted, `previews` are those
  // where the mover's piece would be put, `forbidden` are empty but may not be played on, `picked` is the path so far. `ways` are
  // directions from its last place: pairs of a number and a description.
  offer({ playable, lit, previews, forbidden, picked, ways, mover }) {
    this.picture.dataset.mover = mover === null ? "" : ownerClass(mover);
    this.#places.forEach((element, place) => {
      const isFree = playable.has(place);
      element.classList.toggle("playable", isFree);
      element.classList.toggle("lit", lit.has(place));
      element.classList.toggle("forbidden", forbidden.has(place));
      element.classList.toggle("picked", picked.includes(place));
      if (previews.has(place) && mover !== null) element.dataset.previews = mover;
      else delete element.dataset.previews;
      const words = [...this.#words[place]];
      if (picked.includes(place)) words.push("selected");
      if (playable.get(place)) words.push(playable.get(place));
      if (forbidden.has(place)) words.push("not allowed");
      this.#labels[place] = words;
      if (this.view.places[place].playable) element.setAttribute("aria-disabled", String(!isFree));
    });
    this.#label();
    this.#layers.ways.replaceChildren(...ways.map(([direction, words]) => this.#directionArrow(picked.at(-1), direction, words)));
    this.#makeFocusable(this.#focused);
  }

  // Shows marks upon the places, as marks.js makes them. `notes` describes them, by place.
  mark(marks, notes = null) {
    this.#layers.marks.replaceChildren(...marks);
    const isNew = JSON.stringify([...(notes ?? [])]) !== JSON.stringify([...(this.#notes ?? [])]);
    this.#notes = notes;
    if (isNew) this.#label();
  }

  // Writes a number on each piece that has one, by place, or none.
  number(numbers) {
    this.#places.forEach((element, place) => {
      const piece = element.querySelector(":scope > .piece");
      const number = piece ? numbers?.get(place) : undefined;
      const there = element.querySelector(".number");
      if (there?.textContent === String(number ?? "")) return;
      there?.remove();
      if (number === undefined) return;
      const size = this.#markRoom(place) * (number < 100 ? 0.8 : 0.62);
      piece.append(svg("text", { class: "number", "font-size": size, y: 0.5 }, String(number)));
    });
  }

  #label() {
    this.#places.forEach((element, place) => {
      const number = element.querySelector(".number")?.textContent;
      const words = [...this.#labels[place], number ? `move ${number}` : "", this.#notes?.get(place)];
      element.setAttribute("aria-label", commas(words.filter(Boolean)));
    });
  }

  // Highlights a place that was touched once and waits for the second touch; null for none.
  choose(place) {
    this.#places.forEach((element, i) => element.classList.toggle("chosen", i === place));
  }

  focus(place = this.#focused) {
    this.#places[place]?.focus();
  }

  #middle() {
    const { left, top, width, height } = this.view.box;
    const middle = [left + width / 2, top + height / 2];
    const far = ({ centre }) => Math.hypot(...minus(centre, middle));
    const playable = this.view.places.filter((place) => place.playable);
    return this.view.places.indexOf(playable.reduce((best, place) => (far(place) < far(best) ? place : best)));
  }

  #place(place) {
    const { centre, outline, playable, room } = this.view.places[place];
    if (!playable) return svg("g", { class: "cell shown", role: "img", transform: at(centre) });
    return svg(
      "g",
      { class: "cell", role: "button", tabindex: "-1", "data-place": place, transform: at(centre) },
      svg("path", { class: "area", d: outline }),
      svg("path", { class: "cross", d: cross(CROSS_SIZE * room) }),
      svg("g", { class: "preview" }, piece({ owner: 0 }, this.view.places[place]), piece({ owner: 1 }, this.view.places[place])),
    );
  }

  // Puts a piece on a place, or takes it away.
  #setPiece(element, place, what) {
    const key = JSON.stringify(what);
    if (element.dataset.holds !== key) {
      element.dataset.holds = key;
      element.querySelector(":scope > .piece")?.remove();
      if (what) {
        const parts = [piece(what, this.view.places[place]), svg("circle", { class: "dot", r: 0.2 * this.#markRoom(place) })];
        element.append(svg("g", { class: `piece ${ownerClass(what.owner)}` }, ...parts));
      }
    }
    if (what) element.dataset.owner = ownerClass(what.owner);
    else delete element.dataset.owner;
  }

  #markRoom(place) {
    return Math.min(UNIT, this.view.places[place].room);
  }

  // Lets a piece come from where it was.
  #slide(element, from, to) {
    const [x, y] = from === null ? [0, 0] : minus(this.view.places[from].centre, this.view.places[to].centre);
    element.classList.toggle("sliding", from !== null);
    element.style.setProperty("--from-x", `${x}px`);
    element.style.setProperty("--from-y", `${y}px`);
  }

  // The pieces that the last move took stay visible for a while, then as outlines.
  #fade(removed, before, arrived) {
    const gone = removed.filter((place) => before?.pieces[place] && !this.#state.pieces[place]);
    const ghosts = gone.map((place) => {
      const what = before.pieces[place];
      const ghost = svg(
        "g",
        { class: `ghost ${ownerClass(what.owner)}`, transform: at(this.view.places[place].centre) },
        stone(what),
        trace(this.view.places[place]),
      );
      ghost.classList.toggle("arrived", arrived);
      ghost.addEventListener("animationend", () => {
        ghost.classList.remove("arrived");
        if (ghost.classList.contains("leaving")) ghost.remove();
      });
      return ghost;
    });
    // The ghosts of the move before finish their animation if the answer came at once.
    const leaving = [...this.#layers.fading.querySelectorAll(".arrived")];
    for (const one of leaving) one.classList.add("leaving");
    this.#layers.fading.replaceChildren(...(arrived ? leaving : []), ...ghosts);
  }

  // An arrow at the edge of a place, for the mouse and for fingers: keys go to the place that it leads to.
  #directionArrow(place, direction, words) {
    const { centre } = this.view.places[place];
    const heading = this.view.heading(place, direction);
    const to = (far) => centre.map((part, axis) => part + heading[axis] * far * UNIT);
    return svg(
      "g",
      { class: "way", "data-direction": direction },
      svg("title", {}, words),
      svg("circle", { class: "reach", r: 0.42 * UNIT, cx: to(1.1)[0], cy: to(1.1)[1] }),
      arrow(to(0.85), to(1.55), "", [0, 0]),
    );
  }

  #placeOf(event) {
    const element = event.target.closest?.("[data-place]");
    return element ? Number(element.dataset.place) : null;
  }

  #onClick(event) {
    this.touched = event.pointerType === "touch";
    const way = event.target.closest?.("[data-direction]");
    if (way) return this.fire("direction", { direction: Number(way.dataset.direction) });
    const place = this.#placeOf(event);
    if (place === null) return;
    this.#makeFocusable(place);
    this.fire("pick", { place });
  }

  #onKey(event) {
    const place = this.#placeOf(event);
    if (place === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { view } = this;
    const { key } = event;
    if (key in KEYS) this.focus(view.byKey(place, KEYS[key]) ?? place);
    else if (key in TO_THE_END) this.focus(view.byKeyToTheEnd(place, TO_THE_END[key]));
    else if (key in COMPASS) this.focus(view.byVector(place, COMPASS[key]) ?? place);
    else if (key === "Enter" || key === " ") {
      this.touched = false;
      this.fire("pick", { place });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #onFocus(event) {
    const place = this.#placeOf(event);
    if (place === null) return;
    this.#makeFocusable(place);
    const { outline, centre } = this.view.places[place];
    this.#layers.focus.replaceChildren(svg("path", { class: "focused", d: outline, transform: at(centre) }));
    if (event.target.matches(":focus-visible")) this.fire("point", { place });
  }

  #onBlur() {
    this.#layers.focus.replaceChildren();
    this.fire("point", { place: null });
  }

  // One place of the board is in the order of the Tab key; the arrow keys go on from there.
  #makeFocusable(place) {
    this.#places[this.#focused]?.setAttribute("tabindex", "-1");
    this.#focused = place;
    this.#places[place].setAttribute("tabindex", "0");
  }
}
