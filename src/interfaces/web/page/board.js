// The board: an SVG rhombus of hexagons whose cells are buttons. It shows what it is told and knows no rules.

import { svg } from "./elements.js";
import { APOTHEM, RADIUS, Geometry, cellName, cellOf, hexagon, neighbours, path } from "./geometry.js";

const STONE = 0.76 * APOTHEM;
const ARM = 0.3 * APOTHEM;
const CROSS = `M${-ARM} ${-ARM}L${ARM} ${ARM}M${-ARM} ${ARM}L${ARM} ${-ARM}`;
const at = ([x, y]) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;
const empty = (code) => code === ".";

// How a stone looks on boards and in lessons: the second player's has a ring, so that colour is not all that tells them
// apart.
export const stone = (kind = "stone") =>
  svg(
    "g",
    { class: kind },
    svg("circle", { class: "disc", r: STONE }),
    svg("circle", { class: "ring", r: STONE * 0.62 }),
  );

// The empty cells; what a cell holds is drawn above.
export const ground = (geometry) =>
  svg(
    "g",
    { class: "ground", "aria-hidden": "true" },
    ...Array.from({ length: geometry.size ** 2 }, (_, cell) =>
      svg("path", { class: "hexagon", d: hexagon(), transform: at(geometry.centre(cell)) }),
    ),
  );

// What joins the stones of a winning chain.
export const chainLinks = (geometry, names, owner) => {
  const cells = names.map((name) => cellOf(name, geometry.size));
  const pairs = cells.flatMap((cell) =>
    neighbours(cell, geometry.size)
      .filter((other) => other > cell && cells.includes(other))
      .map((other) => [cell, other]),
  );
  return pairs.map((pair) => {
    const [[x1, y1], [x2, y2]] = pair.map((cell) => geometry.centre(cell));
    return svg("line", { class: `link ${owner}`, x1, y1, x2, y2 });
  });
};

// The frame in the players' colours with the coordinates.
export const frame = (geometry) => {
  const bands = geometry.bands.map((points, i) =>
    svg("path", { class: `band ${i < 2 ? "first" : "second"}`, d: path(points) }),
  );
  const splits = geometry.splits.map(([[x1, y1], [x2, y2]]) => svg("line", { class: "split", x1, y1, x2, y2 }));
  const names = geometry
    .names()
    .map(([text, [x, y]]) => svg("text", { class: "coordinate", x: x.toFixed(2), y: y.toFixed(2) }, text));
  return svg("g", { "aria-hidden": "true" }, ...bands, ...splits, ...names);
};

export const viewBox = ({ left, top, width, height }) =>
  [left, top, width, height].map((part) => part.toFixed(2)).join(" ");

// Tells `play` and `point` (a cell or null), each with `detail.cell`.
export class Board extends EventTarget {
  #host;
  #cells = [];
  #layers = {};
  #focused = 0;
  #state = null;

