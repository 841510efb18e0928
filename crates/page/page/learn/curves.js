// Curves over the iterations of a run.

import { html, svg } from "../board_ui/elements.js";
import { oneDecimal } from "../board_ui/text.js";

const WIDTH = 320;
const HEIGHT = 110;

// Draws curves: each has a `name`, a `kind` that its colour follows, and `points`, pairs of a time in minutes and a height from 0 to 1.
// `now` is the time that is looked at, `top` says what the height 1 stands for. The label is what a screen reader says.
export const curves = (host, lines, now, top, label) => {
  const last = Math.max(...lines.flatMap(({ points }) => points.map(([time]) => time)), 1 / 60);
  const place = ([time, height]) => `${((time / last) * WIDTH).toFixed(1)} ${((1 - height) * HEIGHT).toFixed(1)}`;
  const drawn = lines.map(({ kind, points }) =>
    svg("path", { class: `curve ${kind}`, d: points.length ? `M${points.map(place).join("L")}${points.length > 1 ? "" : "h0.1"}` : "" }),
  );
  const x = ((now ?? last) / last) * WIDTH;
  const frame = [0, 0.5, 1].map((height) => svg("line", { class: "rule", x1: 0, x2: WIDTH, y1: height * HEIGHT, y2: height * HEIGHT }));
  const cursor = svg("line", { class: "now", x1: x, x2: x, y1: 0, y2: HEIGHT });
  host.replaceChildren(
    svg(
      "svg",
      { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      ...frame,
      ...drawn,
      cursor,
    ),
    html("span", { class: "top" }, top),
    html("span", { class: "bottom" }, "0"),
    html("span", { class: "end" }, `${oneDecimal(last)} min`),
  );
};
