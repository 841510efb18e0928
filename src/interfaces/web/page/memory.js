// What the browser keeps from one visit to the next. Without a place to keep it, everything works but is forgotten.

const PREFIX = "hexzero.";

export const recall = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

// False if there is no room, as in private windows and on full disks.
export const keep = (name, value) => {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};
