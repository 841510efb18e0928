// Where things are on a rhombus of hexagons, in units of the picture. A cell is 2 · APOTHEM wide; its corners point up
// and down.

export const APOTHEM = 20;
export const RADIUS = (2 * APOTHEM) / Math.sqrt(3);

// How far the coloured sides and the coordinates lie beyond the centres of the outermost cells.
const BAND = 1.3 * RADIUS;
// Large boards are shown small, and need more room for the coordinates.
const beyond = (size) => 1.06 + 0.022 * size;

const degrees = (angle) => (angle * Math.PI) / 180;
const direction = (angle) => [Math.cos(degrees(angle)), Math.sin(degrees(angle))];
const plus = ([a, b], [c, d], times = 1) => [a + c * times, b + d * times];

export const letter = (column) => String.fromCharCode(97 + column);

export const cellName = (cell, size) => letter(cell % size) + (Math.floor(cell / size) + 1);

export const cellOf = (name, size) => {
  const column = name.charCodeAt(0) - 97;
  const row = Number(name.slice(1)) - 1;
  const found = /^[a-z][0-9]+$/.test(name) && column < size && row >= 0 && row < size;
  return found ? row * size + column : null;
};

// The cells that touch a cell, by the steps (row, column) of a rhombus whose rows shift to the right on the way down.
const STEPS = [
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
];

export const neighbours = (cell, size) =>
  STEPS.map(([rows, columns]) => [Math.floor(cell / size) + rows, (cell % size) + columns])
    .filter(([row, column]) => row >= 0 && row < size && column >= 0 && column < size)
    .map(([row, column]) => row * size + column);

// A board lies on one of its sides, or stands on its sharp corner, which makes the cells larger on a narrow screen.
export class Geometry {
  constructor(size, standing = false) {
    this.size = size;
    this.turn = standing ? 60 : 0;
    this.along = direction(this.turn);
    this.down = direction(this.turn + 60);
    this.bands = this.#bands();
    this.box = this.#box();
  }

  // Any place of the lattice, also between cells and beyond the board.
  at(row, column) {
    return plus(
      [this.along[0] * column * 2 * APOTHEM, this.along[1] * column * 2 * APOTHEM],
      this.down,
      row * 2 * APOTHEM,
    );
  }

  centre(cell) {
    return this.at(Math.floor(cell / this.size), cell % this.size);
  }

  // The coordinates around the board: [text, place].
  names() {
    const { size } = this;
    const before = -beyond(size);
    const after = size - 1 + beyond(size);
    return Array.from({ length: size }, (_, i) => [
      [letter(i), this.at(before, i)],
      [letter(i), this.at(after, i)],
      [String(i + 1), this.at(i, before)],
      [String(i + 1), this.at(i, after)],
    ]).flat();
  }

  // The four sides, each a polygon that the cells cover in part: two of the first player, then two of the second;
  // and the lines that part them.
  #bands() {
    const last = this.size - 1;
    const corner = (row, column, angle, reach) => plus(this.at(row, column), direction(this.turn + angle), reach);
    const obtuse = BAND / Math.sin(degrees(60));
    // The sharp corners are cut off across.
    const sharp = (row, column, angle) => {
      const reach = BAND * 1.1;
      const tip = corner(row, column, angle, reach);
      const half = (BAND - reach / 2) / Math.cos(degrees(30));
      const across = (sign) => plus(tip, direction(this.turn + angle + 90), sign * half);
      return { tip, before: across(-1), after: across(1), cell: this.at(row, column) };
    };
    const left = sharp(0, 0, 210);
    const right = sharp(last, last, 30);
    const above = { tip: corner(0, last, -60, obtuse), split: corner(0, last, -30, RADIUS), cell: this.at(0, last) };
    const below = { tip: corner(last, 0, 120, obtuse), split: corner(last, 0, 150, RADIUS), cell: this.at(last, 0) };
    this.splits = [
      [left.cell, left.tip],
      [right.cell, right.tip],
      [above.split, above.tip],
      [below.split, below.tip],
    ];
    return [
      [left.cell, left.tip, left.after, above.tip, above.split, above.cell],
      [right.cell, right.tip, right.after, below.tip, below.split, below.cell],
      [left.cell, left.tip, left.before, below.tip, below.split, below.cell],
      [right.cell, right.tip, right.before, above.tip, above.split, above.cell],
    ];
  }

  #box() {
    const places = [...this.names().map(([, place]) => place), ...this.bands.flat()];
    const margin = RADIUS * 0.42;
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
    return { left, top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
  }
}

export const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z`;

// A hexagon around the origin.
export const hexagon = (radius = RADIUS) =>
  path([30, 90, 150, 210, 270, 330].map((angle) => direction(angle).map((part) => part * radius)));
