// What searches found about positions, as files keep it: "62.5 4000 e5 d6", the first player's win rate in per cent, the visits and the
// best line. docs/formats/games.md.

const MAX_MOVES = 10;

// Returns the text for a position; null if nothing is known. `reviewed` is what a review found: visits and the best line.
export const findingOf = ({ chance, analysis, reviewed, finding }) => {
  if (chance === null) return null;
  if (analysis?.isBrief || (!analysis && !reviewed)) return finding;
  const [visits, line] = analysis ? [analysis.visits, analysis.lines[0]?.variation ?? []] : [reviewed.visits, reviewed.line];
  return [(100 * chance).toFixed(1), visits, ...line.slice(0, MAX_MOVES)].join(" ");
};

// An analysis with one line, until there is a better one.
const analysisOf = (session, position, visits, line) => {
  const mover = position.state.to_move;
  const win = session.firstPlayerChance(mover, position.chance, 0);
  const found = { win, draw: 0, loss: 1 - win, visits, proven: null };
  return { ...found, to_move: mover, lines: [{ ...found, move: line[0], prior: 0, variation: line }], isBrief: true };
};

// Puts a review on the positions of the game that it is about: those up to `tip`.
export const learnReview = (session, tip, review) => {
  const path = tip.path();
  path.forEach((position, ply) => {
    const { analysis } = position;
    if (!analysis || !(analysis.proven || analysis.visits > review.visits)) position.chance = review.chances[ply];
    position.reviewed = { visits: review.visits, line: review.moves[ply]?.line ?? [] };
  });
  session.reviewed = { tip, review, moves: new Map(review.moves.map((move, i) => [path[i + 1], move])) };
};

// Takes up what a file says about the positions of the game on the board.
export const learnFindings = (session) => {
  const waiting = [session.tree.root];
  for (let position = waiting.pop(); position; position = waiting.pop()) {
    waiting.push(...position.children);
    if (!position.finding || position.analysis) continue;
    const [percent, visits, ...line] = position.finding.split(" ");
    position.chance ??= Number(percent) / 100;
    if (line.length && !position.state.outcome) position.analysis = analysisOf(session, position, Number(visits), line);
  }
};
