// Moves in words and signs that fit the board as it is drawn (where "ne" leads depends on how the board lies), and why a move is good
// or bad, in the game's terms: what it takes, gains, cuts and joins.

import { captured, turned } from "../board_ui/changes.js";
import { buttonNamed } from "../board_ui/picks.js";
import { counted, list, sentence } from "../board_ui/text.js";

// From the right, against the clock, in eighths of a circle. No way on a board of hexagons is halfway between two of them.
const ARROWS = [..."→↗↑↖←↙↓↘"];
const WAYS = ["to the right", "to the upper right", "up", "to the upper left", "to the left", "to the lower left", "down", "to the lower right"];

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

const parseMove = ({ game, view = null }, name) => {
  if (!view || !name || !game.signs?.length || buttonNamed(game, name)) return null;
  const { sign, label, direction, distance } = partsOf(game, view, name);
  if (label === null) return null;
  const way = direction === null ? null : eighth(view.heading(view.byLabel.get(label), direction));
  return { sign, label, way, distance, hasDirections: game.directions.length > 0 };
};

// A move in little room: `d4 ↘`, or as it is named in files where that says all.
export const short = (session, name) => {
  const found = parseMove(session, name);
  if (!found) return name;
  const { label, way, distance, hasDirections } = found;
  if (way === null) return hasDirections ? label : name;
  return `${label} ${ARROWS[way]}${distance > 1 ? distance : ""}`;
};

// A move in words, to be read aloud or within a text: `d4 to the lower right`.
export const spoken = (session, name) => {
  const found = parseMove(session, name);
  if (!found || found.way === null) return short(session, name);
  const { label, way, distance } = found;
  return `${label} ${WAYS[way]}${distance > 1 ? ` by ${distance}` : ""}`;
};

// A move with what it does: `spread from d4 to the lower right`.
export const spokenAction = (session, name) => {
  const found = parseMove(session, name);
  return found?.sign ? `${found.sign.words} ${spoken(session, name).replace(/^.*:/, "")}` : spoken(session, name);
};

// Says what to do after the first click of a move: choose an arrow, another cell, or what to place.
export const selectionPrompt = (label, picking) => {
  const [hasArrows, hasPlaces] = ["direction", "place"].map((kind) => picking.of(kind).size > 0);
  const next = hasArrows
    ? "Choose an arrow or its cell"
    : hasPlaces
      ? "Click a highlighted cell"
      : "Choose what to place";
  return `${label} is selected. ${next}. Click ${label} again to cancel.`;
};

// Describes what a move did to the other player's pieces: `verbs` for those it removed and for those it took over.
export const captureTexts = (session, position, verbs = ["captures", "takes over"]) => {
  const label = (place) => session.layout.places[place].label;
  return [captured, turned].flatMap((of, i) => {
    const places = of(session.game, position).map(label);
    return places.length ? [`${verbs[i]} ${list(places)}`] : [];
  });
};

const other = (seat) => 1 - seat;

const seatOf = ({ players }, { player }) => players.indexOf(player);

const stones = (need) => counted(need.stones, "stone", "stones");

// A player who needs so few stones, if the other one does nothing, threatens to win.
const MAX_THREAT = 3;

// The way of the other player that a move has cut: whose it is, its places, and what it takes now; null if it has cut none.
export const cut = (session, before, after) => {
  const owner = other(seatOf(session, after));
  const [was, is] = [before.needs?.[owner], after.needs?.[owner]];
  if (!was || (is && is.stones <= was.stones)) return null;
  return { owner, way: was.way, was, is };
};

const cutting = (session, before, after) => {
  const found = cut(session, before, after);
  if (!found) return [];
  const whose = `${session.players[found.owner]}'s`;
  const { was, is } = found;
  if (!is) return [`blocks ${whose} last path`];
  if (was.stones <= MAX_THREAT) return [`stops ${whose} threat to win in ${was.stones}`];
  return [`blocks ${whose} shortest path, which now takes ${stones(is)} instead of ${was.stones}`];
};

// The player's own way that a move has made shorter; null if it has made none.
const ownWay = (session, before, after) => {
  const owner = seatOf(session, after);
  const [was, is] = [before.needs?.[owner], after.needs?.[owner]];
  return is && was && is.stones < was.stones ? { owner, way: is.way, is, other: after.needs[other(owner)] } : null;
};

// Describes a threat or a shorter path, if there is nothing else to say: nearly every move shortens a path.
const shortening = (session, before, after) => {
  const found = ownWay(session, before, after);
  if (!found) return [];
  if (found.is.stones <= MAX_THREAT) return [`threatens to win in ${found.is.stones}`];
  const rest = found.other ? `; ${session.players[other(found.owner)]} needs ${found.other.stones}` : "";
  return [`shortens ${session.players[found.owner]}'s path to ${stones(found.is)}${rest}`];
};

// The way that explains a move on the board: the one that it cuts, or else the player's own.
export const wayOf = (session, before, after) =>
  buttonNamed(session.game, after.move) ? null : (cut(session, before, after) ?? ownWay(session, before, after));

const gaining = (session, before, after) => {
  const seat = seatOf(session, after);
  const gain = after.standing ? after.standing.points[seat] - (before.standing?.points[seat] ?? 0) : 0;
  return gain > 0 ? [`raises ${session.players[seat]}'s ${after.standing.what} by ${gain}`] : [];
};

const ending = ({ outcome, player }) =>
  !outcome ? [] : outcome.winner === null ? ["ends in a draw"] : outcome.winner === player ? ["wins"] : ["loses"];

// Lists what a move does, as verbs of it, by the states before and after it.
export const effects = (session, before, after) => {
  // A swap or a pass changes nothing on the board that could be a reason.
  if (buttonNamed(session.game, after.move)) return ending(after);
  const takes = captureTexts(session, { parent: { state: before }, state: after });
  const found = [...ending(after), ...takes, ...gaining(session, before, after)];
  // At the end no way matters any more.
  if (!after.outcome) found.push(...cutting(session, before, after));
  return found.length ? found : shortening(session, before, after);
};

// Tells the effects of the move to a position in a sentence; empty where none is known.
export const reason = (session, { parent, state }) => {
  const found = parent ? effects(session, parent.state, state) : [];
  return found.length ? sentence(`it ${list(found)}`) : "";
};