  constructor(host) {
    super();
    this.#host = host;
    this.geometry = null;
    this.picture = null;
    host.addEventListener("click", (event) => this.#chosen(event));
    host.addEventListener("keydown", (event) => this.#pressed(event));
    host.addEventListener("focusin", (event) => this.#focus(event));
    host.addEventListener("focusout", () => this.#blur());
    host.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#point(this.#cellOf(event)));
    host.addEventListener("pointerleave", () => this.#point(null));
  }

  get size() {
    return this.geometry?.size ?? 0;
  }

  // How wide a cell is on the screen.
  get cellWidth() {
    return 2 * APOTHEM * this.scale;
  }

  // The coordinates keep a readable size, whatever the size of the picture.
  measure() {
    const { width, height } = this.picture.getBoundingClientRect();
    this.scale = Math.min(width / this.geometry.box.width, height / this.geometry.box.height);
    this.picture.style.setProperty("--scale", this.scale);
  }

  // Draws an empty board, unless the same is there already.
  shape(size, standing, joins) {
    if (this.size === size && this.standing === standing && this.joins === joins) return;
    const focused = this.#host.contains(document.activeElement);
    Object.assign(this, { standing, joins, geometry: new Geometry(size, standing) });
    this.#focused = size * Math.floor(size / 2) + Math.floor(size / 2);
    this.#cells = Array.from({ length: size * size }, (_, cell) => this.#cell(cell));
    const layer = (name) => (this.#layers[name] = svg("g", { class: name, "aria-hidden": "true" }));
    this.picture = svg(
      "svg",
      {
        class: "board",
        viewBox: viewBox(this.geometry.box),
        role: "group",
        "aria-label": `Board, ${size} by ${size}. ${joins}`,
      },
      frame(this.geometry),
      ground(this.geometry),
      layer("links"),
      svg("g", { class: "cells" }, ...this.#cells),
      layer("fading"),
      layer("marks"),
      layer("focus"),
    );
    this.#host.replaceChildren(this.picture);
    if (focused) this.#cells[this.#focused].focus();
  }

  // Shows a position. `owner(code)` is "first" or "second"; `playable` are the cells that may be chosen, for `mover`.
  show({ state, owner, name, playable, mover, arrived, captors }) {
    const { size } = this;
    // The same position is shown again and again: what moves must not begin anew.
    const fresh = state !== this.#state;
    this.#state = state;
    const last = state.cell ?? (state.move ? [...state.board].findIndex((code) => !empty(code)) : -1);
    const captured = new Set(state.captured);
    const chain = new Set(state.chain);
    this.picture.dataset.mover = mover ?? "";
    this.picture.classList.toggle("decided", chain.size > 0);
    this.#cells.forEach((cell, i) => {
      const code = state.board[i];
      const here = cellName(i, size);
      const free = playable.has(here);
      cell.classList.toggle("playable", free);
      cell.classList.toggle("forbidden", Boolean(empty(code) && mover && !free));
      cell.classList.toggle("last", i === last);
      cell.classList.toggle("winning", chain.has(here));
      if (fresh) cell.classList.toggle("arrived", arrived && i === last);
      if (empty(code)) delete cell.dataset.owner;
      else cell.dataset.owner = owner(code);
      const words = [here, empty(code) ? "empty" : `${name(code)} stone`];
      if (i === last) words.push("last move");
      if (captured.has(here)) words.push("captured just now");
      if (chain.has(here)) words.push("in the winning chain");
      if (empty(code) && mover && !free) words.push("not allowed");
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-disabled", String(!free));
    });
    if (fresh) this.#fade(state.captured, captors, arrived);
    this.#layers.links.replaceChildren(
      ...chainLinks(this.geometry, state.chain, state.player && owner(state.board[last])),
    );
    this.#makeFocusable(this.#focused);
  }

  // What lies upon the cells: marks.js makes it.
  mark(...marks) {
    this.#layers.marks.replaceChildren(...marks);
  }

  place(name) {
    const cell = cellOf(name, this.size);
    return cell === null ? null : at(this.geometry.centre(cell));
  }

  // A cell that was touched once and waits for the second touch.
  choose(cell) {
    this.#cells.forEach((one, i) => one.classList.toggle("chosen", i === cell));
  }

  focus() {
    this.#cells[this.#focused]?.focus();
  }

  #cell(cell) {
    return svg(
      "g",
      { class: "cell", role: "button", tabindex: "-1", "data-cell": cell, transform: at(this.geometry.centre(cell)) },
      svg("path", { class: "area", d: hexagon() }),
      svg("path", { class: "cross", d: CROSS }),
      svg("circle", { class: "preview", r: STONE }),
      stone(),
      svg("circle", { class: "dot", r: STONE * 0.26 }),
    );
  }

  // The stones that the last move took stay visible for a while, then as outlines.
  #fade(names, captors, arrived) {
    const ghosts = names.map((name) => {
      const ghost = svg(
        "g",
        { class: `ghost ${captors}`, transform: this.place(name) },
        stone("taken"),
        svg("circle", { class: "trace", r: STONE }),
      );
      ghost.classList.toggle("arrived", arrived);
      ghost.addEventListener("animationend", () => {
        ghost.classList.remove("arrived");
        if (ghost.classList.contains("leaving")) ghost.remove();
      });
      return ghost;
    });
    // Those of the move before finish their way if the answer came at once.
    const leaving = [...this.#layers.fading.querySelectorAll(".arrived")];
    for (const one of leaving) one.classList.add("leaving");
    this.#layers.fading.replaceChildren(...(arrived ? leaving : []), ...ghosts);
  }

  #cellOf(event) {
    const cell = event.target.closest?.("[data-cell]");
    return cell ? Number(cell.dataset.cell) : null;
  }

  #tell(type, cell) {
    this.dispatchEvent(
      new CustomEvent(type, { detail: { cell, name: cell === null ? null : cellName(cell, this.size) } }),
    );
  }

  #point(cell) {
    this.#tell("point", cell);
  }

  #chosen(event) {
    const cell = this.#cellOf(event);
    if (cell === null) return;
    this.touched = event.pointerType === "touch";
    this.#makeFocusable(cell);
    this.#tell("play", cell);
  }

  #pressed(event) {
    const cell = this.#cellOf(event);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.size - 1;
    const [row, column] = [Math.floor(cell / this.size), cell % this.size];
    const go = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [row, 0],
      End: [row, last],
      PageUp: [0, column],
      PageDown: [last, column],
    }[event.key];
    if (go) {
      const [to, across] = go.map((part) => Math.min(Math.max(part, 0), last));
      this.#cells[to * this.size + across].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.touched = false;
      this.#tell("play", cell);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(event) {
    const cell = this.#cellOf(event);
    if (cell === null) return;
    this.#makeFocusable(cell);
    this.#layers.focus.replaceChildren(
      svg("path", { class: "focused", d: hexagon(), transform: at(this.geometry.centre(cell)) }),
    );
    if (event.target.matches(":focus-visible")) this.#point(cell);
  }

  #blur() {
    this.#layers.focus.replaceChildren();
    this.#point(null);
  }

  // One cell of the board is in the order of the Tab key; the arrow keys go on from there.
  #makeFocusable(cell) {
    this.#cells[this.#focused]?.setAttribute("tabindex", "-1");
    this.#focused = cell;
    this.#cells[cell].setAttribute("tabindex", "0");
  }
}
