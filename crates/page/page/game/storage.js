// Keeps values in the browser from one visit to the next. Without storage everything works but is forgotten.

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

// Returns the value of this window, or else the one that any window kept last.
export const recallHere = (name, otherwise) => read("sessionStorage", name) ?? recall(name, otherwise);

export const keepHere = (name, value) => [write("sessionStorage", name, value), keep(name, value)].some(Boolean);
