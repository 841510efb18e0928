import assert from "node:assert/strict";
import test from "node:test";

import { load } from "./page.mjs";

const { GameTree } = await load("game/gameTree.js");
const { ENGINE, PERSON, boardTitle, sizeText } = await load("game/games.js");
const sentences = await load("text/sentences.js");
const { status } = await load("text/status.js");
const { versus } = await load("dialogs/annotations.js");

const GAME = {
  title: "Hex",
  boards: { least: 3, most: 19, meaning: "rows" },
  seats: [
    { name: "red", goal: "joins top and bottom", task: "Join top and bottom." },
    { name: "blue", goal: "joins the sides", task: "Join the sides." },
  ],
  actions: [
    { word: "swap", kind: "swap", label: "Swap", offer: "Take the stone over?", done: "swaps: the stone is theirs", suffered: "Go on." },
    { word: "pass", kind: "pass", label: "Pass", offer: "You may pass.", done: "passes", suffered: "Your turn again." },
  ],
  endings: [{ key: "connection", words: "the sides are joined" }],
};

const LAYOUT = { places: [{ label: "a1" }, { label: "b2" }, { label: "c3" }] };

const state = (rest) => ({ pieces: [null, null, null], changes: [], legal: [], outcome: null, to_move: "red", ...rest });

// A game after some states, with what is needed of a session.
const sessionOf = (states, rest = {}) => {
  const tree = new GameTree(state({}));
  let tip = tree.root;
  for (const one of states) tip = tree.add(tip, one.move, state(one));
  return {
    game: GAME,
    layout: LAYOUT,
    setup: {},
    players: ["red", "blue"],
    current: tip,
    tip,
    roleOf: (player) => (player === "red" ? PERSON : ENGINE),
    levelOf: () => "casual",
    effortOf: () => ({}),
    result: null,
    ...rest,
  };
};

const OPENING = { move: "a1", player: "red", to_move: "blue", changes: [{ placed: 0 }], pieces: [{ owner: 0 }, null, null] };

test("boards by name", () => {
  assert.deepEqual([sizeText(GAME, 11), boardTitle(GAME, 11), sentences.playing(GAME, 11)], ["11 rows", "Hex 11", "Hex, 11 rows"]);
  const only = { ...GAME, boards: { ...GAME.boards, most: 3 } };
  assert.deepEqual([sizeText(only, 3), boardTitle(only, 3), sentences.playing(only, 3)], ["", "Hex", "Hex"]);
  assert.equal(sentences.boardLabel(GAME, 5), "Board, 5 rows. Red joins top and bottom, blue joins the sides.");
});

test("whose turn it is", () => {
  const start = sessionOf([]);
  assert.deepEqual(status(start), { title: "You are red", text: "Join top and bottom." });
  const withSwap = status({ ...start, game: { ...GAME, swaps: true } });
  assert.equal(withSwap.text, "Join top and bottom. Blue may take over a strong first stone.");
  const allPeople = { ...start, allPeople: true };
  assert.equal(status(allPeople).title, "Red begins");
  const thinking = status(sessionOf([OPENING]));
  assert.deepEqual(thinking, { title: "The engine is thinking", text: "Red played a1.", busy: true });
  const reply = { move: "b2", player: "blue", to_move: "red", changes: [{ placed: 1 }] };
  assert.deepEqual(status(sessionOf([OPENING, reply])), { title: "Your turn", text: "Blue played b2." });
  const again = { ...reply, player: "red" };
  assert.equal(status(sessionOf([OPENING, again])).title, "Your turn again");
});

test("a swap is a question, and what a button did has words of its own", () => {
  const swap = { name: "swap", picks: [{ button: 0 }] };
  const offered = sessionOf([{ ...OPENING, player: "blue", to_move: "red", legal: [swap] }]);
  assert.deepEqual(status(offered), { title: "You may swap", text: "Take the stone over?" });
  const suffered = sessionOf([OPENING, { move: "swap", player: "blue", to_move: "red" }]);
  assert.deepEqual(status(suffered), { title: "Your turn", text: "Blue swaps. Go on." });
  assert.equal(sentences.moveAnnouncement(suffered, suffered.current), "Blue swaps: the stone is theirs.");
});

test("captures and turned pieces are told of by their places", () => {
  const taking = {
    ...OPENING, move: "c3", player: "blue", to_move: "red",
    changes: [{ placed: 2 }, { removed: 0 }, { recoloured: 1 }], pieces: [null, { owner: 1 }, { owner: 1 }],
  };
  const before = { ...OPENING, pieces: [{ owner: 0 }, { owner: 0 }, null] };
  const session = sessionOf([before, taking]);
  assert.equal(status(session).text, "Blue played c3, capturing a1, taking over b2.");
  assert.equal(sentences.moveAnnouncement(session, session.current), "Blue plays c3, captures a1 and takes over b2.");
});

test("how a game ended", () => {
  const over = { ...OPENING, to_move: null, outcome: { winner: "red", reason: "connection" } };
  const won = sessionOf([over], { result: over.outcome });
  assert.deepEqual(status(won), { title: "You win", text: "The sides are joined." });
  assert.equal(sentences.ending(won, won.result), "Red wins: the sides are joined.");
  const resigned = sessionOf([OPENING], { result: { winner: "blue", loser: "red", reason: "resignation" } });
  assert.deepEqual(status(resigned), { title: "The engine wins", text: "Red resigns." });
  const late = sessionOf([OPENING], { allPeople: true, result: { winner: "blue", loser: "red", reason: "time" } });
  assert.deepEqual(status(late), { title: "Blue wins", text: "Red ran out of time." });
  const drawn = sessionOf([OPENING], { result: { winner: null, reason: "unheard of" } });
  assert.deepEqual(status(drawn), { title: "A draw", text: "The game is over." });
  assert.equal(sentences.ending(drawn, drawn.result), "Draw: the game is over.");
});

