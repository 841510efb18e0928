// Draws an analysis, a review and an opening map upon the board.

import { newPlaces } from "../board_ui/changes.js";
import { svg } from "../board_ui/elements.js";
import { UNIT, at, length, minus } from "../board_ui/geometry.js";
import { restOf, sourceOf } from "../board_ui/picks.js";
import { aim, arrow, ownerClass, stone, trail } from "../board_ui/picture.js";
import { percent, short } from "../board_ui/text.js";
import { VERBS } from "../text/sentences.js";

// Places narrower than this, in pixels, have no room for the visits.
const MIN_WIDTH_FOR_VISITS = 34;
const MAX_LABELS = 6;
const MAX_FORESEEN = 12;
// Arrows that are less likely than this would only hide the others.
const MIN_ARROW_SHARE = 0.03;

// A share where there is room for a number only.
const hundredths = (share) => String(Math.round(100 * share));

const share = (line) => line.win + line.draw / 2;

// The lines that are worth a label: those that the search takes seriously.
export const candidates = (analysis) => {
  const most = Math.max(1, ...analysis.lines.map((line) => line.visits));
  return analysis.lines.filter((line, i) => i === 0 || line.visits >= most / 100).slice(0, MAX_LABELS);
};

// Marks on small places are small, but not so small that they cannot be read.
const sizeOf = (place) => Math.min(1, Math.max(0.6, place.room / UNIT));

const placedAt = (point, size) => `${at(point)} scale(${size})`;

const onPlace = (place) => placedAt(place.centre, sizeOf(place));

// Returns where a move is shown: at a place, with an arrow to a point if it leads from there somewhere else. Null for a move that
// belongs to no place.
const moveLocation = (board, action) => {
  const source = action && sourceOf(action);
  if (source === null || source === undefined) return null;
  const rest = restOf(action);
  const place = board.view.places[source];
  const to = aim(board.view, source, rest);
  const size = sizeOf(rest.target === null ? place : board.view.places[rest.target]);
  return { source, place, to, at: to ?? place.centre, size, choice: rest.choice };
};

// The shares that may be drawn on the cells for each move: what the network thinks of it before any search, or how much of the
// search it got.
const SHARES = {
  policy: ({ prior }) => prior,
  visits: ({ visits }, { visits: all }) => visits / Math.max(1, all),
};

// Colours the cells by moves: the greater its share, the stronger. `kind` is one of those above; `find` gives the move of a name.
export const heat = (board, analysis, find, mover, kind) => {
  const here = new Map();
  const arrows = [];
  for (const line of analysis.lines) {
    const found = moveLocation(board, find(line.move));
    if (!found) continue;
    const share = SHARES[kind](line, analysis);
    if (!found.to) here.set(found.place, (here.get(found.place) ?? 0) + share);
    else if (share >= MIN_ARROW_SHARE) {
      const drawn = arrow(found.place.centre, found.to, `policy ${ownerClass(mover)}`);
      drawn.setAttribute("opacity", Math.sqrt(share).toFixed(3));
      arrows.push(drawn);
    }
  }
  const shades = [...here]
    .filter(([, share]) => share >= 0.01)
    .map(([{ outline, centre }, share]) =>
      svg("path", {
        class: `policy heat ${ownerClass(mover)}`,
        d: outline,
        transform: placedAt(centre, 0.97),
        opacity: (0.9 * Math.sqrt(share)).toFixed(3),
      }),
    );
  return [...shades, ...arrows];
};

// The chance of the player to move after the best move at each place, as far as it was looked at: in the form of an opening map.
export const chances = (analysis, find, mover) => {
  const places = new Map();
  for (const line of analysis.lines) {
    const action = find(line.move);
    const place = action && sourceOf(action);
    if (place === null || (!line.visits && !line.proven) || places.has(place)) continue;
    places.set(place, { share: share(line), swaps: false, kept: mover === 0 ? share(line) : 1 - share(line) });
  }
  return places;
};

