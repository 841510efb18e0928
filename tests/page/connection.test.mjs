import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

// A socket that keeps what is sent through it.
class Socket {
  static OPEN = 1;
  static opened = [];

  constructor(url) {
    this.url = String(url);
    this.readyState = 0;
    this.sent = [];
    Socket.opened.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  answer(answer) {
    this.onmessage({ data: JSON.stringify(answer) });
  }

  close() {
    this.readyState = 3;
    this.onclose();
  }
}

globalThis.WebSocket = Socket;

const { Connection, ConnectionLost, RequestRefused } = await load("server/connection.js");

const opened = (address = "http://127.0.0.1:8765/#hex/5/.a1") => {
  globalThis.document = { baseURI: address };
  const connection = new Connection();
  const socket = Socket.opened.at(-1);
  socket.open();
  return { connection, socket };
};

test("the socket lies beside the page, below any path", () => {
  const urls = ["http://127.0.0.1:8765/#hex/5", "https://a.example/games/hex/", "https://a.example/games/index.html?x=1"];
  assert.deepEqual(urls.map((url) => opened(url).socket.url), [
    "ws://127.0.0.1:8765/api/play",
    "wss://a.example/games/hex/api/play",
    "wss://a.example/games/api/play",
  ]);
});

test("answers go to their requests, whichever comes first", async () => {
  const { connection, socket } = opened();
  const [first, second] = [connection.request({ do: "states" }), connection.request({ do: "move" })];
  assert.deepEqual(socket.sent, [{ id: 1, do: "states" }, { id: 2, do: "move" }]);
  socket.answer({ id: 2, move: "a1" });
  socket.answer({ id: 9, move: "b2" });
  socket.answer({ id: 1, error: "no such game" });
  assert.equal((await second).move, "a1");
  await assert.rejects(first, (error) => error instanceof RequestRefused && error.message === "no such game");
});

test("a search is asked to stop, and a refusal is no fault", async () => {
  const { connection, socket } = opened();
  const stopped = connection.stop();
  const { id, ...asked } = socket.sent.at(-1);
  assert.deepEqual(asked, { do: "stop" });
  socket.answer({ id, error: "nothing to stop" });
  await stopped;
});

test("an analysis and a review have updates before the last answer", async () => {
  const { connection, socket } = opened();
  const updates = [];
  const analysis = connection.request({ do: "analyze" }, (update) => updates.push(update));
  socket.answer({ id: 1, analysis: { visits: 1, done: false } });
  socket.answer({ id: 1, analysis: { visits: 2, done: true } });
  assert.equal((await analysis).analysis.visits, 2);
  assert.deepEqual(updates.map(({ visits }) => visits), [1, 2]);
  const review = connection.request({ do: "review" }, (update) => updates.push(update));
  socket.answer({ id: 2, reviewing: { done: 1, of: 3 } });
  socket.answer({ id: 2, review: null });
  assert.deepEqual([(await review).review, updates.at(-1)], [null, { done: 1, of: 3 }]);
});

test("what was under way is lost with the connection, which opens again", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { connection, socket } = opened();
  let lost = 0;
  connection.addEventListener("lost", () => (lost += 1));
  const request = connection.request({ do: "move" });
  const before = Socket.opened.length;
  socket.close();
  await assert.rejects(request, ConnectionLost);
  await assert.rejects(connection.request({ do: "move" }), ConnectionLost);
  assert.deepEqual([lost, connection.ready], [1, false]);
  context.mock.timers.tick(300);
  assert.equal(Socket.opened.length, before + 1);
  // In vain, so that the next attempt comes later.
  Socket.opened.at(-1).close();
  context.mock.timers.tick(300);
  assert.equal(Socket.opened.length, before + 1);
  context.mock.timers.tick(300);
  assert.equal(Socket.opened.length, before + 2);
  Socket.opened.at(-1).open();
  assert.ok(connection.ready);
});

test("what is followed is answered again and again, until the connection is lost", async () => {
  const { connection, socket } = opened();
  const heard = [];
  const first = connection.follow({ do: "join", token: "ab" }, (answer) => heard.push(answer.shared));
  const { id } = socket.sent[0];
  socket.answer({ id, shared: 1 });
  assert.equal((await first).shared, 1);
  socket.answer({ id, shared: 2 });
  socket.answer({ id: id + 7, shared: 3 });
  assert.deepEqual(heard, [2]);
  socket.close();
  socket.answer({ id, shared: 4 });
  assert.deepEqual(heard, [2]);
});
