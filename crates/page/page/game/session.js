// The game in progress: makes moves in it, ends it, and shows its positions. gameLoader.js puts games on the board.

import { RequestRefused, isRequestError } from "../server/connection.js";
import { Clock } from "./clock.js";
import { EngineTurns } from "./engineTurns.js";
import { GameLoader } from "./gameLoader.js";
import { GameState } from "./gameState.js";
import { gameOf, rolesOfPeople, seatNames } from "./games.js";
import { History } from "./history.js";
import { States } from "./states.js";

// Fires `begun` (another game is on the board), `change` (anything that is shown), `moved` (`detail.position`: a move was made), `over`
// and `failed` (`detail.message`).
export class Session extends GameState {
  #connection;

  constructor(connection, about, layouts) {
    super(about);
    this.#connection = connection;
    this.states = new States(connection);
    this.history = new History(this);
    this.engineTurns = new EngineTurns(connection, this);
    this.loader = new GameLoader(this, layouts);
  }

  // Puts a game on the board in place of the last one.
  setGame(setup, layout, tree, tip, current) {
    this.history.reset();
    this.engineTurns.reset();
    const clock = setup.clock ? new Clock(setup.clock, seatNames(gameOf(this.about, setup.game))) : null;
    Object.assign(this, { setup, layout, tree, tip, current, clock, ended: null, arrived: false, reviewed: null });
  }

  // Returns what JSON makes a `KeptGame` of: gameLoader.js.
  toJSON() {
    const { setup, tree, ended, history, reviewed } = this;
    return {
      setup,
      tree,
      tip: this.tip.moves(),
      current: this.current.moves(),
      ended,
      takenBack: history,
      clocks: this.clock?.all() ?? null,
      findings: tree.findings(),
      review: reviewed && { ...reviewed.review, of: reviewed.tip.moves() },
    };
  }

  setComment(position, comment) {
    if (position.comment === comment) return;
    position.comment = comment;
    this.notifyChange();
  }

  // Puts the next free letter on a place of the position that is shown, or removes what is there. Returns the letter, or null.
  toggleLetter(place) {
    const letter = this.current.toggleLetter(place);
    this.notifyChange();
    return letter;
  }

  // Sets what the game is called, who plays, and when.
  setLabels(labels) {
    this.setup.labels = labels;
    this.notifyChange();
  }

  // Makes a person's move in the position that is shown: the next of the game, or one of a variation.
  async play(move) {
    if (!this.mayPlay) return;
    const parent = this.current;
    let position = parent.child(move);
    if (!position) {
      this.isSending = true;
      try {
        const [state] = await this.states.fetch(this.setup, [...parent.moves(), move], parent.ply + 1);
        this.isSending = false;
        // The person may have gone to another position meanwhile: allow moves there again.
        if (this.current !== parent) return this.notifyChange();
        position = this.tree.add(parent, move, state);
      } catch (error) {
        this.isSending = false;
        this.reportFailure(error);
        return this.notifyChange();
      }
    }
    if (parent === this.tip && !this.result && !this.isExercise) {
      if (await this.#mayAdvance(parent, move)) this.advance(position);
      else this.notifyChange();
    } else this.go(position, true);
  }

  // Sends a move on a shared board to the server first. False if the server refuses it, or has sent it back already.
  async #mayAdvance(parent, move) {
    if (!this.setup.shared) return true;
    this.isSending = true;
    try {
      await this.relay.play(parent.ply, move);
      return this.tip === parent;
    } catch (error) {
      this.reportFailure(error);
      return false;
    } finally {
      this.isSending = false;
    }
  }

  // Brings the game to these moves, which were made on a shared board, and ends it if somebody has resigned.
  async followSharedMoves(moves, resigned) {
    const { tree } = this;
    let at = tree.find(moves);
    if (!at) {
      const states = await this.states.fetch(this.setup, moves, 1).catch((error) => this.reportFailure(error));
      if (!states || tree !== this.tree) return;
      at = tree.addLine(tree.root, moves, states);
    }
    // Moves that were made while these were asked for count.
    if (at !== this.tip && this.tip.isWithin(at)) for (const one of at.path().slice(this.tip.ply + 1)) this.advance(one);
    else if (at !== this.tip) await this.continueAt(at);
    if (resigned && !this.result) this.#end(resigned, "resignation");
    this.notifyChange();
  }

