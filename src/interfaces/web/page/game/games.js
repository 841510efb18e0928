// The games that the server knows, as it tells of them.

export const gameOf = ({ games }, id) => games.find((game) => game.id === id) ?? null;

// The names by which the seats are known to the server.
export const seatNames = ({ seats }) => seats.map(({ name }) => name);

const hasOneBoard = ({ boards: { least, most } }) => least === most;

// A size in words; nothing for a game that has but one board.
export const sizeText = (game, size) => (hasOneBoard(game) ? "" : `${size} ${game.boards.meaning}`);

// A game on one of its boards, in short.
export const boardTitle = (game, size) => (hasOneBoard(game) ? game.title : `${game.title} ${size}`);
