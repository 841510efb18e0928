// How bad a move is, by the share of a point that it gives away: as the program's reviews have it.

// What marks each fault in the list of moves, how many there are in reviews, and what they are called; the worst last.
export const FAULTS = {
  inaccuracy: { least: 0.05, mark: "?!", words: "an inaccuracy", many: "inaccuracies" },
  mistake: { least: 0.1, mark: "?", words: "a mistake", many: "mistakes" },
  blunder: { least: 0.2, mark: "??", words: "a blunder", many: "blunders" },
};

// The name of the fault of a move with this loss, or null.
export const faultOf = (loss) => Object.keys(FAULTS).findLast((name) => loss >= FAULTS[name].least) ?? null;
