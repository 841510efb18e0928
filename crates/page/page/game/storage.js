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

// The entries of a list that was kept, without damaged ones and those of another version.
export const recallList = (name, isEntry) => {
  const kept = recall(name, []);
  return Array.isArray(kept) ? kept.filter(isEntry) : [];
};

// How often this window has kept a value of each name.
const versions = new Map();

// Differs after each change of a value, for those who keep what they have made of it.
export const versionOf = (name) => versions.get(name) ?? 0;

// False if there is no room, as in private windows and on full disks.
export const keep = (name, value) => {
  versions.set(name, versionOf(name) + 1);
  return write("localStorage", name, value);
};

// Returns the value of this window, or else the one that any window kept last.
export const recallHere = (name, otherwise) => read("sessionStorage", name) ?? recall(name, otherwise);

// Returns a new id. `crypto.randomUUID` is missing on pages without encryption.
export const newId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);

export const keepHere = (name, value) => [write("sessionStorage", name, value), keep(name, value)].some(Boolean);
