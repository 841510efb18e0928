// The game in progress: whose turn it is, who plays which side, and the position that is looked at.

import { Lost, Refused } from "../server/errors.js";
import { mainLine } from "./branches.js";
import { Clock } from "./clock.js";
import { isWithFriend } from "./friend.js";
import { GameTree } from "./game_tree.js";
import { gameOf, seatNames } from "./games.js";
import { History } from "./history.js";
import { ENGINE, PERSON } from "./roles.js";
import { Seating } from "./seating.js";
import { States } from "./states.js";

// The least time from a person's move to the engine's, so that the eye can follow. In a game of the engine against itself,
// the pace decides.
const BREATH = 450;

export const PACES = { slow: 2500, medium: 1000, fast: 250 };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Tells `begun` (another game is on the board), `change` (anything that is shown), `moved` (`detail.position`: a move was made), `over` and `failed` (`detail.message`).
export class Session extends Seating {
  #connection;
  #layouts;
  #attempt = 0; // differs once an answer is no longer wanted
  #opening = 0; // differs once another game was asked for
  #asking = false;
  #held = false; // the clock stands still until the server is there again

  constructor(connection, about, layouts) {
    super(about);
    this.#connection = connection;
    this.#layouts = layouts;
    this.states = new States(connection);
    this.history = new History(this);
    this.tree = null;
    this.reviewing = false; // while the server looks the game over
    this.retrying = null; // a mistake that is played otherwise: the player, and the position before it
    this.relay = null; // takes the moves of a shared board to the server
    this.replying = null; // the position of such a variation that the engine answers
  }

  // The end of the game, be it on the board, by resignation or by time.
  get result() {
    return this.ended ?? this.tip.state.outcome;
  }

  // True if the engine may advise: those who play a friend decide alone.
  get mayConsult() {
    if (!this.tree || this.result) return true;
    return this.setup.shared ? !this.setup.shared.seat : !isWithFriend(this);
  }

  // True if the server is at work on something that an analysis would end, or be refused for.
  get occupied() {
    return this.thinking || this.reviewing || this.replying !== null;
  }

  get exploring() {
    return this.current !== this.tip;
  }