// Describes the value of a move in one line or two: a chance, or a certain result and its distance.
const valueLabel = ({ proven, visits, ...line }, choice, roomy) => {
  const [above, below] = proven
    ? [proven.value === "drawn" ? "draw" : VERBS[proven.value], `in ${proven.plies}`]
    : [hundredths(share(line)), short(visits)];
  if (proven && !roomy) {
    const text = `${VERBS[proven.value][0].toUpperCase()}${proven.plies || ""}`;
    return [svg("text", { class: "share certain", y: 1 }, text)];
  }
  return [
    svg("text", { class: `share${proven ? " certain" : ""}`, y: roomy ? -3 : 1 }, above),
    roomy ? svg("text", { class: "visits", y: 8.5 }, choice + below) : null,
  ];
};

// The best moves with what they are worth. Where two would lie upon each other, the better one is shown.
export const labels = (board, analysis, find, choices) => {
  const taken = [];
  return candidates(analysis).flatMap((line, i) => {
    const found = moveLocation(board, find(line.move));
    if (!found || taken.some((other) => length(minus(other, found.at)) < 1.5 * UNIT * found.size)) return [];
    taken.push(found.at);
    const roomy = board.width(found.source) >= MIN_WIDTH_FOR_VISITS;
    const choice = found.choice === null ? "" : `${choices[found.choice].label} `;
    return [
      found.to ? arrow(found.place.centre, found.to, `candidate ${i === 0 ? "best" : ""}`, [0.3 * UNIT, 0]) : null,
      svg(
        "g",
        { class: `candidate ${i === 0 ? "best" : ""}`, transform: placedAt(found.at, found.size), "data-move": line.move },
        svg("circle", { class: "plate", r: UNIT * 0.84 }),
        ...valueLabel(line, choice, roomy),
      ),
    ].filter(Boolean);
  });
};

// The moves that are expected, numbered: the states after each of them.
export const variation = (board, states) => expectedMoves(board, states, (i) => String(i + 1));

// The move that would have been better, by the state after it.
export const better = (board, states) => expectedMoves(board, states, () => "!", " better");

const expectedMoves = (board, states, inscription, kind = "") => {
  const seen = new Set();
  return states.slice(0, MAX_FORESEEN).flatMap((state, i) => {
    const [place] = newPlaces(state);
    if (place === undefined || seen.has(place)) return [];
    seen.add(place);
    const { owner = null, symbol } = state.pieces[place] ?? {};
    const trails = state.changes.filter(({ moved }) => moved?.[1] === place).map(({ moved: [from] }) => trail(board.view, from, place));
    return [
      ...trails,
      svg(
        "g",
        { class: `expected${kind} ${ownerClass(owner)}`, transform: onPlace(board.view.places[place]) },
        stone(owner === null ? { owner, symbol } : { owner }),
        svg("text", { y: 1 }, inscription(i)),
      ),
    ];
  });
};

// The letters put on the board, by the labels of places.
export const letters = (board, texts) =>
  board.view.places.flatMap((place) => {
    // A file may have whole words there.
    const text = String(texts?.[place.label] ?? "").slice(0, 3);
    if (!text) return [];
    const plate = svg("circle", { class: "plate", r: 0.5 * UNIT });
    return [svg("g", { class: "letter", transform: onPlace(place) }, plate, svg("text", { y: 1 }, text))];
  });

// A player's way from side to side: a line through its places, with a dot where a stone is still to come.
export const way = (board, places, owner, pieces) => {
  const centres = places.map((place) => board.view.places[place].centre);
  const line = centres.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const dots = places
    .filter((place) => !pieces[place])
    .map((place) => svg("circle", { r: 0.16 * UNIT, transform: at(board.view.places[place].centre) }));
  const paths = [svg("path", { class: "casing", d: line }), svg("path", { d: line })];
  return [svg("g", { class: `way-across ${ownerClass(owner)}` }, ...paths, ...dots)];
};

