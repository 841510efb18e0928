// A request that the server refused.
export class Refused extends Error {}

// A request whose answer can no longer come.
export class Lost extends Error {}