  // The board is not shared any more. The players can go on by links, and who watched has a game to look at.
  unshare() {
    const { seat } = this.setup.shared;
    this.setup.shared = null;
    if (!seat) {
      this.setup.opened = true;
      this.setup.roles = rolesOfPeople(this.players);
    }
    this.notifyChange();
  }

  // Adds moves from a position on to the tree, and shows the position after the first of them.
  async addLine(from, moves) {
    const { tree, setup } = this;
    try {
      const states = await this.states.fetch(setup, [...from.moves(), ...moves], from.ply + 1);
      if (tree !== this.tree) return;
      const end = tree.addLine(from, moves, states);
      for (let one = end; one !== from; one = one.parent) one.parent.latest = one;
      this.go(from.child(moves[0]), true);
    } catch (error) {
      this.reportFailure(error);
    }
  }

  go(position, arrived = false) {
    this.current = position;
    for (let at = position; at.parent; at = at.parent) at.parent.latest = at;
    this.arrived = arrived;
    if (arrived) this.fire("moved", { position });
    this.notifyChange();
  }

  backToGame() {
    this.go(this.returnTarget);
  }

  forward() {
    const next = this.current.next();
    if (next) this.go(next, true);
  }

  back() {
    if (this.current.parent) this.go(this.current.parent);
  }

  // Resigns for the person whose turn it is, or who plays the engine.
  async resign() {
    const loser = this.resigner;
    if (!loser) return;
    if (this.setup.shared) return this.relay.act("resign");
    const { tip } = this;
    await this.engineTurns.interrupt();
    // Another game may have begun meanwhile.
    if (tip === this.tip && !this.result) this.#end(loser, "resignation");
  }

  // Ends a game that was loaded as it ended then: by resignation or by time.
  endLoadedGame(loser, reason) {
    this.#end(loser, reason, false);
  }

  // Ends a game whose clock has run out; called as often as the clocks are shown.
  checkClock() {
    const player = this.clock?.running;
    if (player && this.clock.left(player) === 0 && !this.result) {
      this.engineTurns.interrupt();
      this.#end(player, "time");
    }
  }

  // The connection was lost: pending requests get no answers, and the clocks stop.
  disconnected() {
    this.engineTurns.abandon();
    this.clock?.hold();
    this.notifyChange();
  }

  reconnected() {
    this.clock?.release(this.result ? null : this.tip.state.to_move);
    this.engineTurns.proceed();
  }

  // Starts the clock of the player to move; if the server is away, once it is back.
  startClock() {
    this.clock.start(this.tip.state.to_move);
    if (!this.#connection.ready) this.clock.hold();
  }

  // Goes on with the game by a move that was made.
  advance(position) {
    const mover = position.parent.state.to_move;
    const followed = this.current === this.tip;
    this.tree.promote(position);
    this.tip = position;
    if (this.clock) {
      if (this.clock.running === mover) this.clock.press(mover);
      position.clocks = this.clock.all();
      if (position.state.outcome === null) this.startClock();
    }
    if (followed) this.go(position, true);
    if (this.result) this.fire("over");
    this.engineTurns.proceed();
  }

  // Ends what is under way, changes the tree, and goes on with the game at a position.
  async continueAt(position, change = null, shown = position) {
    const { tip, tree } = this;
    await this.engineTurns.interrupt();
    // Another game, or another move, may have come meanwhile.
    if (tip !== this.tip || tree !== this.tree) return;
    change?.();
    this.tip = position;
    this.ended = null;
    if (this.clock) {
      this.clock.release(null);
      if (position.clocks) this.clock.set(position.clocks);
      if (position.ply > 0 && !position.state.outcome) this.startClock();
    }
    this.go(shown);
    this.engineTurns.proceed();
  }

  #end(loser, reason, now = true) {
    const winner = this.players.find((player) => player !== loser);
    this.ended = { winner, loser, reason };
    this.clock?.stop();
    this.engineTurns.rest();
    if (now) this.fire("over");
    this.notifyChange();
  }

  // Tells the page to show changes.
  notifyChange() {
    this.fire("change");
  }

  // Reports why a request was refused. A lost connection is reported elsewhere.
  reportFailure(error) {
    if (!isRequestError(error)) throw error;
    if (error instanceof RequestRefused) this.fire("failed", { message: error.message });
  }
}
