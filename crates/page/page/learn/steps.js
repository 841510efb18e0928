// What the page says of the seven steps, from random play to the loop of learning. "policy" and "value" are the field's words; a first-year
// student reads them here first.

import { capital } from "../board_ui/text.js";

export const STEPS = {
  games: {
    heading: "1. Self-play",
    text: "The network plays both sides. At first it knows only the rules, so its moves are almost random. Its latest games, move by move:",
  },
  examples: {
    heading: "2. Every game is a lesson",
    text: "No person teaches it. When a game ends, we know who won, and each of its positions becomes an example: which moves looked best when it thought ahead (step 5), and who won in the end.",
  },
  policy: {
    heading: "3. Policy: where to play",
    text: "The network's first guess: how likely each move is to be the best. The darker a cell, the likelier the move. A board of one pale colour means that it has no idea yet.",
  },
  values: {
    heading: "4. Value: who will win",
    text: "It also estimates how likely each side is to win from a position. For the board of step 3:",
  },
  search: {
    heading: "5. Search: think ahead",
    text: "Before each move, it tries the moves that the policy likes and the replies to them. The value says who is winning in each position that it reaches this way. It plays the move that does best. That is usually better than the first guess, so the policy learns from it.",
  },
  training: {
    heading: "6. Training",
    text: "The network is made of thousands of numbers, its weights. Training changes them a little, so that the policy comes closer to what the search found and the value closer to who won. The loss measures how far off each still is, compared with the start: lower is better.",
  },
  again: {
    heading: "7. Repeat",
    text: "Steps 1 to 6 are one iteration. In the next, the search starts from better guesses, so it finds better moves still, and the network learns those in turn. Test games, which are not used for training:",
  },
};

// Returns who wins how, from what the server says of a game.
export const rules = ({ seats, swaps }) => {
  const [first, second] = seats.map(({ name }) => capital(name));
  const goals = `${first} ${seats[0].goal}, ${second} ${seats[1].goal}.`;
  return swaps ? `${goals} ${second} may take over ${first}'s first move as its own, so that move should be neither strong nor weak.` : goals;
};
