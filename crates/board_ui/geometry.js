// Computes where things are in a picture of a board. The layout that the server sends (docs/web.md) has places with
// outlines, sides and labels; this module only turns it, and finds what lies in which direction.

// Units of the picture for one of the layout, in which the centres of two neighbours are 2 apart.
export const UNIT = 20;

// Large boards are shown small, and need more room for their labels.
const ROOM_FOR_LABELS = 0.03;
const MARGIN = 0.6;
const TITLE = 0.7;
// For the outer half of the lines around places, and of the frame around sides.
const ROOM_FOR_LINES = 1;
const ROOM_FOR_FRAME = 6;

// Two places farther apart than this are neighbours only because the board wraps around.
const NEAR = 2.6;

const degrees = (angle) => (angle * Math.PI) / 180;
export const minus = ([a, b], [c, d]) => [a - c, b - d];
export const plus = ([a, b], [c, d], times = 1) => [a + c * times, b + d * times];
export const length = ([x, y]) => Math.hypot(x, y);
const dot = ([a, b], [c, d]) => a * c + b * d;
const scaled = ([x, y], factor) => [x * factor, y * factor];
export const unit = (vector) => scaled(vector, 1 / (length(vector) || 1));

const part = (number) => String(Math.round(number * 100) / 100);

const line = (points) => `M${points.map(([x, y]) => `${part(x)} ${part(y)}`).join("L")}`;

const area = (points) => `${line(points)}Z`;

export const at = ([x, y]) => `translate(${part(x)} ${part(y)})`;

// The radius of the circle around the origin that fits into a convex outline.
const roomIn = (outline) => {
  const distances = outline.map((from, i) => {
    const [x, y] = unit(minus(outline[(i + 1) % outline.length], from));
    return Math.abs(dot(from, [-y, x]));
  });
  return Math.min(...distances);
};

const box = (points) => {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
};

const around = ([x, y], margin) => [[x - margin, y - margin], [x + margin, y + margin]];

// The angle by which a layout is turned so that it is as high and narrow as possible.
const standingAngle = ({ places }) => {
  const points = places.map(({ centre }) => centre);
  const shape = (angle) => {
    const { width, height } = box(points.map(turn(angle)));
    return height / (width || 1);
  };
  // Each further step must gain a little: a board as high at 60 degrees as at 120 is turned by 60.
  return [30, 60, 90, 120, 150].reduce((best, angle) => (shape(angle) > shape(best) + 0.01 ? angle : best), 0);
};

const turn = (angle) => {
  const [cos, sin] = [Math.cos(degrees(angle)), Math.sin(degrees(angle))];
  return ([x, y]) => [x * cos - y * sin, x * sin + y * cos];
};

// The arrow keys as vectors of the picture.
const KEYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

// A layout as it is drawn: as it comes, or standing, which makes the places larger on a narrow screen; mirrored or not;
// and turned further by sixths of a circle. Points are in units of the picture; outlines and lines of places are
// relative to their centres.
export class View {
  #steps = new Map();

