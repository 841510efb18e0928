// The games that the server knows, as it tells of them.

import { say, theirs } from "./say.js";

export const gameOf = ({ games }, id) => games.find((game) => game.id === id) ?? null;

// The names by which the seats are known to the server.
export const seatNames = ({ seats }) => seats.map(({ name }) => name);

const hasOneBoard = ({ boards: { least, most } }) => least === most;

// A size in words; nothing for a game that has but one board.
export const sizeText = (game, size) =>
  hasOneBoard(game) ? "" : say("game.size", { n: size, meaning: game.boards.meaning });

// A game on one of its boards, in short.
export const boardTitle = (game, size) => (hasOneBoard(game) ? game.title : say("game.board", { title: game.title, n: size }));

// What is a text, and not a name by which the server knows something.
const SAID = new Set(["title", "summary", "goal", "task", "meaning", "label", "offer", "done", "suffered", "words", "text", "caption"]);

// All that games say of themselves, in the language of the page.
export const inOurWords = (told, name = "") => {
  if (typeof told === "string") return SAID.has(name) ? theirs(told) : told;
  if (Array.isArray(told)) return told.map((part) => inOurWords(part, name));
  if (told === null || typeof told !== "object") return told;
  return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, inOurWords(value, key)]));
};
