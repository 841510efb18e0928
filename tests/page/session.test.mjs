// A game in progress: the engine's turns, what is dropped when it is no longer wanted, and the clocks while the server is away.

import assert from "node:assert/strict";
import test from "node:test";

import { load, withTime } from "./page.mjs";

const { Reviewer } = await load("game/reviewer.js");
const { Session } = await load("game/session.js");

const SEATS = [{ name: "red" }, { name: "blue" }];
const ABOUT = { games: [{ id: "hex", seats: SEATS, actions: [] }], levels: ["casual", "full"], effort: { seconds: 1 } };
const SETUP = { game: "hex", size: 3, roles: { red: "person", blue: "engine" }, level: "casual", effort: { seconds: 1 }, clock: null };

const state = (moves) => {
  const [mover, other] = moves.length % 2 ? ["blue", "red"] : ["red", "blue"];
  return { move: moves.at(-1) ?? null, player: moves.length ? other : null, to_move: mover, outcome: null, legal: [], pieces: [] };
};

// A server that answers at once, but for the engine's moves: those wait in `asked`.
class Connection {
  ready = true;
  asked = [];
  stops = 0;

  async stop() {
    this.stops += 1;
  }

  request(what) {
    if (what.do === "states") {
      const found = [];
      for (let ply = what.from; ply <= what.moves.length; ply += 1) found.push(state(what.moves.slice(0, ply)));
      return Promise.resolve({ states: found });
    }
    if (what.do !== "move") return Promise.resolve({});
    return new Promise((resolve) => {
      const answer = (move) => resolve({ move, state: state([...what.moves, move]) });
      this.asked.push({ ...what, answer });
    });
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const begun = async (setup = {}, options = {}) => {
  const connection = new Connection();
  const session = new Session(connection, ABOUT, { get: async () => ({ places: [] }) });
  assert.equal(await session.loader.begin({ ...SETUP, ...setup }, options), true);
  return { connection, session };
};

const movesOf = (session) => session.tip.moves().join(" ");

test("the engine answers a person's move, after a pause", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, session } = await begun();
  await session.play("a1");
  await settled();
  assert.deepEqual([session.thinking, session.mayPlay, connection.asked.length], [true, false, 1]);
  const { game, size, moves, level } = connection.asked[0];
  assert.deepEqual({ game, size, moves, level }, { game: "hex", size: 3, moves: ["a1"], level: "casual" });
  connection.asked[0].answer("b2");
  await settled();
  assert.equal(movesOf(session), "a1", "it comes too soon for the eye");
  context.mock.timers.tick(450);
  await settled();
  assert.deepEqual([movesOf(session), session.thinking, session.mayPlay], ["a1 b2", false, true]);
});

test("an answer to a move that was taken back is dropped", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, session } = await begun();
  await session.play("a1");
  await settled();
  await session.history.undo();
  assert.deepEqual([movesOf(session), connection.stops, session.thinking], ["", 1, false]);
  connection.asked[0].answer("b2");
  context.mock.timers.tick(450);
  await settled();
  assert.equal(movesOf(session), "");
});

test("of two games that are asked for, the later one is put on the board", async () => {
  const { session } = await begun();
  const [first, second] = await Promise.all([session.loader.begin({ ...SETUP, size: 4 }), session.loader.begin({ ...SETUP, size: 5 })]);
  assert.deepEqual([first, second, session.setup.size], [false, true, 5]);
});

test("a game against itself rests when it is stopped", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, session } = await begun({ roles: { red: "engine", blue: "engine" } });
  assert.equal(connection.asked.length, 0, "it waits to be started");
  session.engineTurns.setRunning(true);
  context.mock.timers.tick(1000);
  await settled();
  assert.equal(connection.asked.length, 1);
  session.engineTurns.setRunning(false);
  connection.asked[0].answer("a1");
  await settled();
  context.mock.timers.tick(5000);
  await settled();
  assert.deepEqual([movesOf(session), connection.asked.length], ["a1", 1]);
});

test("a game against itself takes nobody's time while it rests", () =>
  withTime(async (pass) => {
    const roles = { red: "engine", blue: "engine" };
    const { connection, session } = await begun({ roles, clock: { seconds: 60, increment: 0 } });
    session.engineTurns.setRunning(true);
    pass(5);
    session.engineTurns.setRunning(false);
    connection.asked[0].answer("a1");
    await settled();
    pass(30);
    assert.deepEqual([session.clock.running, session.clock.all()], [null, { red: 55, blue: 60 }]);
    session.engineTurns.setRunning(true);
    pass(5);
    assert.deepEqual([session.clock.running, session.clock.left("blue")], ["blue", 55]);
    assert.equal(connection.asked[1].clock.left, 60);
  }));

test("no clock runs while the server is away", () =>
  withTime(async (pass) => {
    const clock = { seconds: 60, increment: 0 };
    const roles = { red: "person", blue: "person" };
    const { connection, session } = await begun({ clock, roles });
    await session.play("a1");
    pass(5);
    connection.ready = false;
    session.disconnected();
    pass(30);
    assert.deepEqual([session.clock.running, session.clock.left("blue")], [null, 55]);
    connection.ready = true;
    session.reconnected();
    pass(5);
    assert.deepEqual([session.clock.running, session.clock.left("blue")], ["blue", 50]);
    await session.resign();
    assert.deepEqual([session.clock.running, session.result.winner], [null, "red"]);
  }));

test("a game that was kept goes on where it was", async () => {
  const { session } = await begun({ roles: { red: "person", blue: "person" } });
  for (const move of ["a1", "b2", "c3"]) await session.play(move);
  session.setComment(session.tip, "good");
  await session.history.undo();
  const kept = JSON.parse(JSON.stringify(session));
  const { session: again } = await begun();
  assert.equal(await again.loader.restore(kept), true);
  assert.deepEqual([movesOf(again), again.history.redoable.comment], ["a1 b2", "good"]);
});

test("a review is there again after a reload, and gone with its game", async () => {
  const people = { roles: { red: "person", blue: "person" } };
  const { session, connection } = await begun(people);
  for (const move of ["a1", "b2", "c3"]) await session.play(move);
  const move = (name, fault) => ({ move: name, fault, best: "c1", line: ["c1"], loss: 0 });
  const review = { visits: 100, players: [], chances: [0.5, 0.4, 0.6, 0.1], moves: [move("a1", null), move("b2", "blunder"), move("c3", null)] };
  session.endLoadedGame("red", "resignation");
  connection.request = async () => ({ review });
  const reviewer = new Reviewer(connection, session);
  await reviewer.start();
  assert.deepEqual([reviewer.mistakes.length, reviewer.canStart], [1, false]);

  const kept = JSON.parse(JSON.stringify(session));
  const { session: again } = await begun();
  const restored = new Reviewer(connection, again);
  assert.equal(restored.review, null);
  await again.loader.restore(kept);
  assert.deepEqual(restored.mistakes.map(({ move }) => move), ["b2"]);
  assert.deepEqual([restored.review.visits, restored.canStart, again.tip.chance], [100, false, 0.1]);
  await again.loader.begin({ ...SETUP, ...people });
  assert.deepEqual([restored.review, restored.mistakes], [null, []]);
});
