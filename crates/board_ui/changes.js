// Lists what the move before a position changed on the board, by the numbers of places.

import { buttonNamed } from "./picks.js";

const none = { placed: [], removed: [], moved: [], recoloured: [] };

// The changes by kind. A piece that was moved or placed and also changed its colour counts as moved or placed.
export const changesOf = ({ changes }) => {
  if (!changes.length) return none;
  const of = (kind) => changes.filter((change) => kind in change).map((change) => change[kind]);
  const [placed, moved] = [of("placed"), of("moved")];
  const here = new Set([...placed, ...moved.map(([, to]) => to)]);
  return { placed, removed: of("removed"), moved, recoloured: of("recoloured").filter((place) => !here.has(place)) };
};

// The places where something is new: where the eye should go.
export const newPlaces = (state) => {
  const { placed, moved, recoloured } = changesOf(state);
  const arrived = [...placed, ...moved.map(([, to]) => to)];
  return arrived.length ? arrived : recoloured;
};

// The places of the other player's pieces that the move before a position changed in one way. A move that belongs to no
// place, such as a swap, does not count.
const against = (game, { parent, state }, kind, isSo) => {
  if (!parent || buttonNamed(game, state.move)) return [];
  const mover = game.seats.findIndex(({ name }) => name === state.player);
  return changesOf(state)[kind].filter(
    (place) => parent.state.pieces[place]?.owner === 1 - mover && isSo(state.pieces[place]?.owner, mover),
  );
};

// The places of pieces that the move took off the board.
export const captured = (game, position) => against(game, position, "removed", () => true);

// The places of pieces that the move turned into the mover's own.
export const turned = (game, position) => against(game, position, "recoloured", (owner, mover) => owner === mover);

// The number of the move that put each piece where it is, by place.
export const moveNumbers = (position) => {
  const numbers = new Map();
  for (const { state, ply } of position.path()) {
    for (const place of changesOf(state).removed) numbers.delete(place);
    for (const [from] of changesOf(state).moved) numbers.delete(from);
    for (const place of newPlaces(state)) numbers.set(place, ply);
  }
  return numbers;
};
