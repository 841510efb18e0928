// An opening map upon the board.

import { svg } from "../board_ui/elements.js";
import { UNIT, at } from "../board_ui/geometry.js";
import { ownerClass } from "../board_ui/picture.js";
import { percent } from "../board_ui/text.js";
import { hundredths } from "./marks.js";

// Places narrower than this, in pixels, have no room for a second line.
const ROOM_FOR_SWAP = 30;
const STRONGEST = 0.55;

// Cells coloured by who is ahead if the piece stays, with what the player to move can expect. `places`: entries by place.
export const openingMap = (board, places, size = 1) =>
  [...places].map(([place, { share, swaps, kept }]) => {
    const { outline, centre, room } = board.view.places[place];
    const ahead = kept - 0.5;
    const roomy = swaps && board.width(place) >= ROOM_FOR_SWAP;
    const scale = size * Math.min(1, room / UNIT);
    return svg(
      "g",
      { class: "opening", transform: at(centre), "data-share": hundredths(share) },
      svg("path", {
        class: `policy ${ownerClass(ahead < 0 ? 1 : 0)}`,
        d: outline,
        opacity: Math.min(STRONGEST, 0.06 + 1.2 * Math.abs(ahead)).toFixed(3),
      }),
      svg("text", { class: "share", "font-size": (14 * scale).toFixed(1), y: roomy ? -2 : 1 }, hundredths(share)),
      roomy ? svg("text", { class: "visits", "font-size": (9 * scale).toFixed(1), y: 9.5 * scale }, "swap") : null,
    );
  });

// The same in words, by place.
export const openingWords = (places) =>
  new Map([...places].map(([place, { share, swaps }]) => [place, percent(share) + (swaps ? ", to be swapped" : "")]));
