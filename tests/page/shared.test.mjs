// A shared board: what is heard of it, and that it is asked for again after the connection was lost.

import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { Requests } = await load("server/connection.js");
const { SharedBoard, addressOfToken, tokenOf } = await load("game/shared.js");

class Connection extends Requests {
  ready = true;
  notReadyMessage = "away";
  sent = [];

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.ready = false;
    this.rejectAll("lost");
  }

  open() {
    this.ready = true;
    this.dispatchEvent(new Event("open"));
  }
}

class Session extends EventTarget {
  players = ["black", "white"];
  setup = { shared: { token: "ab", seat: "second", asks: null } };
  engineSettings = { level: "casual", effort: {} };
  heard = [];
  loader = {
    begin: async (setup) => {
      this.setup = setup;
      this.dispatchEvent(new Event("change"));
      return true;
    },
  };

  followSharedMoves(moves, resigned) {
    this.heard.push([moves.join(" "), resigned, this.setup.shared.asks]);
  }

  unshare() {
    this.setup.shared = null;
  }
}

const board = (moves, more = {}) => ({ game: "hex", size: 3, moves, resigned: null, asks: null, ...more });

const ABOUT = { shares: true, games: [{ id: "hex", seats: [{ name: "black" }, { name: "white" }] }] };

const followed = () => {
  const [connection, session] = [new Connection(), new Session()];
  const failed = [];
  const shared = new SharedBoard(connection, ABOUT, session);
  shared.addEventListener("failed", ({ detail }) => failed.push(detail.message));
  session.dispatchEvent(new Event("change"));
  return { connection, session, shared, failed };
};

const turn = () => new Promise((resolve) => setTimeout(resolve));

test("a token goes into an address and comes out", () => {
  assert.equal(tokenOf(addressOfToken("0af9")), "0af9");
  assert.equal(tokenOf("#hex/3/.a1"), null);
});

test("who follows a board hears of every change, and again after the connection was lost", async () => {
  const { connection, session } = followed();
  const [{ id, ...asked }] = connection.sent;
  assert.deepEqual(asked, { do: "join", token: "ab" });
  connection.receive(JSON.stringify({ id, shared: board(["a1"]) }));
  await turn();
  connection.receive(JSON.stringify({ id, shared: board(["a1"], { asks: "first" }) }));
  session.dispatchEvent(new Event("change"));
  assert.equal(connection.sent.length, 1, "it is asked for once");
  connection.close();
  session.dispatchEvent(new Event("change"));
  connection.open();
  assert.equal(connection.sent.length, 2);
  connection.receive(JSON.stringify({ id: connection.sent[1].id, shared: board(["a1", "b2"], { resigned: "first" }) }));
  await turn();
  assert.deepEqual(session.heard, [["a1", null, null], ["a1", null, "first"], ["a1 b2", "black", null]]);
});

test("a board whose link is opened again is still followed", async () => {
  const { connection, session, shared } = followed();
  connection.receive(JSON.stringify({ id: connection.sent[0].id, shared: board([]) }));
  await turn();
  const opened = shared.open("ab");
  connection.receive(JSON.stringify({ id: connection.sent[1].id, seat: "second", shared: board([]) }));
  assert.equal(await opened, true);
  assert.equal(connection.sent.length, 3, "the server tells of it under the latest request");
  connection.receive(JSON.stringify({ id: connection.sent[2].id, shared: board(["a1"]) }));
  await turn();
  assert.deepEqual(session.heard.at(-1), ["a1", null, null]);
});

test("a board that is gone is left", async () => {
  const { connection, session, failed } = followed();
  connection.receive(JSON.stringify({ id: connection.sent[0].id, error: "there is no board with this link" }));
  await turn();
  assert.equal(session.setup.shared, null);
  assert.deepEqual(failed, ["there is no board with this link. The game stays here."]);
});
