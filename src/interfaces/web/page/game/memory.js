// What the browser keeps from one visit to the next. Without a place to keep it, everything works but is forgotten.

const PREFIX = "hexzero.";

const read = (place, name) => {
  try {
    return JSON.parse(window[place].getItem(PREFIX + name));
  } catch {
    return null;
  }
};

const write = (place, name, value) => {
  try {
    window[place].setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

export const recall = (name, otherwise) => read("localStorage", name) ?? otherwise;

// False if there is no room, as in private windows and on full disks.
export const keep = (name, value) => write("localStorage", name, value);

// What a window has kept for itself, or else what one of them kept last.
export const recallHere = (name, otherwise) => read("sessionStorage", name) ?? recall(name, otherwise);

export const keepHere = (name, value) => [write("sessionStorage", name, value), keep(name, value)].some(Boolean);
