// The graph of the first player's chances, from 0 to 1, over the positions of the line.

import { svg } from "../board_ui/elements.js";
import { percent } from "../board_ui/text.js";
import { Emitter } from "../game/emitter.js";

const WIDTH = 360;
const HEIGHT = 96;
const MIN_STEPS = 8;

// Fires `go`, with `detail.position`.
export class Chart extends Emitter {
  #host;
  #line = [];

  constructor(host) {
    super();
    this.#host = host;
    host.addEventListener("pointerdown", (event) => this.#jump(event));
    host.addEventListener("pointermove", (event) => event.buttons === 1 && this.#jump(event));
  }

  // `turns` are the positions after moves that gave something away.
  show(session, turns = []) {
    const line = session.current.line();
    this.#line = line;
    const steps = Math.max(MIN_STEPS, line.length - 1);
    const place = (position) => [(position.ply / steps) * WIDTH, (1 - position.chance) * HEIGHT];
    const known = line.filter((position) => position.chance !== null);
    const point = (position) => place(position).map((part) => part.toFixed(1)).join(" ");
    // Between two known positions that do not follow each other nothing is known.
    const stretches = [];
    for (const position of known) {
      const stretch = stretches.at(-1);
      if (stretch?.at(-1).ply === position.ply - 1) stretch.push(position);
      else stretches.push([position]);
    }
    const parts = [];
    for (const stretch of stretches.filter(({ length }) => length > 1)) {
      const [[from], [to]] = [place(stretch[0]), place(stretch.at(-1))];
      const curve = stretch.map(point).join("L");
      parts.push(
        svg("path", { class: "under", d: `M${from} ${HEIGHT}L${curve}L${to} ${HEIGHT}Z` }),
        svg("path", { class: "over", d: `M${from} 0L${curve}L${to} 0Z` }),
      );
    }
    parts.push(svg("line", { class: "half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    if (known.length) {
      // A position without neighbours is a dot.
      const solid = stretches.map((stretch) => `M${stretch.map(point).join("L")}${stretch.length > 1 ? "" : "h0.1"}`);
      const gaps = stretches.slice(1).map((stretch, i) => `M${point(stretches[i].at(-1))}L${point(stretch[0])}`);
      parts.push(svg("path", { class: "gap", d: gaps.join("") }), svg("path", { class: "curve", d: solid.join("") }));
    }
    for (const position of known.filter((one) => turns.includes(one))) {
      const [cx, cy] = place(position);
      parts.push(svg("circle", { class: "turn", cx, cy, r: 4 }));
    }
    const { current } = session;
    const x = (current.ply / steps) * WIDTH;
    parts.push(svg("line", { class: "now", x1: x, x2: x, y1: 0, y2: HEIGHT }));
    if (current.chance !== null) parts.push(svg("circle", { class: "point", cx: x, cy: place(current)[1], r: 4 }));
    const frame = { viewBox: `-5 -5 ${WIDTH + 10} ${HEIGHT + 10}`, "aria-hidden": "true", preserveAspectRatio: "none" };
    this.#host.replaceChildren(svg("svg", frame, ...parts));
    this.#host.dataset.steps = steps;
    this.#host.setAttribute("aria-valuemax", String(line.length - 1));
    this.#host.setAttribute("aria-valuenow", String(current.ply));
    const chance = current.chance === null ? "not analysed yet" : `${session.players[0]} wins ${percent(current.chance)}`;
    this.#host.setAttribute("aria-valuetext", `move ${current.ply}, ${chance}`);
  }

  #jump(event) {
    const { left, width } = this.#host.getBoundingClientRect();
    const share = (event.clientX - left) / width;
    const ply = Math.round(share * Number(this.#host.dataset.steps));
    const position = this.#line[Math.min(Math.max(ply, 0), this.#line.length - 1)];
    if (position) this.fire("go", { position });
  }
}
