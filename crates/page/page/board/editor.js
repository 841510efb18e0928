// Sets a position up, stone by stone.

import { html } from "../board_ui/elements.js";
import { capital } from "../board_ui/text.js";
import { Seating } from "../game/gameState.js";
import { segments } from "../panels/controls.js";

const NONE = "none";

// Fires `change`, and `announce` (`detail.text`).
export class Editor extends Seating {
  #pieces = [];
  #tool = "0"; // the seat whose stones are put down, or NONE
  state = null; // the present board, in the form of the server's positions
  #starts = 0; // how many positions were begun: each has its own controls

  constructor(about) {
    super(about);
    this.active = false;
  }

  // Begins with the stones of a position, if one is given. `onDone(setup)` gets the game that begins with what was set up.
  start(setup, layout, state, onDone) {
    Object.assign(this, { active: true, setup, layout, onDone });
    const isStone = (piece) => piece && (piece.owner === 0 || piece.owner === 1);
    this.#pieces = layout.places.map((_, place) => (isStone(state?.pieces[place]) ? { owner: state.pieces[place].owner } : null));
    this.toMove = state?.to_move === this.players[1] ? "second" : "first";
    this.#tool = "0";
    this.#starts += 1;
    this.#changed();
  }

  // The seat whose stones are put down; null while they are removed.
  get seat() {
    return this.#tool === NONE ? null : Number(this.#tool);
  }

  // Returns the arrangement that was set up, in the form of address.js.
  get stones() {
    const of = (seat) => this.#pieces.flatMap((piece, place) => (piece?.owner === seat ? [this.layout.places[place].label] : []));
    return { first: of(0), second: of(1), to_move: this.toMove };
  }

  // Puts a stone on a place, or removes the one there.
  pickPlace(place) {
    const there = this.#pieces[place]?.owner ?? null;
    const { seat } = this;
    const now = there === seat ? null : seat;
    if (there === now) return;
    this.#pieces[place] = now === null ? null : { owner: now };
    const { label } = this.layout.places[place];
    this.fire("announce", { text: now === null ? `${label} is empty.` : `${capital(this.players[now])} on ${label}.` });
    this.#changed();
  }

  clear() {
    this.#pieces = this.#pieces.map(() => null);
    this.fire("announce", { text: "The board is empty." });
    this.#changed();
  }

  cancel() {
    this.active = false;
    this.#changed();
  }

  // The arrangement stays until its game is on the board.
  done() {
    const { stones } = this;
    const isEmpty = !stones.first.length && !stones.second.length && stones.to_move === "first";
    this.onDone({ ...this.setup, stones: isEmpty ? null : stones });
  }

  // The controls, in the form of panels/controls.js.
  offers() {
    const [first, second] = this.players.map(capital);
    const row = (name, label, options, chosen, choose) => {
      const host = html("div", { class: "segments tools", role: "group", "aria-label": label });
      segments(host, name, options, chosen, (choice) => {
        choose(choice);
        this.#changed();
      });
      return host;
    };
    const tools = [["0", first], ["1", second], [NONE, "Remove"]];
    const movers = [["first", `${first} to move`], ["second", `${second} to move`]];
    return [
      { key: `tool ${this.#starts}`, content: row("tool", "A click places", tools, this.#tool, (tool) => (this.#tool = tool)) },
      { key: `mover ${this.#starts}`, content: row("mover", "To move", movers, this.toMove, (seat) => (this.toMove = seat)) },
      { key: "use", text: "Use this position", kind: "primary", action: () => this.done() },
      { key: "clear", text: "Clear", action: () => this.clear() },
      { key: "cancel", text: "Cancel", action: () => this.cancel() },
    ];
  }

  #changed() {
    this.state = { pieces: this.#pieces, changes: [], chain: [], legal: [], outcome: null, standing: null, move: null, player: null };
    this.fire("change");
  }
}
