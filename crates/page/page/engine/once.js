// Asks for things once.

// Returns the promise kept in `known` under a key, or calls `ask` and keeps its promise. A failure is forgotten, so that a later call
// asks again.
export const once = (known, key, ask) => {
  if (!known.has(key)) {
    const asked = ask();
    asked.catch(() => known.delete(key));
    known.set(key, asked);
  }
  return known.get(key);
};
