// The games that the server knows, who can play a side, games with a friend, and handicaps.

// The seats of a game, first mover first, as addresses and the server name them.
export const SEATS = ["first", "second"];

export const gameOf = ({ games }, id) => games.find((game) => game.id === id) ?? null;

// The names by which the seats are known to the server.
export const seatNames = ({ seats }) => seats.map(({ name }) => name);

const hasOneBoard = ({ boards: { least, most } }) => least === most;

// A size in words; nothing for a game that has but one board.
export const sizeText = (game, size) => (hasOneBoard(game) ? "" : `${size} ${game.boards.meaning}`);

// A game on one of its boards, in short.
export const boardTitle = (game, size) => (hasOneBoard(game) ? game.title : `${game.title} ${size}`);

// The roles: who can play a side.
export const PERSON = "person";
export const ENGINE = "engine";

// The player at the other end of the links.
export const FRIEND = "friend";

// A newcomer's game: the default board of the first game, against a level from the lower middle.
export const firstGame = ({ games: [game], levels, effort }) => {
  const [first, second] = seatNames(game);
  return {
    game: game.id,
    size: game.boards.default,
    roles: { [first]: PERSON, [second]: ENGINE },
    level: levels.includes("casual") ? "casual" : levels[0],
    effort,
    clock: null,
  };
};

// In a game with a friend a link takes each move to the other: no server keeps it. Returns the player at the other end, or null.
export const friendOf = (session) => session.players.find((player) => session.roleOf(player) === FRIEND) ?? null;

export const isWithFriend = (session) => friendOf(session) !== null;

// True if the last move is one that the friend does not know yet.
export const hasMoveToSend = (session) => {
  const { state } = session.tip;
  if (session.setup.shared || !isWithFriend(session) || session.roleOf(state.player) !== PERSON) return false;
  return Boolean(session.result) || session.roleOf(state.to_move) === FRIEND;
};

// Returns the roles of two people at one board.
export const rolesOfPeople = (players) => Object.fromEntries(players.map((player) => [player, PERSON]));

// Returns the roles for a link that asks the one who opens it to play a seat, by its number.
export const rolesWithFriend = (players, seat) =>
  Object.fromEntries(players.map((player, i) => [player, i + 1 === seat ? PERSON : FRIEND]));

// A handicap: the weaker player has the first seat, and gets the first move without swap, or stones before the other one moves.
// NONE and MOVE are choices beside the numbers of stones.
export const NONE = "none";
export const MOVE = "move";
const MAX_STONES = 4;

// Returns the variant of a game without the swap, in which its games of handicap are played, or null.
const withoutSwap = ({ games }, game) =>
  game.swaps ? (games.find(({ id, network, swaps }) => id !== game.id && network === game.network && !swaps) ?? null) : null;

// The handicaps of a game on one of its boards, as choices. A small board has no room for many stones.
export const handicapsOf = (about, game, size) => {
  const numbers = Array.from({ length: MAX_STONES - 1 }, (_, i) => i + 2).filter((n) => size > 2 * n);
  const stones = numbers.map((n) => [String(n), `${n} stones`]);
  return [[NONE, "None"], ...(withoutSwap(about, game) ? [[MOVE, "No swap"]] : []), ...(game.arranges ? stones : [])];
};

// True for a game in which the first player has a handicap, and keeps the seat in a rematch.
export const isHandicap = (about, setup) => {
  const { network, swaps } = gameOf(about, setup.game);
  return handicapStones(setup) > 0 || (!swaps && gameOf(about, network)?.swaps);
};

// Describes a handicap.
export const handicapNote = (game, choice) => {
  const [first, second] = seatNames(game);
  if (choice === MOVE) return `To help ${first}: ${second} may not swap.`;
  return choice === NONE ? "" : `To help ${first}, whose stones are already on the board; ${second} moves next.`;
};

// The stones of a setup as a handicap, or 0.
export const handicapStones = ({ stones = null }) => {
  const isHandicap = stones && stones.first.length > 1 && !stones.second.length && stones.to_move === "second";
  return isHandicap ? stones.first.length : 0;
};

// Places for stones, about the middle of a board and far from one another.
export const handicapPlaces = ({ places }, count) => {
  const distance = ([x, y], [u, v]) => Math.hypot(x - u, y - v);
  const playable = places.filter(({ playable }) => playable);
  const mean = (axis) => playable.reduce((sum, { centre }) => sum + centre[axis], 0) / playable.length;
  const middle = [mean(0), mean(1)];
  const farthest = Math.max(...playable.map(({ centre }) => distance(centre, middle)));
  const near = playable.filter(({ centre }) => distance(centre, middle) <= farthest / 2);
  const candidates = near.length < 2 * count ? playable : near;
  const chosen = [];
  while (chosen.length < Math.min(count, candidates.length)) {
    // Rounded, so that equal distances are equal: then the first place counts.
    const worth = ({ centre }) =>
      Math.round(1000 * (chosen.length ? Math.min(...chosen.map((other) => distance(centre, other.centre))) : -distance(centre, middle)));
    chosen.push(candidates.reduce((best, place) => (worth(place) > worth(best) ? place : best)));
  }
  return chosen.map(({ label }) => label);
};

// Returns a setup with a handicap. `layoutOf(game, size)` gives the board's layout.
export const withHandicap = async (about, setup, choice, layoutOf) => {
  if (choice === NONE) return setup;
  if (choice === MOVE) return { ...setup, game: withoutSwap(about, about.games.find(({ id }) => id === setup.game)).id };
  const first = handicapPlaces(await layoutOf(setup.game, setup.size), Number(choice));
  return { ...setup, stones: { first, second: [], to_move: "second" } };
};
