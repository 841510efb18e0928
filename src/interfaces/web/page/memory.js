// What the browser keeps from one visit to the next. Without a place to keep it, everything works but is forgotten.

const PREFIX = "hexzero.";
const GAMES = 50;

export const recall = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

export const keep = (name, value) => {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks refuse.
  }
};

// The finished games, as lines, the latest first.
export const finishedGames = () => recall("games", []);

export const keepFinished = (line) =>
  keep("games", [{ line, when: Date.now() }, ...finishedGames().filter((game) => game.line !== line)].slice(0, GAMES));
