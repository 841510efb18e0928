import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { addressForFriend, addressOf, fromAddress, gameOfAddress, stonesOfAddress, stonesToAddress, toAddress } = await load("game/address.js");
const { rolesWithFriend } = await load("game/games.js");
const { GameTree } = await load("game/gameTree.js");

const ABOUT = { games: [{ id: "hex" }, { id: "cachex" }] };
const REFUSED = { message: "This link does not contain a valid game." };

test("a tree comes out of an address as it went in", () => {
  const shown = ["c3", [], "it's (.*~!) 50 % — ünïcode"];
  const tree = [null, [["a1", [["b2", [shown, ["pass", []]]], ["swap", []]]]], "start"];
  const text = toAddress(tree, shown);
  assert.match(text, /^[^#/\s]*$/, "nothing that ends a part of an address");
  assert.deepEqual(fromAddress(text), [tree, ["a1", "b2", "c3"]]);
});

test("the form of addresses stays, as links are out in the world", () => {
  const at = ["b2", []];
  assert.equal(toAddress([null, [["a1", [at, ["swap", []]]]]], at), ".a1(.swap).b2*");
  assert.equal(toAddress([null, [["a1", [at], "x"]]], null), ".a1'x.b2");
  assert.deepEqual(fromAddress(".a1.b2"), [[null, [["a1", [["b2", []]]]]], null]);
});

test("a broken address is refused", () => {
  for (const text of ["a1", ".", ".a1(", ".a1)", ".a1(.b2)", ".a1().b2", ".a1(.b2.c3(.x)).d4", ".a1**", ".%", "..a1"])
    assert.throws(() => fromAddress(text), REFUSED, text);
});

test("an address without end, or with variations in variations without end, is refused", () => {
  for (const text of ["(", ".a1(", ".a1(.b2", ".a1*", "'x", "%"]) {
    assert.throws(() => fromAddress(text.repeat(20_000)), REFUSED, text);
    assert.throws(() => fromAddress(text.repeat(1_000_000)), REFUSED, text);
  }
  const nested = ".a1" + "(.b2".repeat(15_000) + ".c3)".repeat(15_000) + ".d4";
  assert.throws(() => fromAddress(nested), REFUSED);
  // As many moves as fit, at once.
  const moves = Array.from({ length: 20_000 }, () => "a1");
  assert.deepEqual(fromAddress(`.${moves.join(".")}*`)[1], moves);
});

test("whatever an address has, it is refused or read as it would be written", () => {
  // A generator of its own, so that the same inputs come each time.
  let state = 1;
  const below = (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const parts = [".a1", ".b2", "(", ")", "(.c3)", "*", "'x", "'%20", "%", ".", "'", "/", "é", "\n", ".swap"];
  let read = 0;
  for (let round = 0; round < 100_000; round += 1) {
    const text = Array.from({ length: 1 + below(10) }, () => parts[below(parts.length)]).join("");
    let tree;
    try {
      [tree] = fromAddress(text);
    } catch (error) {
      assert.equal(error.message, REFUSED.message, text);
      continue;
    }
    read += 1;
    const written = toAddress(tree, null);
    assert.equal(toAddress(fromAddress(written)[0], null), written, text);
    try {
      gameOfAddress(`#hex/5/${text}`, ABOUT);
    } catch (error) {
      assert.match(error.message, /^This link does not contain a valid (game|position)/, text);
    }
  }
  assert.ok(read > 5_000, `${read} were read`);
});

test("a position that was set up", () => {
  const stones = { first: ["a1", "b2"], second: [], to_move: "second" };
  assert.equal(stonesToAddress(stones), "/a1.b2;;2");
  assert.deepEqual(stonesOfAddress("a1.b2;;2"), stones);
  assert.deepEqual([stonesToAddress(null), stonesOfAddress("")], ["", null]);
  for (const text of ["a1;b2;3", "a1", "%zz;;1"]) assert.throws(() => stonesOfAddress(text), /valid position/, text);
});

// A game of so many moves, with a variation and a comment of a length.
const sessionOf = (plies, comment) => {
  const tree = new GameTree({});
  let at = tree.root;
  for (let ply = 0; ply < plies; ply += 1) at = tree.add(at, "a1", {});
  tree.root.comment = comment;
  tree.add(tree.root, "b2", {});
  return { setup: { game: "hex", size: 5, stones: null }, tree, current: at };
};

test("an address holds the whole game, as long as it is not too long", () => {
  const short = gameOfAddress(addressOf(sessionOf(3, "hello")), ABOUT);
  assert.deepEqual([short.game, short.size, short.stones, short.current], ["hex", 5, null, ["a1", "a1", "a1"]]);
  assert.deepEqual([short.tree[2], short.tree[1].length], ["hello", 2]);
  // Comments go first, then all but the line that is shown.
  const silent = gameOfAddress(addressOf(sessionOf(3, "x".repeat(7000))), ABOUT);
  assert.deepEqual([silent.tree[2], silent.tree[1].length], [undefined, 2]);
  const bare = gameOfAddress(addressOf(sessionOf(2500, "")), ABOUT);
  assert.deepEqual([bare.tree[1].length, bare.current.length], [1, 2500]);
});

test("a friend's link says which seat is to be played", () => {
  const { setup, tree, current } = sessionOf(3, "hello");
  const players = ["red", "blue"];
  const session = { setup, tree, tip: current, players, roleOf: (player) => (player === "red" ? "person" : "friend") };
  assert.equal(addressForFriend(session), "#friend/2/hex/5/.a1.a1.a1*");
  const { seat, game, current: moves, tree: sent } = gameOfAddress(addressForFriend(session), ABOUT);
  assert.deepEqual([seat, game, moves, sent[1].length], [2, "hex", ["a1", "a1", "a1"], 1]);
  assert.equal(gameOfAddress("#hex/5/.a1", ABOUT).seat, null);
  assert.deepEqual(rolesWithFriend(players, 2), { red: "friend", blue: "person" });
  assert.throws(() => gameOfAddress("#friend/3/hex/5/.a1", ABOUT), /does not contain a valid game/);
});

test("addresses of no game, and of games that the server does not know", () => {
  assert.deepEqual([gameOfAddress("", ABOUT), gameOfAddress("#", ABOUT)], [null, null]);
  for (const hash of ["#chess/8/.e4", "#hex", "#hex/x/.a1", "#hex/-5/.a1"])
    assert.throws(() => gameOfAddress(hash, ABOUT), /does not contain a valid game/, hash);
});