// A sign beside the piece of the last move.
const badge = (board, state, kind, sign) => {
  const [place] = newPlaces(state);
  if (place === undefined) return [];
  const plate = svg("circle", { class: "plate", r: 0.42 * UNIT });
  const beside = svg("g", { transform: `translate(${0.6 * UNIT} ${-0.6 * UNIT})` }, plate, svg("text", { y: 1 }, sign));
  return [svg("g", { class: kind, transform: onPlace(board.view.places[place]) }, beside)];
};

// The mark of a bad move.
export const fault = (board, state, mark) => badge(board, state, "fault", mark);

// The mark of a stone that has been taken over by a swap.
export const swapped = (board, state) => badge(board, state, "swapped", "⇄");

// Whose piece each cell holds at the end, as the network foresees it: the surer, the larger. A piece that is expected to
// stay needs no mark.
export const forecast = (board, { first, second }, pieces) =>
  first.flatMap((chance, cell) => {
    const place = board.view.ofCell[cell];
    const lead = chance - second[cell];
    const owner = lead > 0 ? 0 : 1;
    if (place === undefined || Math.abs(lead) < 0.1 || pieces[place]?.owner === owner) return [];
    const { outline, centre } = board.view.places[place];
    return svg("path", {
      class: `forecast ${ownerClass(owner)}${pieces[place] ? " taken" : ""}`,
      d: outline,
      transform: placedAt(centre, (0.62 * Math.sqrt(Math.abs(lead))).toFixed(3)),
    });
  });

// Outlines the cells that a proof needs: the winner's, or, while nothing is proven, those of which one wins if any move does.
export const region = (board, { cells }, owner, find) =>
  cells
    .map((cell) => moveLocation(board, find(cell)))
    .filter(Boolean)
    .map(({ place: { outline, centre } }) =>
      svg("path", { class: `region ${owner === null ? "open" : ownerClass(owner)}`, d: outline, transform: placedAt(centre, 0.9) }),
    );

export const hint = (board, action) => {
  const found = moveLocation(board, action);
  if (!found) return [];
  const outline = svg("path", { class: "hint", d: found.place.outline, transform: placedAt(found.place.centre, 0.9) });
  return [outline, found.to ? arrow(found.place.centre, found.to) : null].filter(Boolean);
};

// The path of places that has been picked so far.
export const path = (board, picked) =>
  picked.slice(1).map((place, i) => {
    const [from, to] = [picked[i], place].map((one) => board.view.places[one].centre);
    return arrow(from, to);
  });

// Places narrower than this, in pixels, have no room for a second line.
const MIN_WIDTH_FOR_SWAP = 30;
const MAX_OPACITY = 0.55;

// Cells coloured by who is ahead if the piece stays, with what the player to move can expect. `places`: entries by place.
export const openingMap = (board, places) =>
  [...places].map(([place, { share, swaps, kept }]) => {
    const { outline, centre, room } = board.view.places[place];
    const ahead = kept - 0.5;
    const roomy = swaps && board.width(place) >= MIN_WIDTH_FOR_SWAP;
    const scale = Math.min(1, room / UNIT);
    return svg(
      "g",
      { class: "opening", transform: at(centre), "data-share": hundredths(share) },
      svg("path", {
        class: `policy ${ownerClass(ahead < 0 ? 1 : 0)}`,
        d: outline,
        opacity: Math.min(MAX_OPACITY, 0.06 + 1.2 * Math.abs(ahead)).toFixed(3),
      }),
      svg("text", { class: "share", "font-size": (14 * scale).toFixed(1), y: roomy ? -2 : 1 }, hundredths(share)),
      roomy ? svg("text", { class: "visits", "font-size": (9 * scale).toFixed(1), y: 9.5 * scale }, "swap") : null,
    );
  });

// Describes the entries of an opening map, by place, for those who do not see it.
export const openingWords = (places) =>
  new Map([...places].map(([place, { share, swaps }]) => [place, percent(share) + (swaps ? ", would be swapped" : "")]));