test("certain results", () => {
  const values = [["won", 5], ["lost", 2], ["drawn", 0], ["won", 0]].map(([value, plies]) => sentences.certain({ value, plies }));
  assert.deepEqual(values, ["wins in 5", "loses in 2", "draws", "wins"]);
});

test("who plays", () => {
  const session = sessionOf([]);
  assert.deepEqual([sentences.playerName(session, "red"), sentences.playerName(session, "blue")], ["You", "Engine, casual"]);
  const full = (effort) => ({ ...session, levelOf: () => "full", effortOf: () => effort });
  assert.equal(sentences.playerName(full({ visits: 3200 }), "blue"), "Engine, 3,200 visits per move");
  assert.equal(sentences.playerName(full({ seconds: 0.5 }), "blue"), "Engine, 0.5 s per move");
  assert.equal(sentences.playerName(full({}), "blue"), "Engine");
  const named = { ...session, allPeople: true, setup: { labels: { players: { red: "Ann" } } } };
  assert.deepEqual([sentences.playerName(named, "red"), sentences.playerName(named, "blue")], ["Ann", "Player"]);
  const exercise = { ...named, isExercise: true };
  assert.deepEqual([sentences.playerName(exercise, "red"), sentences.playerName(exercise, "blue")], ["You", "Opponent"]);
  assert.equal(versus(GAME, { red: "Ann" }), "Ann – Blue");
  assert.equal(versus(GAME, {}), "");
});

test("pieces by name", () => {
  const name = (what) => sentences.pieceName(GAME, what);
  assert.deepEqual([{ owner: 0 }, { owner: 1, number: 3 }, { owner: null }, { owner: null, symbol: "x" }].map(name), [
    "red stone", "blue stack of 3", "neutral stone", "x stone",
  ]);
});

test("moves of several parts are told by what they change", () => {
  const layout = { places: [{ label: "a1", kind: "cell" }, { label: "b2", kind: "cell" }, { label: "c3", kind: "cell" }] };
  const says = (before, after, kind = "cell") => {
    const places = [{ label: "a1", kind }, ...layout.places.slice(1)];
    const session = sessionOf([{ ...OPENING, ...before }, { move: "m", player: "blue", to_move: "red", ...after }], { layout: { places } });
    return sentences.moveAnnouncement(session, session.current);
  };
  const [red, blue] = [0, 1].map((owner) => ({ owner }));
  assert.equal(says({ pieces: [blue, null, null] }, { changes: [{ moved: [0, 1] }], pieces: [null, blue, null] }), "Blue moves a1 to b2.");
  const spread = { changes: [{ removed: 0 }, { placed: 1 }, { recoloured: 2 }], pieces: [null, { owner: 1, number: 1 }, { owner: 1, number: 2 }] };
  assert.equal(says({ pieces: [{ owner: 1, number: 2 }, null, { owner: 0, number: 1 }] }, spread), "Blue spreads from a1 to b2 and c3 and takes over c3.");
  const spawn = { changes: [{ placed: 1 }], pieces: [red, { owner: 1, number: 1 }, null] };
  assert.equal(says({}, spawn), "Blue spawns on b2.");
  const filled = { changes: [{ placed: 0 }, { placed: 2 }], pieces: [blue, null, blue] };
  assert.equal(says({ pieces: [null, null, null] }, filled, "edge"), "Blue fills edge a1 and captures cell c3.");
  const signed = { changes: [{ placed: 1 }], pieces: [red, { owner: null, symbol: "x" }, null] };
  assert.equal(says({}, signed), "Blue puts x on b2.");
});

test("a position is told row by row", () => {
  const layout = { places: ["a1", "c1", "La2", "3,6"].map((label) => ({ label, kind: "cell" })) };
  const empty = { ...sessionOf([]), layout };
  assert.equal(sentences.positionText(empty), "Red to move. The board is empty.");
  const pieces = [{ owner: 0 }, { owner: 1 }, { owner: 0, number: 2 }, { owner: null, symbol: "x" }];
  const session = sessionOf([{ ...OPENING, pieces }], { layout });
  assert.equal(
    sentences.positionText(session),
    "Blue to move. Move 1: Red plays a1. Row 1: a1 red, c1 blue. Board L, row 2: La2 red stack of 2. Row 3: 3,6 x.",
  );
});

test("after a resignation nobody is to move, but in a variation somebody is", () => {
  const resigned = sessionOf([OPENING], { result: { winner: "blue", loser: "red", reason: "resignation" } });
  assert.match(sentences.positionText(resigned), /^Blue wins: red resigns\. Move 1: /);
  assert.match(sentences.positionText({ ...resigned, exploring: true }), /^Blue to move\. Move 1: /);
});

test("files name the engines, by level or by what they may think", () => {
  const session = (level, effort) => ({
    players: ["black", "white"],
    roleOf: (player) => (player === "white" ? ENGINE : PERSON),
    levelOf: () => level,
    effortOf: () => effort,
  });
  const named = (level, effort = {}) => sentences.engineNames(session(level, effort));
  assert.deepEqual(named("casual"), { white: "hexzero, casual" });
  assert.deepEqual(named("full", { seconds: 2 }), { white: "hexzero, 2 s per move" });
  // With a clock it has no time for each move.
  assert.deepEqual(named("full"), { white: "hexzero" });
});
