// The moves of the game as a table of buttons, a column for each player; variations are runs of text between its rows.

import { captured, turned } from "../board_ui/changes.js";
import { html, icon } from "../board_ui/elements.js";
import { commas, percent } from "../board_ui/text.js";
import { Emitter } from "../game/emitter.js";
import { FAULTS, faultOf } from "../game/reviewer.js";
import { captureTexts, short, spoken } from "../text/moves.js";

const cost = (session, position) => {
  const { parent } = position;
  if (parent.chance === null || position.chance === null) return 0;
  const loss = parent.chance - position.chance;
  return position.state.player === session.players[0] ? loss : -loss;
};

// Fires `go`, with `detail.position`.
export class MoveList extends Emitter {
  #host;
  #positions = new Map();
  #reviewer = null;

  constructor(host) {
    super();
    this.#host = host;
    new ResizeObserver(() => this.#keepInView()).observe(host);
    host.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.fire("go", { position: this.#positions.get(button) });
    });
  }

  show(session, reviewer) {
    this.#reviewer = reviewer;
    const focused = this.#positions.get(document.activeElement);
    this.#positions.clear();
    const root = session.tree.root;
    this.#host.replaceChildren(...(root.children.length ? this.#rows(session, root) : [html("p", { class: "quiet" }, "No moves yet.")]));
    if (focused) [...this.#positions].find(([, position]) => position === focused)?.[0].focus({ preventScroll: true });
    this.#keepInView();
  }

  // Scrolls to the move of the position that is shown: only the list, not the page.
  #keepInView() {
    const here = this.#host.querySelector("[aria-current]")?.getBoundingClientRect();
    const { top } = this.#host.getBoundingClientRect();
    if (here) this.#host.scrollTop += here.top - top - (this.#host.clientHeight - here.height) / 2;
    else this.#host.scrollTop = 0;
  }

  // The rows of the main line. A move that is not the next column's begins a row: the one after a variation, or of a player who moves again.
  #rows(session, root) {
    const shown = [];
    let row = null;
    for (let at = root; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      const isSecond = session.side(main.state.player) === "second";
      if (!row || !isSecond || row.children.length > 2) shown.push((row = this.#row(main.ply, isSecond)));
      row.append(this.#move(session, main));
      if (others.length) row = null;
      shown.push(...this.#variations(session, others));
    }
    return shown;
  }

  // A row with the number of its first move, which is `ply`.
  #row(ply, beginsWithSecond) {
    const gap = () => html("span", { class: "gap", "aria-hidden": "true" }, "…");
    return html("div", { class: "moves-row" }, html("span", { class: "ply", "aria-hidden": "true" }, String(ply)), beginsWithSecond ? gap() : null);
  }

  #variations(session, others) {
    return others.map((other) => html("div", { class: "variation" }, this.#move(session, other), ...this.#line(session, other)));
  }

  // The moves after a position in a variation; those beside the main one follow it.
  #line(session, from) {
    const shown = [];
    for (let at = from; at.children.length; at = at.children[0]) {
      const [main, ...others] = at.children;
      shown.push(this.#move(session, main), ...this.#variations(session, others));
    }
    return shown;
  }

  #move(session, position) {
    const { state, move, ply } = position;
    const reviewed = this.#reviewer.reviewOf(position);
    const lost = reviewed ? reviewed.loss : session.analysing ? cost(session, position) : 0;
    // An analysis without a review is too rough to call a move an inaccuracy.
    const guessed = lost >= FAULTS.mistake.least ? faultOf(lost) : null;
    const fault = FAULTS[reviewed ? reviewed.fault : guessed];
    const [taken, won] = [captured, turned].map((of) => of(session.game, position).length);
    // For screen readers.
    const isTakenBack = session.history.isTakenBack(position);
    const words = [
      ...captureTexts(session, position),
      ...(fault ? [fault.words] : []),
      ...(position.comment ? ["with a comment"] : []),
      ...(isTakenBack ? ["taken back"] : []),
    ];
    const [shown, said] = [short(session, move), spoken(session, move)];
    const unseen = (text) => html("span", { class: "unseen" }, text);
    const button = html(
      "button",
      {
        type: "button",
        class: `move ${session.side(state.player)}${isTakenBack ? " taken-back" : ""}`,
        title: [shown === said ? null : said, fault ? `${fault.words}, lost ${percent(lost)} of win rate` : null].filter(Boolean).join(": ") || null,
        "aria-current": position === session.current ? "step" : null,
      },
      unseen("Move "),
      html("span", { class: "number" }, String(ply)),
      html("span", { class: "colour" }),
      unseen(`: ${state.player} `),
      html("span", { class: "name", "aria-hidden": shown === said ? null : "true" }, shown),
      shown === said ? null : unseen(said),
      taken ? html("span", { class: "captures" }, `×${taken}`) : null,
      won ? html("span", { class: "captures" }, `⇄${won}`) : null,
      fault ? html("span", { class: "mistake" }, fault.mark) : null,
      position.comment ? icon("comment") : null,
      words.length ? unseen(`, ${commas(words)}`) : null,
    );
    this.#positions.set(button, position);
    return button;
  }
}
