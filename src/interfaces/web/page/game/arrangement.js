// A position that was set up stone by stone: `{ first, second, to_move }`, the names of the places of either player's stones and
// the seat to move, `first` or `second`. Here it goes into addresses, and comes out of them.

const SEATS = ["first", "second"];

const plain = (name) => encodeURIComponent(name).replace(/[.*()!'~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

const names = (text) => text.split(".").filter(Boolean).map(decodeURIComponent);

// Returns the part of an address behind its moves: `/a1.b2;c3;2`; nothing for a game from an empty board.
export const stonesToAddress = (stones) =>
  stones
    ? `/${SEATS.map((seat) => stones[seat].map(plain).join(".")).join(";")};${SEATS.indexOf(stones.to_move) + 1}`
    : "";

export const stonesOfAddress = (text) => {
  if (!text) return null;
  const [first, second, seat] = text.split(";");
  if (seat !== "1" && seat !== "2") throw new Error("The address holds no position that can be read.");
  return { first: names(first), second: names(second), to_move: SEATS[seat - 1] };
};
