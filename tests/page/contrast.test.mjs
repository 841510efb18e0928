// The colours of stones, sides, numbers and marks, in each colouring of the board, light and dark: text has a contrast of 4.5 to
// what lies behind it, marks one of 3.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const CSS = readFileSync(new URL("../../crates/board_ui/colours.css", import.meta.url), "utf8").replace(/\/\*.*?\*\//gs, "");
const SEATS = ["red", "blue", "green", "black", "white"];
const BOARDS = ["", "wood", "slate", "safe"];

// The rules of the file: selector and values.
const RULES = [...CSS.matchAll(/([^{}]+)\{([^}]*)\}/g)].map(([, selector, body]) => [
  selector.trim(),
  Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()])),
]);

const applies = (selector, [first, second], board) =>
  selector.split(",").some((one) => {
    const [, name, value] = /data-(\w+)(?:="(\w+)")?/.exec(one) ?? [];
    return !name || { first, second, board }[name] === value;
  });

// Returns what a name stands for: a colour as it is written.
const palette = (seats, board, isDark) => {
  const values = Object.assign({}, ...RULES.filter(([selector]) => applies(selector, seats, board)).map(([, of]) => of));
  const colour = (name) => {
    const value = values[name];
    const [, light, dark] = /^light-dark\(([^,]+), ([^)]+)\)$/.exec(value) ?? [null, value, value];
    const chosen = isDark ? dark : light;
    const [, other] = /^var\(--([\w-]+)\)$/.exec(chosen) ?? [];
    return other ? colour(other) : chosen;
  };
  return colour;
};

// The colours of all boards, light and dark, for each pair of seats: their name in a fault, and the colours by name.
const palettes = (pairs) =>
  BOARDS.flatMap((board) =>
    [false, true].flatMap((isDark) =>
      pairs.map((seats) => [`${board || "paper"}, ${isDark ? "dark" : "light"}, ${seats}`, palette(seats, board, isDark)]),
    ),
  );

// Red, green and blue in linear RGB.
const linear = (colour) => {
  assert.match(colour, /^#[0-9a-f]{6}$/);
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
};

// The contrast of two colours as `see` changes them.
const contrast = (one, other, see = (parts) => parts) => {
  const luminances = [one, other].map((colour) => {
    const [red, green, blue] = see(linear(colour));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  const [dark, light] = luminances.toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

// What lies on what.
const TEXTS = [
  ["on-first", "first"], // numbers and signs on stones, the dot of the last move
  ["on-second", "second"],
  ["on-first", "first-bar"],
  ["on-second", "second-bar"],
  ["on-nobody", "nobody"],
  ["on-nobody-light", "nobody-light"],
  ["on-accent", "accent"], // the best move
  ["ink", "raised"], // other moves
  ["quiet", "raised"],
  ["ink", "cell"], // an opening map
  ["quiet", "paper"], // names of rows and columns
];
const MARKS = [
  ["ring", "second"], // by which the second player's stones differ but for the colour
  ["first-deep", "cell"], // the edges of stones and sides
  ["second-deep", "cell"],
  ["nobody-deep", "cell"],
  ["first-deep", "paper"],
  ["second-deep", "paper"],
  ["accent", "cell"], // what may be picked
  ["accent", "raised"], // arrows, which have an edge of this colour
  ["control-edge", "raised"],
];

test("texts and marks on the board stand out in all colours", () => {
  const faults = [];
  const anySeats = SEATS.flatMap((one) => SEATS.filter((two) => two !== one).map((two) => [one, two]));
  for (const [where, colour] of palettes(anySeats))
    for (const [pairs, least] of [[TEXTS, 4.5], [MARKS, 3]])
      for (const [one, other] of pairs) {
        const found = contrast(colour(one), colour(other));
        if (found < least) faults.push(`${where}: ${one} on ${other} ${found.toFixed(2)}`);
      }
  assert.deepEqual(faults, []);
});

test("sides stand out from the page or from their frame", () => {
  const faults = [];
  for (const [where, colour] of palettes([["red", "blue"], ["blue", "red"], ["green", "red"], ["black", "white"], ["white", "black"]]))
    for (const side of ["first", "second"]) {
      const found = Math.max(...["paper", "frame"].map((other) => contrast(colour(side), colour(other))));
      if (found < 3) faults.push(`${where}: ${side} ${found.toFixed(2)}`);
    }
  assert.deepEqual(faults, []);
});

// Colours as people see them who lack one kind of cone, after Viénot, Brettel and Mollon (1999): matrices for linear RGB.
const LACKING = {
  red: [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
  green: [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
};

test("the safe colours differ in brightness for those who lack red or green cones", () => {
  for (const isDark of [false, true])
    for (const matrix of Object.values(LACKING)) {
      const colour = palette(["red", "blue"], "safe", isDark);
      const see = (parts) => matrix.map((row) => row.reduce((sum, share, i) => sum + share * parts[i], 0));
      assert.ok(contrast(colour("first"), colour("second"), see) > 1.8, `${isDark}`);
    }
});
