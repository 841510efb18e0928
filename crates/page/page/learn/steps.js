// What the page says of the seven steps, from random play to the loop of learning. "policy" and "value" are the field's words; a first-year
// student reads them here first.

export const STEPS = {
  games: {
    heading: "1. It plays against itself",
    text: "At first it knows only the rules and moves at random. These are its latest games.",
  },
  examples: {
    heading: "2. Every game is a lesson",
    text: "When a game ends, we know who won. Each of its positions becomes an example: what the search chose here, and who won in the end.",
  },
  policy: {
    heading: "3. Policy: where to play",
    text: "The network gives every move a probability. The darker a cell, the more likely it begins there. A cross marks an opening that it misjudges.",
  },
  values: {
    heading: "4. Value: who will win",
    text: "It also says how likely each side is to win a position. Here is its view of the empty board.",
  },
  search: {
    heading: "5. Search: think ahead",
    text: "Before each move, the search tries the moves that the policy likes and the answers to them, and asks for the value of the positions that it reaches. What it finds beats the first guess, so the policy learns from it.",
  },
  training: {
    heading: "6. Training",
    text: "The weights of the network are nudged: its policy comes closer to what the search found, its value closer to how the games ended. The loss falls.",
  },
  again: {
    heading: "7. And again",
    text: "A better network plays better games, and those teach more. Its results in test games, from which it does not learn:",
  },
};
