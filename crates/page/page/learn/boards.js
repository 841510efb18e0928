// Small boards: games as they are played, and what a network thinks of a position.

import { svg } from "../board_ui/elements.js";
import { View, at } from "../board_ui/geometry.js";
import { cross, ground, piece, viewBox } from "../board_ui/picture.js";
import { percent } from "../board_ui/text.js";

const MOVE_MS = 350;
// How long a finished game stays on the board, in moves.
const PAUSE_MOVES = 4;

const picture = (view, label, ...layers) =>
  svg("svg", { class: "board", viewBox: viewBox(view.box), role: "img", "aria-label": label }, ground(view), ...layers);

const drawnPiece = (view, number, what) => {
  const place = view.places[number];
  return svg("g", { class: "piece", transform: at(place.centre) }, piece(what, place));
};

// Replays games on one board, one after the other. The game that was offered last comes next.
export class GameBoard {
  #view;
  #draw;
  #pieces = svg("g", { class: "cells" });
  #next = null;
  #game = null;
  #ply = 0;
  #at = [];

  // `draw` returns a game to replay if none was offered, or null.
  constructor(host, layout, draw = () => null) {
    this.#view = new View(layout);
    this.#draw = draw;
    host.append(picture(this.#view, "A game of the network against itself", this.#pieces));
  }

  // Shows a game when the last one is over.
  offer(game) {
    this.#next = game;
  }

  // Plays the next move.
  step() {
    const length = this.#game?.moves.length ?? 0;
    if (this.#ply >= length + PAUSE_MOVES || !this.#game) {
      const next = this.#next ?? this.#draw();
      if (!next) return;
      [this.#game, this.#next, this.#ply, this.#at] = [next, null, 0, []];
      this.#pieces.replaceChildren();
    }
    const move = this.#game.moves[this.#ply++];
    for (const [place, what] of move?.[1] ?? []) this.#put(place, what);
  }

  #put(place, what) {
    this.#at[place]?.remove();
    if (!what) return;
    this.#at[place] = drawnPiece(this.#view, place, what);
    this.#pieces.append(this.#at[place]);
  }
}

// Steps all boards together while the page is visible.
export const animate = (boards) =>
  setInterval(() => {
    if (!document.hidden) for (const board of boards) board.step();
  }, MOVE_MS);

const label = (place, words) => svg("title", {}, `${place.label}: ${words}`);

// A move of this probability is as dark as a cell gets.
const DARKEST = 0.3;

// Boards of more cells have no room for numbers.
const MAX_NUMBERED = 36;

// A board for what a network thinks of a position.
class OpinionBoard {
  constructor(host, layout) {
    this.host = host;
    this.view = new View(layout);
  }
}

// The policy: the darker a cell, the more likely the next move there.
export class PolicyBoard extends OpinionBoard {
  // `play` gets the place of a cell that is clicked.
  constructor(host, layout, play = null) {
    super(host, layout);
    if (!play) return;
    host.classList.add("playable");
    host.addEventListener("click", ({ target }) => {
      const number = target.closest("[data-place]")?.dataset.place;
      if (number !== undefined) play(Number(number));
    });
  }

  // Shows an opinion: its `policy`, moves with their places and probabilities, and the `pieces` on their places, none on the empty board.
  show(opinion) {
    const pieces = opinion?.pieces ?? [];
    const shares = new Map();
    for (const [, place, share] of opinion?.policy ?? []) if (place !== null) shares.set(place, (shares.get(place) ?? 0) + share);
    const { places } = this.view;
    const cells = [...shares].map(([number, share]) => {
      const place = places[number];
      const heat = svg("path", { class: "heat", d: place.outline, "fill-opacity": Math.min(1, share / DARKEST) }, label(place, percent(share)));
      const isNumbered = places.length <= MAX_NUMBERED && share >= 0.01;
      const size = 0.62 * place.room;
      const text = isNumbered && svg("text", { class: "share", "font-size": size, y: 0.35 * size }, percent(share));
      return svg("g", { transform: at(place.centre), "data-place": number }, heat, text || null);
    });
    const best = [...shares].sort((a, b) => b[1] - a[1]).slice(0, 3);
    const told = best.map(([number, share]) => `${places[number].label} ${percent(share)}`).join(", ");
    const name = best.length ? `The likeliest ${pieces.length ? "" : "first "}moves: ${told}` : pieces.length ? "The position" : "The empty board";
    this.host.replaceChildren(picture(this.view, name, ...pieces.map(([number, what]) => drawnPiece(this.view, number, what)), ...cells));
  }
}

// Whether the network is right about who wins after each first move: a dot where it is, a cross where it is not.
export class OpeningsBoard extends OpinionBoard {
  show(exam) {
    const { places } = this.view;
    const marks = (exam?.openings ?? []).filter(({ place }) => place !== null).map(({ place: number, right, wins }) => {
      const place = places[number];
      const r = 0.32 * place.room;
      const words = `${wins ? "wins" : "loses"}, judged ${right ? "correctly" : "wrongly"}`;
      const mark = right
        ? svg("circle", { class: "right", r: 0.6 * r })
        : svg("path", { class: "wrong", d: cross(r) });
      return svg("g", { transform: at(place.centre) }, mark, label(place, words));
    });
    this.host.hidden = marks.length === 0;
    const wrong = marks.length && exam.openings.filter(({ right }) => !right).map(({ move }) => move);
    const told = wrong?.length ? `Misjudged first moves: ${wrong.join(", ")}` : "All first moves are judged correctly";
    this.host.replaceChildren(picture(this.view, told, ...marks));
  }
}
