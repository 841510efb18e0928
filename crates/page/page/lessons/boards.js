// Lessons of the games with edges, crossings, or several boards.

const GALE = [
  {
    size: 3,
    moves: "",
    text: "You are Red and connect the red sides by bridges between red dots. A click on a crossing builds one. Build a bridge anywhere.",
    answers: ["*"],
    right: "Bridges never cross: at that crossing Blue cannot build any more.",
  },
  {
    size: 3,
    stones: { first: "1,1 2,2 3,3", second: "1,3 3,1 4,4", to_move: "first" },
    text: "Your bridges lead from one red side nearly to the other. Build the last one.",
    answers: ["5,3"],
    wins: true,
    right: "The way is complete: Red wins. There are no draws.",
    wrong: "Your way ends at the dot beside 5,3: that is where the last bridge goes.",
  },
  {
    size: 3,
    stones: { first: "3,3 5,1", second: "3,1 2,2 1,3", to_move: "first" },
    text: "Blue needs one more bridge to connect the blue sides. Stop it.",
    answers: ["1,5"],
    right: "Every crossing is worth as much to either player: your bridge blocks and leads on.",
    wrong: "Blue builds at 1,5 and wins. Build there first.",
  },
];

const HEXIFENCE = [
  {
    size: 2,
    moves: "",
    text: "You are Blue. A turn fills an empty edge of a cell: click any edge.",
    answers: ["*"],
    right: "It does not matter who fills an edge, only who fills the last one of a cell.",
  },
  {
    size: 2,
    moves: "2,2 3,4 4,3 4,4 2,3",
    show: true,
    text: "You are Red. The cell in the middle has one empty edge left: fill it.",
    answers: ["3,2"],
    right: "The cell is yours, and you move again. In the end the player with more cells wins.",
    wrong: "Blue fills the last edge and captures the cell. Fill 3,2 yourself.",
  },
  {
    size: 2,
    moves: "0,0 0,2 1,0 0,3 2,1 1,4 0,1 2,4 2,2",
    text: "You are Red. Blue has opened a chain: the first cell lacks one edge, and filling it leaves the next cell with one. Capture both.",
    answers: ["1,2 2,3"],
    right: "One edge after another, two cells in one turn. So never open a chain if you have another move.",
    wrong: "Begin with the edge between the two cells, 1,2, and go on with 2,3.",
  },
];

const QUICKWIN = [
  {
    size: 4,
    moves: "",
    text: "Two boards of Hex, L and R. You are Black: connecting your two sides on either board wins. On L they are across from those on R. Begin with one stone on board L.",
    answers: ["*"],
    right: "On board R you already have four stones in the corners, on board L White has.",
  },
  {
    size: 4,
    moves: "Lb2",
    text: "You are White. From now on each turn is two stones: one on board L, then one on board R. Place both.",
    answers: ["* *"],
    right: "Each turn you move on both boards, so weigh one against the other.",
  },
  {
    size: 4,
    moves: "Lb2 Lc2 Ra2 La2 Rc2 Ld3 Rb3 Ld2",
    text: "You are Black and have placed your stone on L. Complete your chain on board R.",
    answers: ["Rc3"],
    wins: true,
    right: "One board is enough: Black wins.",
    wrong: "On board R the gap is between c2 and b4.",
  },
];

const THREE_CONNECTION = [
  {
    size: 5,
    moves: "",
    text: "Three boards: Y, Gale and Hex. Whoever wins two of the three games wins. You are Black and begin with one move, on any board.",
    answers: ["*"],
    right: "In Y, touch all three sides. In Gale and Hex, connect your two.",
  },
  {
    size: 5,
    moves: "Hc3",
    text: "You are White. From now on each turn is two moves in two different games. Make both.",
    answers: ["* *"],
    right: "After your first move that board was closed for the second.",
  },
  {
    size: 5,
    moves: "Hc3 G3,3 Yc5 Yb5 G3,1 Hb4 Yc4",
    text: "You are Black. Your last turn was in Y and Gale, and the same pair is not allowed twice in a row. So one of your moves must be in Hex: play Hd3, then go on in Y or Gale.",
    answers: ["Hd3 *"],
    right: "The other move was free: Y or Gale. As soon as one game is won, every pair is allowed.",
    wrong: "Begin in Hex, with Hd3.",
  },
];

export const BOARDS = { gale: GALE, hexifence: HEXIFENCE, quickwin: QUICKWIN, "3connection": THREE_CONNECTION };
