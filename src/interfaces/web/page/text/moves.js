// Moves in words and signs that fit the board as it is drawn: where "ne" leads depends on how the board lies.

// From the right, against the clock, in eighths of a circle. No way on a board of hexagons is halfway between two of them.
const ARROWS = [..."→↗↑↖←↙↓↘"];
const WAYS = [
  "to the right",
  "to the upper right",
  "up",
  "to the upper left",
  "to the left",
  "to the lower left",
  "down",
  "to the lower right",
];

// Takes the name of a move apart: its sign, place, direction and distance, as far as it has them.
const partsOf = ({ signs, directions }, { byLabel }, name) => {
  const parts = name.split(/[:-]/);
  const sign = name.includes(":") ? (signs.find((one) => one.sign === parts[0]) ?? null) : null;
  const label = parts.find((part) => byLabel.has(part)) ?? null;
  const after = parts.slice(parts.indexOf(label) + 1);
  const direction = directions.findIndex((word) => word.toLowerCase() === after[0]?.toLowerCase());
  return { sign, label, direction: direction < 0 ? null : direction, distance: Number(after[1] ?? 1) };
};

const eighth = ([x, y]) => (Math.round(Math.atan2(-y, x) / (Math.PI / 4)) + 8) % 8;

const read = ({ game, view = null }, name) => {
  if (!view || !name || !game.signs?.length || game.actions.some(({ word }) => word === name)) return null;
  const { sign, label, direction, distance } = partsOf(game, view, name);
  if (label === null) return null;
  const way = direction === null ? null : eighth(view.heading(view.byLabel.get(label), direction));
  return { sign, label, way, distance, hasDirections: game.directions.length > 0 };
};

// A move in little room: `d4 ↘`, or as it is named in files where that says all.
export const short = (session, name) => {
  const found = read(session, name);
  if (!found) return name;
  const { label, way, distance, hasDirections } = found;
  if (way === null) return hasDirections ? label : name;
  return `${label} ${ARROWS[way]}${distance > 1 ? distance : ""}`;
};

// The same for somebody who listens or reads on: `d4 to the lower right`.
export const spoken = (session, name) => {
  const found = read(session, name);
  if (!found || found.way === null) return short(session, name);
  const { label, way, distance } = found;
  return `${label} ${WAYS[way]}${distance > 1 ? ` by ${distance}` : ""}`;
};

// What a move does: `spread from d4 to the lower right`.
export const asked = (session, name) => {
  const found = read(session, name);
  return found?.sign ? `${found.sign.words} ${spoken(session, name).replace(/^.*:/, "")}` : spoken(session, name);
};