  // True if a person may move in the position that is shown.
  get yours() {
    if (!this.tree || this.#asking || this.replying === this.current || this.current.state.outcome) return false;
    return this.exploring || this.ended !== null || this.setup.roles[this.current.state.to_move] === PERSON;
  }

  // True if it is the engine's turn but no request is under way, as after a refusal.
  get waiting() {
    return !this.result && !this.thinking && this.roleOf(this.tip.state.to_move) === ENGINE;
  }

  // The next level for a person who has won against the engine, or null.
  get harder() {
    const { winner } = this.result ?? {};
    const isWon = winner && !this.alone && this.roleOf(winner) === PERSON && this.players.some((player) => this.roleOf(player) === ENGINE);
    const { levels } = this.about;
    return (isWon && levels[levels.indexOf(this.setup.level) + 1]) || null;
  }

  // `win` and `draw` are the chances of `player`; this is what the first player may expect.
  chance(player, win, draw) {
    const share = win + draw / 2;
    return player === this.players[0] ? share : 1 - share;
  }

  // Puts a new game on the board. Resolves with false if another one was asked for meanwhile, as the other two below do.
  async begin(setup, { moves = [], beforeOpen = null } = {}) {
    const opening = ++this.#opening;
    const [layout, states] = await Promise.all([
      this.#layouts.of(setup.game, setup.size),
      this.states.of(setup, moves, 0),
    ]);
    if (opening !== this.#opening) return false;
    beforeOpen?.();
    const tree = new GameTree(states[0]);
    let tip = tree.root;
    moves.forEach((move, i) => (tip = tree.add(tip, move, states[i + 1])));
    this.#take(setup, layout, tree, tip, tip);
    this.tip.clocks = this.clock?.all() ?? null;
    this.dispatchEvent(new Event("begun"));
    this.proceed();
    return true;
  }

  // Puts a game with variations on the board: branches.js has their form. Without moves to a position the end of the main
  // line is shown. The game itself has `plies` moves.
  openTree(setup, tree, { current = null, plies = Infinity, beforeOpen = null } = {}) {
    const tip = mainLine(tree).slice(0, plies);
    return this.restore({ setup, tree, tip, current: current ?? tip, ended: null, clocks: null }, beforeOpen);
  }

  // Says something of a position.
  say(position, comment) {
    if (position.comment === comment) return;
    position.comment = comment;
    this.#changed();
  }

  // Puts the next free letter on a place of the position that is shown, or takes what is there away. Returns the letter, or null.
  letter(place) {
    const letter = this.current.letter(place);
    this.#changed();
    return letter;
  }

  // Says what the game is called, who plays, and when.
  label(labels) {
    this.setup.labels = labels;
    this.#changed();
  }

  // Goes on with what memory.js kept.
  async restore({ setup, tree, tip, current, ended, clocks, takenBack = null }, beforeOpen = null) {
    const opening = ++this.#opening;
    const [layout, grown] = await Promise.all([
      this.#layouts.of(setup.game, setup.size),
      GameTree.from(tree, (moves, from) => this.states.of(setup, moves, from)),
    ]);
    if (opening !== this.#opening) return false;
    beforeOpen?.();
    const end = grown.find(tip) ?? grown.root.line().at(-1);
    this.#take(setup, layout, grown, end, grown.find(current) ?? end);
    this.ended = ended;
    this.history.begin(takenBack && grown.find(takenBack));
    if (this.clock && clocks) {
      this.clock.set(clocks);
      for (const position of this.tip.path()) position.clocks = clocks;
      if (!this.result && this.tip.ply > 0) this.#startClock();
    }
    this.go(this.current);
    this.dispatchEvent(new Event("begun"));
    this.proceed();
    return true;
  }

  toJSON() {
    const { setup, tree, ended, history } = this;
    return {
      setup,
      tree,
      tip: this.tip.moves(),
      current: this.current.moves(),
      ended,
      takenBack: history,
      clocks: this.clock?.all() ?? null,
    };
  }

  // Returns the fields by which a request names a position.
  place(position) {
    const { game, size, stones = null } = this.setup;
    return { game, size, setup: stones, moves: position.moves() };
  }

  // A person's move in the position that is shown: the next of the game, or one of a variation.
  async play(move) {
    if (!this.yours) return;
    const parent = this.current;
    let position = parent.child(move);
    if (!position) {
      this.#asking = true;
      try {
        const [state] = await this.states.of(this.setup, [...parent.moves(), move], parent.ply + 1);
        this.#asking = false;
        // The person may have gone to another position meanwhile: allow moves there again.
        if (this.current !== parent) return this.#changed();
        position = this.tree.add(parent, move, state);
      } catch (error) {
        this.#asking = false;
        this.#report(error);
        return this.#changed();
      }
    }
    if (parent === this.tip && !this.result && !this.setup.puzzle) {
      if (await this.#mayAdvance(parent, move)) this.#advance(position);
      else this.#changed();
    }
    else this.go(position, true);
  }

  // Gives a move of a shared board to the server first. False if it is refused, or has come back from there already.
  async #mayAdvance(parent, move) {
    if (!this.setup.shared) return true;
    this.#asking = true;
    try {
      await this.relay.play(parent.ply, move);
      return this.tip === parent;
    } catch (error) {
      this.#report(error);
      return false;
    } finally {
      this.#asking = false;
    }
  }

  // Brings the game to these moves, which were made on a shared board, and ends it if somebody has resigned.
  async arriveAt(moves, resigned) {
    const { tree } = this;
    let at = tree.find(moves);
    if (!at) {
      const states = await this.states.of(this.setup, moves, 1).catch((error) => this.#report(error));
      if (!states || tree !== this.tree) return;
      at = tree.root;
      states.forEach((state, i) => (at = at.child(moves[i]) ?? tree.add(at, moves[i], state)));
    }
    // Moves that were made while these were asked for count.
    if (at !== this.tip && this.tip.isWithin(at)) for (const one of at.path().slice(this.tip.ply + 1)) this.#advance(one);
    else if (at !== this.tip) await this.continueAt(at);
    if (resigned && !this.result) this.#end(resigned, "resignation");
    this.#changed();
  }

  // The board is not shared any more. The players can go on by links, and who watched has a game to look at.
  unshare() {
    const { seat } = this.setup.shared;
    this.setup.shared = null;
    if (!seat) {
      this.setup.opened = true;
      this.setup.roles = Object.fromEntries(this.players.map((player) => [player, PERSON]));
    }
    this.#changed();
  }

  // Adds moves from a position on to the tree, and shows the position after the first of them.
  async addLine(from, moves) {
    const { tree, setup } = this;
    try {
      const states = await this.states.of(setup, [...from.moves(), ...moves], from.ply + 1);
      if (tree !== this.tree) return;
      let at = from;
      states.forEach((state, i) => (at = at.child(moves[i]) ?? tree.add(at, moves[i], state)));
      for (let one = at; one !== from; one = one.parent) one.parent.latest = one;
      this.go(from.child(moves[0]), true);
    } catch (error) {
      this.#report(error);
    }
  }

  // Lets the engine move where it is its turn.
  async proceed() {
    if (!this.tree || this.result || this.thinking || !this.#connection.ready) return this.#changed();
    const position = this.tip;
    const player = position.state.to_move;
    if (this.roleOf(player) !== ENGINE || (this.watching && !this.running)) return this.#changed();
    if (this.clock && position.ply === 0) this.#startClock();
    const attempt = ++this.#attempt;
    // Between the moves of a game that is watched there is time to look, and to analyse.
    if (this.watching && !this.clock) {
      this.#changed();
      await pause(PACES[this.pace]);
      if (attempt !== this.#attempt || !this.running) return;
    }
    this.thinking = true;
    this.thinkingSince = performance.now();
    this.#changed();
    let answer = null;
    try {
      const clock = this.clock && { left: this.clock.left(player), increment: this.clock.increment };
      const limits = clock ? { clock } : this.effortOf(player);
      const request = { do: "move", ...this.place(position), level: this.levelOf(player), ...limits };
      [answer] = await Promise.all([
        this.#connection.request(request),
        this.clock || this.watching ? null : pause(BREATH),
      ]);
    } catch (error) {
      if (attempt === this.#attempt) this.running = false;
      if (attempt === this.#attempt || error instanceof Lost) this.#report(error);
    }
    if (attempt !== this.#attempt) return;
    this.thinking = false;
    if (!answer) return this.#changed();
    const known = position.child(answer.move);
    this.#advance(known ?? this.tree.add(position, answer.move, answer.state));
  }

  // True if the engine may take so long that somebody could want its move at once.
  get mayHurry() {
    return this.levelOf(this.tip.state.to_move) === "full";
  }

  // Lets the engine play the best move that it has found so far.
  hurry() {
    this.#connection.request({ do: "stop" }).catch(() => {});
  }

  // Looks at a position.
  go(position, arrived = false) {
    this.current = position;
    for (let at = position; at.parent; at = at.parent) at.parent.latest = at;
    this.arrived = arrived;
    if (arrived) this.dispatchEvent(new CustomEvent("moved", { detail: { position } }));
    this.#changed();
  }

  // To where a game goes on; in one that is over, from a variation to where it begins, and from there to the end.
  // Where `backToGame` goes: in a game that is over, from a variation first to the position where it begins.
  get wayBack() {
    const { current, tip, result, setup } = this;
    const left = current.path().findLast((at) => at.isWithin(tip));
    return left === current || !(result || setup.opened) ? tip : left;
  }

  backToGame() {
    this.go(this.wayBack);
  }

  forward() {
    const next = this.current.next();
    if (next) this.go(next, true);
  }

  back() {
    if (this.current.parent) this.go(this.current.parent);
  }

  get resigner() {
    if (this.result || this.watching || this.setup.puzzle || this.tip.ply === 0) return null;
    const { to_move: mover } = this.tip.state;
    return this.roleOf(mover) === PERSON ? mover : this.players.find((player) => this.roleOf(player) === PERSON);
  }

  async resign() {
    const loser = this.resigner;
    if (!loser) return;
    if (this.setup.shared) return this.relay.act("resign");
    const { tip } = this;
    await this.#interrupt();
    // Another game may have begun meanwhile.
    if (tip === this.tip && !this.result) this.#end(loser, "resignation");
  }

  // A game that was loaded ended by resignation or by time.
  given(loser, reason) {
    this.#end(loser, reason, false);
  }

  setRunning(running) {
    this.running = running;
    this.proceed();
  }

  // Ends a game whose clock has run out; called as often as the clocks are shown.
  checkClock() {
    const player = this.clock?.running;
    if (player && this.clock.left(player) === 0 && !this.result) {
      this.#interrupt();
      this.#end(player, "time");
    }
  }

  // The connection was lost: what was under way has no answer any more, and nobody's time runs.
  disconnected() {
    this.#attempt += 1;
    this.thinking = false;
    if (this.clock?.running) {
      this.clock.stop();
      this.#held = true;
    }
    this.#changed();
  }

  reconnected() {
    if (this.#held && !this.result) this.clock.start(this.tip.state.to_move);
    this.#held = false;
    this.proceed();
  }

  // For the player whose turn it is.
  #startClock() {
    if (this.#connection.ready) this.clock.start(this.tip.state.to_move);
    else this.#held = true;
  }

  #take(setup, layout, tree, tip, current) {
    this.#attempt += 1;
    this.#held = false;
    this.history.begin();
    if (this.thinking || this.replying) this.#connection.request({ do: "stop" }).catch(() => {});
    const clock = setup.clock ? Clock.full(setup.clock, seatNames(gameOf(this.about, setup.game))) : null;
    Object.assign(this, {
      setup,
      layout,
      tree,
      tip,
      current,
      clock,
      ended: null,
      thinking: false,
      running: false,
      arrived: false,
    });
    this.pace ??= "medium";
  }

  #advance(position) {
    const mover = position.parent.state.to_move;
    const followed = this.current === this.tip;
    this.tree.promote(position);
    this.tip = position;
    if (this.clock) {
      if (this.clock.running === mover) this.clock.press(mover);
      position.clocks = this.clock.all();
      if (position.state.outcome === null) this.#startClock();
    }
    if (followed) this.go(position, true);
    if (this.result) this.dispatchEvent(new Event("over"));
    this.proceed();
  }

  // Ends what is under way, changes the tree, and goes on with the game at a position.
  async continueAt(position, change = null, shown = position) {
    const { tip, tree } = this;
    await this.#interrupt();
    // Another game, or another move, may have come meanwhile.
    if (tip !== this.tip || tree !== this.tree) return;
    change?.();
    this.tip = position;
    this.ended = null;
    this.#held = false;
    if (this.clock) {
      if (position.clocks) this.clock.set(position.clocks);
      if (position.ply > 0 && !position.state.outcome) this.#startClock();
    }
    this.go(shown);
    this.proceed();
  }

  #end(loser, reason, now = true) {
    const winner = this.players.find((player) => player !== loser);
    this.ended = { winner, loser, reason };
    this.clock?.stop();
    this.running = false;
    if (now) this.dispatchEvent(new Event("over"));
    this.#changed();
  }

  // Gives up on the engine's move that is under way.
  async #interrupt() {
    this.#attempt += 1;
    const wasThinking = this.thinking || this.replying;
    this.thinking = false;
    if (wasThinking) await this.#connection.request({ do: "stop" }).catch(() => {});
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  #report(error) {
    if (!(error instanceof Refused || error instanceof Lost)) throw error;
    if (error instanceof Refused) this.dispatchEvent(new CustomEvent("failed", { detail: { message: error.message } }));
  }
}
