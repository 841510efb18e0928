// A whole position in words, for those who do not see the board.

import { capital, commas, sentence } from "../board_ui/text.js";
import { ending, pieceName, told } from "./sentences.js";

// The row of a place, by its name: `c3` and `Lc3` are of row 3, and `3,6` of row 3. Places of other names have none.
const rowOf = (label) => {
  const [, board, row] = /^([A-Z]?)[a-z]+(\d+)$/.exec(label) ?? /^([A-Z]?)(\d+),\d+$/.exec(label) ?? [];
  if (row === undefined) return "";
  return board ? `board ${board}, row ${row}` : `row ${row}`;
};

// Lists the pieces row by row: `Row 1: c1 red. Row 2: b2 blue, d2 red.`
const rows = ({ game, layout, current }) => {
  const found = new Map();
  current.state.pieces.forEach((piece, place) => {
    if (!piece) return;
    const { label } = layout.places[place];
    const row = rowOf(label);
    if (!found.has(row)) found.set(row, []);
    found.get(row).push(`${label} ${pieceName(game, piece).replace(/ stone$/, "")}`);
  });
  return [...found].map(([row, pieces]) => sentence(row ? `${row}: ${commas(pieces)}` : commas(pieces)));
};

// Says whose turn it is, or how the game ended; the last move; and the pieces, row by row.
export const positionText = (session) => {
  const { state, ply } = session.current;
  const turn = state.outcome ? ending(session, state.outcome) : `${capital(state.to_move)} to move.`;
  const pieces = rows(session);
  const last = ply > 0 ? [`Move ${ply}: ${told(session, session.current)}`] : [];
  return [turn, ...last, ...(pieces.length ? pieces : ["The board is empty."])].join(" ");
};
