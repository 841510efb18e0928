// The lessons, by the network of their game: variants share one. Each is a list of steps; one step is
//
// - `text`: what to know and what to do
// - `size`, and `stones` or `moves`, or both: the position
// - `answers`: the moves of the player that are right, in the order of play; `*` stands for any move
// - `right`, `wrong`: what is said of such moves, and of others, if there are any
// - `then`: moves that follow a right answer by themselves
// - `show`: true if the move is marked on the board from the beginning
// - `wins`: true if the answer ends the game; `swap`: true if the step is about the swap, which a variant may lack

import { BOARDS } from "./boards.js";
import { JOINING } from "./joining.js";
import { MOVING } from "./moving.js";

export const LESSONS = { ...JOINING, ...MOVING, ...BOARDS };
