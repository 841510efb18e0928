// Values of first moves and replies: from the map that ships with the model, and from analyses in this browser.

import { buttonNamed, sourceOf } from "../board_ui/picks.js";
import { numbers, percent } from "../board_ui/text.js";
import { openingMap } from "../server/resources.js";
import { Emitter } from "./emitter.js";
import { keep, recall } from "./storage.js";

// Analyses are kept this often, in milliseconds.
const SAVE_DELAY_MS = 1000;

// After more moves than this nothing is an opening any more.
const LAST_PLY = 1;

const joined = (moves) => moves.join(" ");

// The value of a first move or a reply for the first player: `share` of the points, seen with so many `visits`; whether
// the second player `swaps`, and what the move is worth if it may not (`kept`).
const entry = (share, visits, swaps = false, kept = null) => ({ share, visits, swaps, kept: kept ?? (swaps ? 1 - share : share) });

// Fires `update`.
export class Openings extends Emitter {
  #session;
  #key = null; // the board whose map is there
  #shipped = new Map(); // entries by moves
  #ownValues = {}; // of this browser: [share, visits, swaps] by moves
  #visits = null; // of the map that ships
  #timer = null;
  loading = false; // true until the map that ships is there, or is known not to be

  constructor(session) {
    super();
    this.#session = session;
  }

  // True if the position that is shown has an opening map.
  get applies() {
    const { tree, setup, current } = this.#session;
    if (!tree || !this.#session.mayUseEngine || setup.lesson || setup.stones) return false;
    return current.ply <= LAST_PLY && !current.state.outcome && current.state.legal.length > 0;
  }

  // Gets the map of the board, if it is not there, and notes what has been analysed.
  follow() {
    const { tree, setup, current } = this.#session;
    if (!tree || setup.stones) return;
    const key = `${setup.game} ${setup.size}`;
    if (key !== this.#key) this.#load(key, setup);
    for (const position of current.line().slice(0, LAST_PLY + 2)) this.#note(position);
  }

  // Returns the values of the moves of the position that is shown, by their names.
  get entries() {
    const known = new Map();
    const before = this.#session.current.moves();
    for (const { name } of this.#session.current.state.legal) {
      const moves = joined([...before, name]);
      const [share, visits, swaps] = this.#ownValues[moves] ?? [];
      const shipped = this.#shipped.get(moves);
      // The entry with more visits stands.
      if (visits !== undefined && !(shipped?.visits >= visits)) known.set(name, entry(share, visits, swaps));
      else if (shipped) known.set(name, shipped);
    }
    return known;
  }

  // The best known move of each place, for the player to move, and what it is worth to that player: by place.
  get byPlace() {
    const { entries } = this;
    const places = new Map();
    for (const action of this.#session.current.state.legal) {
      const [place, known] = [sourceOf(action), entries.get(action.name)];
      if (place === null || !known) continue;
      const share = this.#worth(known);
      if (!(places.get(place)?.share >= share)) places.set(place, { ...known, share, move: action.name });
    }
    return places;
  }

  // The moves of the position that is shown, with what each is worth to the player to move: the best first.
  get best() {
    return [...this.entries].map(([move, known]) => [move, this.#worth(known)]).toSorted(([, a], [, b]) => b - a);
  }

  // Returns what an entry is worth to the player to move.
  #worth({ share }) {
    const { current, players } = this.#session;
    return current.state.to_move === players[0] ? share : 1 - share;
  }

  // Describes the map in a sentence or two.
  get description() {
    const { current, game } = this.#session;
    const { entries } = this;
    if (!entries.size) return "There is no shipped opening map for this board. Your analyses build one.";
    const mover = current.state.to_move;
    const swap = game.actions.find(({ word, kind }) => kind === "swap" && entries.has(word));
    return [
      `Win rate of ${mover} after each ${current.ply === 0 ? "first move" : "reply"}, in percent.`,
      swap ? `After the swap: ${percent(this.#worth(entries.get(swap.word)))}.` : "",
      this.#visits ? `From the shipped map (${numbers.format(this.#visits)} visits per move) and your analyses.` : "From your analyses.",
    ].filter(Boolean).join(" ");
  }

  async #load(key, { game, size }) {
    if (this.#timer) this.#save();
    this.#key = key;
    this.#shipped = new Map();
    this.#visits = null;
    this.#ownValues = recall(`openings ${key}`, {});
    this.loading = true;
    try {
      const map = await openingMap(game, size);
      if (this.#key !== key || !map) return;
      this.#visits = map.visits;
      const swap = this.#session.game.actions.find(({ kind }) => kind === "swap")?.word;
      for (const { move, kept, swapped = null, replies = {} } of map.openings) {
        const swaps = swapped !== null && swapped < kept;
        this.#shipped.set(move, entry(swaps ? swapped : kept, map.visits, swaps, kept));
        if (swap && swapped !== null) this.#shipped.set(joined([move, swap]), entry(swapped, map.visits));
        for (const [reply, share] of Object.entries(replies)) this.#shipped.set(joined([move, reply]), entry(share, map.reply_visits));
      }
    } catch {
      // Without the server only the analyses of this browser are there.
    } finally {
      if (this.#key === key) this.loading = false;
      this.fire("update");
    }
  }

  // Notes what an analysis says of a position that an opening leads to, and of the moves there.
  #note(position) {
    const { analysis, ply } = position;
    if (!analysis) return;
    const isSwap = (move) => buttonNamed(this.#session.game, move)?.kind === "swap";
    const moves = position.moves();
    if (ply > 0 && analysis.visits > 0) this.#record(moves, position.chance, analysis.visits, isSwap(analysis.lines[0]?.move));
    if (ply > LAST_PLY) return;
    for (const { move, visits, win, draw, variation } of analysis.lines) {
      const share = this.#session.firstPlayerChance(analysis.to_move, win, draw);
      if (visits > 0) this.#record([...moves, move], share, visits, isSwap(variation[1]));
    }
  }

  #save() {
    clearTimeout(this.#timer);
    this.#timer = null;
    keep(`openings ${this.#key}`, this.#ownValues);
  }

  #record(moves, share, visits, swaps) {
    const key = joined(moves);
    if (share === null || this.#ownValues[key]?.[1] >= visits) return;
    this.#ownValues[key] = [Math.round(share * 1000) / 1000, visits, swaps];
    this.#timer ??= setTimeout(() => this.#save(), SAVE_DELAY_MS);
  }
}
