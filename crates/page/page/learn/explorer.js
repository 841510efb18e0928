// What a network thinks of a position: of the empty board, or of one that the user plays.

import { html } from "../board_ui/elements.js";
import { capital, percent, sentence } from "../board_ui/text.js";
import { textButton } from "../panels/controls.js";
import { PolicyBoard } from "./boards.js";

// A move without a place gets a button if it is at least this likely.
const MIN_SHARE = 0.005;

export class Explorer {
  #run;
  #board;
  #buttons = html("p", { class: "bar" });
  #told;
  #entry = null;
  #opinion = null;
  #moves = [];
  #asked = 0;

  // `onOpinion` gets what is shown, or null.
  constructor(host, layout, run, onOpinion) {
    this.#run = run;
    this.#told = onOpinion;
    const opinion = html("div", { class: "opinion" });
    this.#board = new PolicyBoard(opinion, layout, (place) => this.#playAt(place));
    host.append(opinion, this.#buttons);
  }

  // Shows the opinion of the network of an iteration.
  async show(entry) {
    this.#entry = entry;
    const asked = ++this.#asked;
    if (!entry || (entry.exam && !this.#moves.length)) return this.#take(entry?.exam ?? null);
    try {
      const opinion = await this.#run.opinion(entry, this.#moves);
      if (asked === this.#asked) this.#take(opinion);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#take(null);
      this.#buttons.textContent = sentence(error.message);
    }
  }

  #take(opinion) {
    this.#opinion = opinion;
    this.#board.show(opinion);
    this.#showButtons();
    this.#told(opinion);
  }

  #showButtons() {
    if (!this.#opinion) return;
    const others = this.#opinion.policy.filter(([, place, share]) => place === null && share >= MIN_SHARE);
    const offered = others.map(([name, , share]) => textButton(`${capital(name)} ${percent(share)}`, () => this.#play([...this.#moves, name])));
    const back = this.#moves.length
      ? [textButton("Take back", () => this.#play(this.#moves.slice(0, -1))), textButton("Empty board", () => this.#play([]))]
      : [html("span", { class: "quiet" }, "Click a cell to play there and see what the network thinks of that position, at any point in the run.")];
    this.#buttons.replaceChildren(...offered, ...back, this.#moves.length ? html("span", { class: "quiet" }, this.#moves.join(" ")) : "");
  }

  // Plays the likeliest move of a place: some games have several.
  #playAt(place) {
    const here = (this.#opinion?.policy ?? []).filter(([, at]) => at === place).sort((a, b) => b[2] - a[2]);
    if (here.length) this.#play([...this.#moves, here[0][0]]);
  }

  #play(moves) {
    this.#moves = moves;
    this.show(this.#entry);
  }
}
