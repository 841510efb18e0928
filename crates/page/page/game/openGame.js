// Puts games on the board: new ones, the same again, and those of files, links and this browser.

import { seatsOf } from "../text/sentences.js";
import { Emitter } from "./emitter.js";
import { mainLine } from "./gameTree.js";
import { gameOf, isHandicap, isWithFriend, rolesOfPeople, rolesWithFriend, seatNames } from "./games.js";
import { recordOfSession } from "./records.js";
import * as savedGames from "./savedGames.js";
import { newId } from "./storage.js";

const startsWith = (moves, others) => others.every((move, i) => moves[i] === move);

// Fires `opened` when a game is on the board, and `failed` (`detail.message`).
export class GameOpener extends Emitter {
  constructor(about, session, layouts, editor) {
    super();
    Object.assign(this, { about, session, layouts, editor });
  }

  // Keeps the game that is left, finished or not; a position that was being set up is not kept.
  leave() {
    this.editor.active = false;
    const session = this.session;
    if (session.tree?.root.children.length) this.keep();
  }

  // Keeps the game on the board, if it is no puzzle or lesson.
  keep() {
    const session = this.session;
    const { id = null, opened = false } = session.setup;
    if (!session.isExercise) savedGames.addGame(recordOfSession(session), { id, seats: seatsOf(session), opened });
  }

  async begin(setup, { moves = [], beforeOpen = () => this.leave() } = {}) {
    if (!(await this.#begin(setup, { moves, beforeOpen }))) return;
    this.fire("opened");
    if (this.session.allEngines) this.session.engineTurns.setRunning(true);
  }

  // Begins a game that the user has not asked for: the home screen stays open if it is.
  beginUnasked(setup) {
    return this.#begin(setup, {});
  }

  async #begin(setup, options) {
    try {
      return await this.session.loader.begin({ ...setup, id: newId(), seats: null }, options);
    } catch (error) {
      this.fire("failed", { message: error.message });
      return false;
    }
  }

  // Begins a new game with the position that is shown.
  beginFromHere(setup) {
    const { current, exploring, setup: before } = this.session;
    // A game of which nothing is lost is not left.
    const goesOn = !exploring && this.#isBare();
    const beforeOpen = goesOn ? () => (this.editor.active = false) : () => this.leave();
    return this.begin({ ...setup, stones: before.stones }, { moves: current.moves(), beforeOpen });
  }

  // Begins the game again, with the sides exchanged, and perhaps another level.
  rematch(level = this.session.setup.level) {
    const { setup, players } = this.session;
    const [first, second] = players;
    // The player with a handicap keeps the seat.
    const exchanged = (of) => (of && !isHandicap(this.about, setup) ? { [first]: of[second], [second]: of[first] } : of);
    const { roles, levels, labels } = setup;
    const names = labels?.players && { players: exchanged(labels.players) };
    return this.begin({ ...setup, roles: exchanged(roles), levels: exchanged(levels), labels: names, level });
  }

  // Lets a person set up the first position of a game, from what is on the board if that is the same game.
  async setUp({ handicap, toShare, ...setup }) {
    const session = this.session;
    const { game, size } = session.setup;
    const isSame = setup.game === game && setup.size === size;
    session.engineTurns.setRunning(false);
    const layout = await this.layouts.get(setup.game, setup.size);
    this.fire("opened");
    this.editor.start(setup, layout, isSame ? session.current.state : null, (done) => this.begin(done));
  }

  // Opens the game of a record, as records.js and address.js have it.
  async open(record) {
    const { game, size, stones = null, tree, plies, current = null, resigned = null, on_time: onTime = false, seat = null } = record;
    const { id = newId(), seats = null } = record;
    const session = this.session;
    const players = seatNames(gameOf(this.about, game));
    const roles = seat ? rolesWithFriend(players, seat) : rolesOfPeople(players);
    const labels = { name: record.name, players: record.players, date: record.date };
    // A friend's answer goes on with the game on the board, which need not be kept.
    const isSame = session.setup?.game === game && session.setup.size === size;
    const isAnswer =
      seat && isSame && isWithFriend(session) && this.#isBare() && startsWith(current ?? mainLine(tree), session.tip.moves());
    const kept = { id: isAnswer ? session.setup.id : id, seats, opened: !seat, labels };
    const setup = { game, size, stones, roles, ...session.engineSettings, clock: null, ...kept };
    const beforeOpen = isAnswer ? () => (this.editor.active = false) : () => this.leave();
    if (!(await session.loader.openTree(setup, tree, { current, plies, beforeOpen }))) return;
    this.fire("opened");
    if (players.includes(resigned)) session.endLoadedGame(resigned, onTime ? "time" : "resignation");
  }

  // True if the game up to the position that is shown is all that there is.
  #isBare() {
    const { current, setup } = this.session;
    const isPlain = (at) => !at.comment && !at.marks && at.children.length === (at === current ? 0 : 1);
    const { name, date, players = {} } = setup.labels ?? {};
    return !name && !date && !Object.keys(players).length && current.path().every(isPlain);
  }
}
