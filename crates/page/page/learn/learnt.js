// A network that learnt in this browser, as an address names it: `?learnt=hex:5:RUN:ITERATION`.

// Fast, and enough for good play on small boards.
const EFFORT = { visits: 100 };

export const addressOfNetwork = ({ id, game, size }, iteration) => `./?learnt=${game}:${size}:${id}:${iteration}`;

// The game, the size and the path of the network, by which the engine's worker finds it; null if the address names none.
export const learntNetwork = (search) => {
  const text = new URLSearchParams(search).get("learnt");
  if (!text) return null;
  const [game, size, run, iteration] = text.split(":");
  return { game, size: Number(size), path: `learnt:${run}:${iteration}` };
};

// The setup of the first game against it; `setup` is that of any first game.
export const setupAgainst = ({ game, size }, about, setup) => {
  const seats = about.games.find(({ id }) => id === game)?.seats.map(({ name }) => name);
  if (!seats) return setup;
  const [first, second] = Object.values(setup.roles);
  return { ...setup, game, size, roles: { [seats[0]]: first, [seats[1]]: second }, level: about.levels.at(-1), effort: EFFORT };
};
