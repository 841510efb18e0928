// Asks for things once.

// Returns the promise of `ask` that `known` has under a key, or asks. What failed is forgotten, so that a later call asks again.
export const once = (known, key, ask) => {
  if (!known.has(key)) {
    const asked = ask();
    asked.catch(() => known.delete(key));
    known.set(key, asked);
  }
  return known.get(key);
};
