// Draws boards and pieces: on the page, in lessons, and where a network learns.

import { svg } from "./elements.js";
import { UNIT, at, length, minus, plus, unit } from "./geometry.js";

const STONE = 0.76;

const SEATS = ["first", "second"];

// The class of what belongs to a seat, by its number, or to nobody.
export const ownerClass = (owner) => SEATS[owner] ?? "nobody";

export const viewBox = ({ left, top, width, height }) => [left, top, width, height].map((part) => part.toFixed(2)).join(" ");

// A stone. A ring marks the second seat's, so that the seats differ by more than their colour. A piece with a symbol or
// a number shows it.
export const stone = ({ owner, symbol = null, number = 0 }, radius = STONE * UNIT) => {
  const text = `${symbol ?? ""}${number || ""}`;
  // Pieces of nobody come in two tones, by their symbols.
  const tone = owner === null || owner === undefined ? ` tone-${(symbol ?? "x").charCodeAt(0) % 2}` : "";
  return svg(
    "g",
    { class: `stone ${ownerClass(owner)}${tone}` },
    svg("circle", { class: "disc", r: radius }),
    text ? null : svg("circle", { class: "ring", r: radius * 0.62 }),
    text
      ? svg("text", { class: "inscription", "font-size": radius * (text.length > 1 ? 0.9 : 1.15), y: 0.5 }, text)
      : null,
  );
};

const stoneRadius = ({ room }) => STONE * Math.min(room, UNIT);

// The outline of a stone that is no longer on its place: around the origin, or around a point.
export const trace = (place, point = null) => svg("circle", { class: "trace", r: stoneRadius(place), transform: point && at(point) });

// Draws a piece as it is on its place, around the origin: a stone, a line along an edge or over a crossing, or for a place
// that is not played on but has an owner, its area.
export const piece = (what, place) => {
  const drawn = place.lines[what.owner ?? 0] ?? place.lines.find(Boolean);
  if (drawn) {
    const name = `bridge ${ownerClass(what.owner)}`;
    return svg("g", { class: name }, svg("path", { class: "casing", d: drawn }), svg("path", { d: drawn }));
  }
  if (place.playable) return stone(what, stoneRadius(place));
  return svg("g", { class: `held ${ownerClass(what.owner)}` }, svg("path", { class: "tint", d: place.outline }), stone(what, 0.45 * place.room));
};

const decoration = (one) =>
  one.kind === "dot"
    ? svg("circle", { class: `peg ${ownerClass(one.owner)}`, r: one.radius, transform: at(one.centre) })
    : svg("text", { class: "board-title", transform: at(one.position) }, one.text);

const outlines = (view, playable) =>
  view.places
    .filter((place) => place.playable === playable)
    .map((place) => svg("path", { class: `outline of-${place.kind}`, d: place.outline, transform: at(place.centre) }));

// The empty board, with its sides and labels.
export const ground = (view) =>
  svg(
    "g",
    { class: "ground", "aria-hidden": "true" },
    // A frame around all sides, from which each colour stands out.
    ...view.sides.map(({ band }) => svg("path", { class: "frame", d: band })),
    ...view.sides.map(({ owner, band }) => svg("path", { class: `band ${ownerClass(owner)}`, d: band })),
    ...outlines(view, false),
    ...outlines(view, true),
    ...view.decorations.map(decoration),
    ...view.rim.map((label) => svg("text", { class: "coordinate", transform: at(label.at) }, label.text)),
  );

// A cross around the origin, as the path of a line.
export const cross = (room) => `M${-room} ${-room}L${room} ${room}M${-room} ${room}L${room} ${-room}`;

// Draws the joints between the stones of a winning chain. Lines join by themselves.
export const links = (view, chain, owner) => {
  const places = new Set(chain.filter((place) => !view.places[place].lines.some(Boolean)));
  const pairs = [...places].flatMap((place) =>
    [0, 1, 2, 3, 4, 5]
      .map((direction) => view.next(place, direction))
      .filter((other) => other > place && places.has(other) && view.near(place, other))
      .map((other) => [place, other]),
  );
  return pairs.map((pair) => {
    const [[x1, y1], [x2, y2]] = pair.map((place) => view.places[place].centre);
    return svg("line", { class: `link ${ownerClass(owner)}`, x1, y1, x2, y2 });
  });
};

// Draws the place that a piece came from, and its way.
export const trail = (view, from, to) => {
  const [start, end] = [from, to].map((place) => view.places[place].centre);
  return svg("g", { class: "trail" }, trace(view.places[from], start), view.wraps(from, to) ? null : arrow(start, end, "", [0, 0.82 * UNIT]));
};

// An arrow from one point to another; `gap` is how far it stays away from the points.
export const arrow = (from, to, name = "", gap = [0.5 * UNIT, 0.3 * UNIT]) => {
  const way = unit(minus(to, from));
  const [start, tip] = [plus(from, way, gap[0]), plus(to, way, -gap[1])];
  const size = Math.min(0.42 * UNIT, 0.5 * length(minus(to, from)));
  const neck = plus(tip, way, -size);
  const across = [-way[1], way[0]];
  const corner = (sign) => plus(neck, across, sign * size * 0.5).map((part) => part.toFixed(2));
  const shaft = `M${start.map((part) => part.toFixed(2))}L${neck.map((part) => part.toFixed(2))}`;
  const head = `M${tip.map((part) => part.toFixed(2))}L${corner(1)}L${corner(-1)}Z`;
  return svg(
    "g",
    { class: `arrow ${name}` },
    // The arrow may lie on a stone of its own colour.
    svg("path", { class: "under", d: shaft + head }),
    svg("path", { class: "shaft", d: shaft }),
    svg("path", { class: "head", d: head }),
  );
};

// Returns where the arrow of a move points that leads from a place to another or in a direction, or null.
export const aim = (view, source, { target, direction }) => {
  if (source === null) return null;
  if (target !== null) return view.places[target].centre;
  if (direction === null) return null;
  return plus(view.places[source].centre, view.heading(source, direction), 1.35 * UNIT);
};
