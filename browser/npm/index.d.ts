/** A game from its start. */
export interface Game {
  /** The game's name, such as `"hex"`, `"cachex"`, `"y"`. */
  game: string;
  /** The size of the board. */
  size: number;
  /** The moves by name, in order; none by default. */
  moves?: string[];
}

/** The limits of a move; without any it takes one second. */
export interface Limits {
  /** Positions to look at. */
  visits?: number;
  /** Seconds to think, at most 60. */
  seconds?: number;
  /** The level, from `"newcomer"` to `"full"`; `"full"` by default. */
  level?: string;
}

/** A chosen move. Chances are those of the player to move, from 0 to 1. */
export interface BestMove {
  move: string;
  win: number;
  draw: number;
  visits: number;
  seconds: number;
  /** The position after the move. */
  state: Position;
}

/** A position, in the form of docs/web.md. */
export interface Position {
  pieces: unknown[];
  to_move: string | null;
  legal: { name: string; picks: unknown[] }[];
  outcome: { winner: string | null; reason: string; text: string } | null;
  [field: string]: unknown;
}

/** An analysis, in the form of docs/formats/streams.md. */
export interface Analysis {
  visits: number;
  win: number;
  draw: number;
  loss: number;
  /** The best moves, the one to play first. */
  lines: { move: string; visits: number; prior: number; [field: string]: unknown }[];
  done: boolean;
  [field: string]: unknown;
}

/** An engine. It runs one search at a time; others wait for it. */
export interface Hexzero {
  /**
   * Loads the checkpoint that plays a game: the one in this package, or that of a URL or of bytes.
   * Throws if it is no checkpoint for this game.
   */
  loadModel(game: string, model?: string | URL | Uint8Array): Promise<void>;
  /** Returns the position after `from` moves and all later ones; by default only the last. */
  positions(game: Game, from?: number): Promise<Position[]>;
  /** Chooses a move. */
  bestMove(game: Game, limits?: Limits): Promise<BestMove>;
  /**
   * Analyses a position for `seconds` and returns the best `lines`. `onUpdate` gets the results so far, about ten times a second; if
   * it throws, the search ends and the promise rejects with that error.
   */
  analyse(game: Game, options?: { seconds?: number; lines?: number; onUpdate?: (analysis: Analysis) => void }): Promise<Analysis>;
  /** Ends the running search, which resolves with what it has found so far. */
  stop(): void;
}

/**
 * Loads the engine from the module in this package, or from `wasm`. `seed` is that of random choices, and the search tree takes at
 * most this many `mebibytes`.
 */
export function load(options?: { wasm?: string | URL | WebAssembly.Module; seed?: number; mebibytes?: number }): Promise<Hexzero>;

/** Returns why this browser cannot run the engine, or null if it can. */
export function obstacle(): string | null;
