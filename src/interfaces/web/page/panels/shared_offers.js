// The buttons of a shared board beside the moves.

// `act(deed)` tells the server, `links()` shows the links again.
export const offersOfShared = (session, { act, links }) => {
  const { seat, asks, tokens } = session.setup.shared;
  const offers = [];
  const offer = (key, text, action, kind = "") => offers.push({ key, text, action, kind });
  if (seat && !session.result && asks) {
    if (asks !== seat) offer("allow", "Allow", () => act("allow"), "primary");
    offer("refuse", asks === seat ? "Do not ask any more" : "Refuse", () => act("refuse"));
  } else if (seat && !session.result && session.tip.path().some(({ state }) => state.player && session.side(state.player) === seat)) {
    offer("ask", "Ask to take back", () => act("ask"));
  }
  if (tokens) offer("links", "Links", links);
  return offers;
};
