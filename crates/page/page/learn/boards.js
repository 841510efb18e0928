// Small boards: games as they are played, and what a network thinks of the empty board.

import { svg } from "../board_ui/elements.js";
import { View, at } from "../board_ui/geometry.js";
import { ground, piece, viewBox } from "../board_ui/picture.js";
import { percent } from "../board_ui/text.js";

const MOVE_MS = 350;
// The moves that a finished game stays.
const PAUSE_MOVES = 4;

const picture = (view, label, ...layers) =>
  svg("svg", { class: "board", viewBox: viewBox(view.box), role: "img", "aria-label": label }, ground(view), ...layers);

// Replays games on one board, one after the other; the latest that came is the next.
export class GameBoard {
  #view;
  #pieces = svg("g", { class: "cells" });
  #next = null;
  #game = null;
  #ply = 0;
  #at = [];

  constructor(host, layout) {
    this.#view = new View(layout);
    host.append(picture(this.#view, "A game of the network against itself", this.#pieces));
  }

  // Shows a game when the last one is over.
  offer(game) {
    this.#next = game;
  }

  // Goes on by a move.
  step() {
    const length = this.#game?.moves.length ?? 0;
    if (this.#ply >= length + PAUSE_MOVES || !this.#game) {
      if (!this.#next) return;
      [this.#game, this.#next, this.#ply, this.#at] = [this.#next, null, 0, []];
      this.#pieces.replaceChildren();
    }
    const move = this.#game.moves[this.#ply++];
    for (const [place, what] of move?.[1] ?? []) this.#put(place, what);
  }

  #put(place, what) {
    this.#at[place]?.remove();
    if (!what) return;
    const here = this.#view.places[place];
    this.#at[place] = svg("g", { class: "piece", transform: at(here.centre) }, piece(what, here));
    this.#pieces.append(this.#at[place]);
  }
}

// Lets boards go on together, as long as they are seen.
export const animate = (boards) =>
  setInterval(() => {
    if (!document.hidden) for (const board of boards) board.step();
  }, MOVE_MS);

// What a network thinks of the empty board: the darker a cell, the more likely its first move there. A cross stands on an opening that it
// judges wrongly.
export class OpinionBoard {
  #host;
  #view;

  constructor(host, layout) {
    this.#host = host;
    this.#view = new View(layout);
  }

  show(exam) {
    const shares = new Map();
    for (const [, place, share] of exam?.policy ?? []) if (place !== null) shares.set(place, (shares.get(place) ?? 0) + share);
    const most = Math.max(...shares.values(), 0.001);
    const heat = [...shares].map(([place, share]) => {
      const { centre, outline, label } = this.#view.places[place];
      const title = svg("title", {}, `${label}: ${percent(share)}`);
      return svg("path", { class: "heat", d: outline, transform: at(centre), "fill-opacity": (0.9 * share) / most }, title);
    });
    const wrong = (exam?.openings ?? []).filter(({ right, place }) => !right && place !== null);
    const crosses = wrong.map(({ place }) => {
      const { centre, room } = this.#view.places[place];
      const r = 0.3 * room;
      return svg("path", { class: "wrong", d: `M${-r} ${-r}L${r} ${r}M${-r} ${r}L${r} ${-r}`, transform: at(centre) });
    });
    const best = [...shares].sort((a, b) => b[1] - a[1]).slice(0, 3);
    const told = best.map(([place, share]) => `${this.#view.places[place].label} ${percent(share)}`).join(", ");
    const label = exam ? `Where the network would begin: ${told}` : "The empty board";
    this.#host.replaceChildren(picture(this.#view, label, ...heat, ...crosses));
  }
}
