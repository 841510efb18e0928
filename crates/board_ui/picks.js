// The way in which a move is entered: as a path of picks, each a place, a direction, a choice or a button. Mouse, fingers and keys
// alike add picks to a path, which narrows down the legal moves until one is left.

const keyOf = (pick) => Object.entries(pick)[0].join();

const startsWith = (picks, path) => path.every((pick, i) => picks.length > i && keyOf(pick) === keyOf(picks[i]));

const last = (path, kind) => path.findLast((pick) => kind in pick)?.[kind] ?? null;

// The place where a move begins, or null.
export const sourceOf = ({ picks }) => picks.find((pick) => "place" in pick)?.place ?? null;

// The parts of a move beside its source: a second place, a direction or a choice, each null if it has none.
export const restOf = ({ picks }) => ({
  target: picks.filter((pick) => "place" in pick).length > 1 ? last(picks, "place") : null,
  direction: last(picks, "direction"),
  choice: last(picks, "choice"),
});

// The button of a move, or null if it has none.
export const buttonOf = ({ picks: [pick] }) => pick?.button ?? null;

// The game's button for the move of this name, or null.
export const buttonNamed = ({ actions }, move) => actions.find(({ word }) => word === move) ?? null;

// A move that is being entered.
export class Picking {
  // `open`: the legal moves that begin with the path.
  constructor(open = [], path = [], before = null) {
    this.open = open;
    this.path = path;
    this.before = before;
  }

  // The move whose picks are the path, or null. Longer moves may begin with the path.
  get complete() {
    return this.open.find(({ picks }) => picks.length === this.path.length) ?? null;
  }

  // The place that was picked last, or null.
  get source() {
    return last(this.path, "place");
  }

  // Lists the next picks of one kind, as pairs of its number and the moves that go on with it.
  of(kind) {
    const found = new Map();
    for (const action of this.open) {
      const pick = action.picks[this.path.length];
      if (!pick || !(kind in pick)) continue;
      if (!found.has(pick[kind])) found.set(pick[kind], []);
      found.get(pick[kind]).push(action);
    }
    return found;
  }

  // The move whose picks are the path, if no longer move begins with it, or null.
  get only() {
    return this.open.length === 1 ? this.complete : null;
  }

  with(pick) {
    const path = [...this.path, pick];
    return new Picking(this.open.filter(({ picks }) => startsWith(picks, path)), path, this);
  }
}
