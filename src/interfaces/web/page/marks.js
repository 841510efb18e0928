// What an analysis says, drawn upon the board.

import { svg } from "./elements.js";
import { stone } from "./board.js";
import { APOTHEM, RADIUS, cellName, hexagon } from "./geometry.js";

// Cells narrower than this, in pixels, have no room for the visits.
const ROOM_FOR_VISITS = 34;
const LABELLED = 6;
const FORESEEN = 12;

export const percent = (chance) => String(Math.round(100 * chance));

export const short = (count) =>
  count < 1000
    ? String(count)
    : count < 9950
      ? `${(count / 1000).toFixed(1)}k`
      : count < 1e6
        ? `${Math.round(count / 1000)}k`
        : `${(count / 1e6).toFixed(1)}M`;

const share = (line) => line.win + line.draw / 2;

// The lines that are worth a label: those that the search takes seriously.
export const candidates = (analysis) => {
  const most = Math.max(1, ...analysis.lines.map((line) => line.visits));
  return analysis.lines.filter((line, i) => i === 0 || line.visits >= most / 100).slice(0, LABELLED);
};

// The network's first impression of each move: the more likely, the stronger the colour.
export const policy = (board, analysis, mover) =>
  analysis.lines
    .map((line) => [board.place(line.move), line])
    .filter(([place, line]) => place && line.prior >= 0.01)
    .map(([transform, line]) =>
      svg("path", {
        class: `policy ${mover}`,
        d: hexagon(RADIUS * 0.97),
        transform,
        opacity: (0.7 * Math.sqrt(line.prior)).toFixed(3),
      }),
    );

export const labels = (board, analysis) => {
  const roomy = board.cellWidth >= ROOM_FOR_VISITS;
  return candidates(analysis)
    .map((line, i) => [board.place(line.move), line, i])
    .filter(([place]) => place)
    .map(([transform, line, i]) =>
      svg(
        "g",
        { class: `candidate ${i === 0 ? "best" : ""}`, transform, "data-move": line.move },
        svg("circle", { class: "plate", r: APOTHEM * 0.84 }),
        svg("text", { class: "share", y: roomy ? -3 : 1 }, percent(share(line))),
        roomy ? svg("text", { class: "visits", y: 8.5 }, short(line.visits)) : null,
      ),
    );
};

// The moves that are expected, numbered; `mover` plays the first of them.
export const variation = (board, moves, mover) => {
  const other = { first: "second", second: "first" };
  const seen = new Set();
  return moves
    .slice(0, FORESEEN)
    .map((move, i) => [board.place(move), move, i])
    .filter(([place, move]) => place && !seen.has(move) && seen.add(move))
    .map(([transform, , i]) =>
      svg(
        "g",
        { class: `expected ${i % 2 ? other[mover] : mover}`, transform },
        stone("stone"),
        svg("text", { y: 1 }, String(i + 1)),
      ),
    );
};

// Whose stone each cell holds at the end, as the network foresees it: the surer, the larger. A stone that is expected to
// stay needs no mark; `owner(cell)` is whose it is.
export const forecast = (board, { first, second }, owner) =>
  first.flatMap((chance, cell) => {
    const lead = chance - second[cell];
    const side = lead > 0 ? "first" : "second";
    if (Math.abs(lead) < 0.1 || owner(cell) === side) return [];
    const taken = owner(cell) ? " taken" : "";
    return svg("path", {
      class: `forecast ${side}${taken}`,
      d: hexagon(RADIUS * 0.62 * Math.sqrt(Math.abs(lead))),
      transform: board.place(cellName(cell, board.size)),
    });
  });

export const hint = (board, move) => {
  const place = board.place(move);
  return place ? [svg("path", { class: "hint", d: hexagon(RADIUS * 0.9), transform: place })] : [];
};
