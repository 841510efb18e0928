// Who can play a side.

export const PERSON = "person";
export const ENGINE = "engine";

// The player at the other end of the links.
export const FRIEND = "friend";
