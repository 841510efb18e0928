// Curves over the course of a run.

import { html, svg } from "../board_ui/elements.js";
import { commas, rounded } from "../board_ui/text.js";

const WIDTH = 320;
const HEIGHT = 110;
// Further series repeat the colours.
const COLOURS = 6;

// The class that gives a series its colour.
const kindOf = ({ kind }, number) => kind ?? `s${number % COLOURS}`;

const path = (places) => (places.length ? `M${places.map((place) => place.map((part) => part.toFixed(1)).join(" ")).join("L")}${places.length > 1 ? "" : "h0.1"}` : "");

// Shows the values at the pointer in a line below.
const tellValues = (host, line, series, [low, high], unit) => {
  const nearest = (points, wanted) => points.reduce((a, b) => (Math.abs(b[0] - wanted) < Math.abs(a[0] - wanted) ? b : a));
  host.onpointermove = host.onpointerdown = ({ clientX }) => {
    const { left, width } = host.getBoundingClientRect();
    const wanted = low + ((clientX - left) / width) * (high - low);
    const found = series.filter(({ name, points }) => name && points.length).map(({ name, points }) => [name, nearest(points, wanted)]);
    if (found.length) line.textContent = `${rounded(found[0][1][0])} ${unit}: ${commas(found.map(([name, [, value]]) => `${name} ${rounded(value)}`))}`;
  };
  host.onpointerleave = () => (line.textContent = "");
};

// Draws series over a common axis. Each has a `name`, perhaps a `kind` that its colour follows, and `points`: `[x, y]`, or with an
// interval `[x, y, low, high]`. `x` and `y` are the ends of the axes, `unit` is what the horizontal one counts; `top` may replace the
// number at the top, `now` is the place that is looked at, `reference` a line to compare with. The label is what a screen reader says.
export const curves = (host, { series, x, y, unit, label, top = rounded(y[1]), now = null, reference = null }) => {
  const place = ([at, value]) => [((at - x[0]) / (x[1] - x[0] || 1)) * WIDTH, (1 - (value - y[0]) / (y[1] - y[0] || 1)) * HEIGHT];
  const curve = (one, number) => {
    const whiskers = one.points.filter((point) => point.length > 2).map(([at, , low, high]) => path([place([at, low]), place([at, high])]));
    const kind = `curve ${kindOf(one, number)}`;
    return [svg("path", { class: kind, d: path(one.points.map(place)) }), whiskers.length ? svg("path", { class: `${kind} whisker`, d: whiskers.join("") }) : null];
  };
  const line = (kind, [x1, y1], [x2, y2]) => svg("line", { class: kind, x1, y1, x2, y2 });
  const rules = [0, 0.5, 1].map((height) => line("rule", [0, height * HEIGHT], [WIDTH, height * HEIGHT]));
  const values = html("span", { class: "values", "aria-hidden": "true" });
  const plot = svg(
    "svg",
    { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    ...rules,
    reference && line("now", place(reference[0]), place(reference[1])),
    ...series.flatMap(curve),
    now === null ? null : line("now", place([now, y[0]]), place([now, y[1]])),
  );
  host.replaceChildren(
    plot,
    html("span", { class: "top" }, top),
    html("span", { class: "bottom" }, rounded(y[0])),
    values,
    html("span", { class: "end" }, `${rounded(Number(x[1].toPrecision(3)))} ${unit}`),
  );
  tellValues(host, values, series, x, unit);
};

// Names the series, in their colours.
export const legend = (series) => html("p", { class: "legend" }, ...series.map((one, number) => html("span", { class: kindOf(one, number) }, one.name)));
