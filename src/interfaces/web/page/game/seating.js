// Who plays a game: a person, the engine at some level, or a friend, by side.

import { gameOf, seatNames } from "./games.js";
import { ENGINE, PERSON } from "./roles.js";

// What has a `setup`, which says who plays: a game in progress, or a position that is being set up.
export class Seating extends EventTarget {
  constructor(about) {
    super();
    this.about = about;
  }

  get game() {
    return gameOf(this.about, this.setup.game);
  }

  get players() {
    return seatNames(this.game);
  }

  get watching() {
    return this.players.every((player) => this.roleOf(player) === ENGINE);
  }

  get alone() {
    return this.players.every((player) => this.roleOf(player) === PERSON);
  }

  roleOf(player) {
    return this.setup.roles[player];
  }

  // Returns the engine's level for a side: in a game against itself each has one.
  levelOf(player) {
    return this.setup.levels?.[player] ?? this.setup.level;
  }

  // Returns the engine's time for a move of a side; nothing where its level says that.
  effortOf(player) {
    return this.levelOf(player) === "full" && !this.setup.clock ? (this.setup.effort ?? this.about.effort) : {};
  }

  side(player) {
    return player === this.players[0] ? "first" : "second";
  }
}