  constructor(layout, { standing = false, mirrored = false, turns = 0 } = {}) {
    this.layout = layout;
    // A mirrored board stands as the mirror image of the other.
    const upright = standing ? standingAngle(layout) * (mirrored ? -1 : 1) : 0;
    const angle = upright + 60 * turns;
    this.isAsItComes = angle % 360 === 0 && !mirrored;
    const turned = turn(angle);
    const put = ([x, y]) => scaled(turned([mirrored ? -x : x, y]), UNIT);
    this.places = layout.places.map((place) => {
      const centre = put(place.centre);
      const outline = place.outline.map((point) => minus(put(point), centre));
      const lines = place.lines.map((ends) => ends && line(ends.map((end) => minus(put(end), centre))));
      const { label, kind, playable } = place;
      return { label, kind, centre, outline: area(outline), lines, playable, room: roomIn(outline) };
    });
    this.sides = layout.sides.map(({ owner, band }) => ({ owner, band: area(band.map(put)) }));
    const shift = (ROOM_FOR_LABELS * layout.bounds.width) / 2;
    // Coordinates that are pairs of numbers come as "0," and ",0": their half of the name of a place.
    const textOf = (label) => label.text.replace(/^,|,$/g, "");
    this.rim = layout.rim.map((label) => ({ text: textOf(label), at: put(plus(label.position, label.outward, shift)) }));
    this.decorations = layout.decorations.map((one) =>
      one.kind === "dot"
        ? { ...one, centre: put(one.centre), radius: one.radius * UNIT }
        : { ...one, position: put(one.position) },
    );
    const drawn = [
      ...layout.places.flatMap((place) => place.outline.map(put)).flatMap((point) => around(point, ROOM_FOR_LINES)),
      ...layout.sides.flatMap((side) => side.band.map(put)).flatMap((point) => around(point, ROOM_FOR_FRAME)),
      ...this.rim.flatMap((label) => around(label.at, MARGIN * UNIT)),
      ...this.decorations.flatMap((one) =>
        one.kind === "dot" ? around(one.centre, one.radius) : around(one.position, TITLE * UNIT),
      ),
    ];
    this.box = box(drawn);
    this.byLabel = new Map(this.places.map(({ label }, place) => [label, place]));
  }

  // The place that shows what a cell of the network holds.
  get ofCell() {
    if (!this.cells) {
      this.cells = [];
      this.layout.places.forEach(({ cell, kind }, place) => {
        if (cell !== null && kind !== "edge") this.cells[cell] = place;
      });
    }
    return this.cells;
  }

  // The place next to another in one of the six directions, or null.
  next(place, direction) {
    return this.layout.places[place].arrows.directions[direction];
  }

  // Whether two places lie beside each other in the picture.
  near(place, other) {
    return length(minus(this.places[place].centre, this.places[other].centre)) < NEAR * UNIT;
  }

  // Whether two places are neighbours only because the board wraps around.
  wraps(place, other) {
    return !this.near(place, other) && this.layout.places[place].arrows.directions.includes(other);
  }

  // Which way a direction leads in the picture, as a vector of length 1: read off the neighbours that are near.
  heading(place, direction) {
    const { part: board } = this.layout.places[place];
    const key = `${board} ${direction}`;
    if (!this.#steps.has(key)) {
      const leads = (from) => {
        const to = this.next(from, direction);
        return to !== null && this.layout.places[from].part === board && this.near(from, to);
      };
      const from = this.places.findIndex((_, candidate) => leads(candidate));
      const step = from < 0 ? [0, 0] : minus(this.places[this.next(from, direction)].centre, this.places[from].centre);
      this.#steps.set(key, unit(step));
    }
    return this.#steps.get(key);
  }

  // The playable place to which an arrow key leads, or null: as the layout says, or on a turned board the nearest that way.
  byKey(place, key) {
    if (this.isAsItComes) return this.layout.places[place].arrows[key];
    // Tilted a little, so that of two places equally far to either side the way there and back choose the same one.
    const way = turn(10)(KEYS[key]);
    let best = null;
    let least = Infinity;
    this.places.forEach(({ centre, playable }, other) => {
      const step = minus(centre, this.places[place].centre);
      const ahead = dot(unit(step), way);
      const cost = length(step) * (2 - ahead);
      if (playable && other !== place && ahead > 0.6 && cost < least) [best, least] = [other, cost];
    });
    return best;
  }

  // The neighbour that lies most nearly in the direction of a vector, or null.
  byVector(place, vector) {
    const ahead = (direction) => dot(this.heading(place, direction), unit(vector));
    const ways = [0, 1, 2, 3, 4, 5].filter((direction) => this.next(place, direction) !== null && ahead(direction) > 0.7);
    const best = ways.reduce((best, way) => (best === null || ahead(way) > ahead(best) ? way : best), null);
    return best === null ? null : this.next(place, best);
  }

  // The last place that an arrow key leads to, one step after the other.
  byKeyToTheEnd(place, key) {
    const seen = new Set();
    let to = place;
    for (let next = place; next !== null && !seen.has(next); next = this.byKey(to, key)) {
      seen.add(next);
      to = next;
    }
    return to;
  }
}
