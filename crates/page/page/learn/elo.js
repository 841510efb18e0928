// Ratings of a run's networks by their test games, in Elo, where random moves are 0.

// Half a game won and half a game lost are added: to the match of each network with the one before it, even if they have not met, and
// to all matches with random moves together, and with the classic program. Without them, a player who wins all games would have an infinite rating.
const ADDED = 0.5;

// Elo for a unit of the logistic curve.
const ELO = 400 / Math.LN10;

const ROUNDS = 60;
const PRECISE = 1e-4;
const MAX_STEP = 2;

const expected = (difference) => 1 / (1 + Math.exp(-difference));

// The first derivative of the log likelihood of a match by the rating of the first player, and the second one with its sign changed.
const slope = ({ points, games }, difference, added) => {
  const p = expected(difference);
  return [points + added - (games + 2 * added) * p, (games + 2 * added) * p * (1 - p)];
};

// Solves a symmetric tridiagonal system: `diagonal`, and `beside`, of which the first is not used.
const solve = (diagonal, beside, right) => {
  const [d, r] = [[...diagonal], [...right]];
  for (let i = 1; i < d.length; i += 1) {
    const factor = beside[i] / d[i - 1];
    d[i] -= factor * beside[i];
    r[i] -= factor * r[i - 1];
  }
  for (let i = d.length - 1; i >= 0; i -= 1) r[i] = (r[i] - (i + 1 < d.length ? beside[i + 1] * r[i + 1] : 0)) / d[i];
  return r;
};

const clamped = (step) => Math.max(-MAX_STEP, Math.min(MAX_STEP, step));

const NONE = { points: 0, games: 0 };

const matchesOf = (scores) => ({
  random: scores.find(({ against }) => against === "random") ?? NONE,
  program: scores.find(({ against }) => against.startsWith("alphabeta")) ?? NONE,
  earlier: scores.find(({ against }) => against === "earlier") ?? NONE,
});

// One step of Newton's method for all networks, whose matches link each to the one before it; returns the largest change.
const improve = (matches, ratings, program) => {
  const shared = ADDED / matches.length;
  const slopes = matches.map(({ random, program: against, earlier }, i) => [
    slope(random, ratings[i], shared),
    slope(against, ratings[i] - program, shared),
    i ? slope(earlier, ratings[i] - ratings[i - 1], ADDED) : [0, 0],
  ]);
  const next = (i) => slopes[i + 1]?.[2] ?? [0, 0];
  const right = slopes.map(([a, b, c], i) => a[0] + b[0] + c[0] - next(i)[0]);
  const diagonal = slopes.map(([a, b, c], i) => a[1] + b[1] + c[1] + next(i)[1]);
  const steps = solve(diagonal, slopes.map(([, , c]) => -c[1]), right).map(clamped);
  steps.forEach((step, i) => (ratings[i] += step));
  return Math.max(0, ...steps.map(Math.abs));
};

// One step for the classic program, which has played all networks.
const improveProgram = (matches, ratings, program) => {
  const slopes = matches.map(({ program: against }, i) => slope(against, ratings[i] - program, ADDED / matches.length));
  const [right, bend] = slopes.reduce(([a, b], [c, d]) => [a - c, b + d], [0, 0]);
  return bend ? clamped(right / bend) : 0;
};

// The ratings that make the results most likely (Bradley & Terry 1952). `exams` are the scores of one network after the other, in games against
// random moves, a classic program and the network before it. Returns the networks' ratings and the program's.
export const rate = (exams) => {
  const matches = exams.map(matchesOf);
  const ratings = exams.map(() => 0);
  let program = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const change = improve(matches, ratings, program);
    const step = improveProgram(matches, ratings, program);
    program += step;
    if (Math.max(change, Math.abs(step)) < PRECISE) break;
  }
  return { networks: ratings.map((rating) => rating * ELO), program: program * ELO };
};
