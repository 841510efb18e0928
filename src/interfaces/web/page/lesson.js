// "How to play": the rules in a few pictures. The text is for people; the rules themselves are the server's.

import { chainLinks, frame, ground, stone, viewBox } from "./board.js";
import { html, svg } from "./elements.js";
import { Geometry, RADIUS, cellOf, hexagon } from "./geometry.js";
import { capital } from "./words.js";

const picture = (size, label, { first = [], second = [], taken = [], here = null, chain = [] }) => {
  const geometry = new Geometry(size);
  const put = (name) =>
    `translate(${geometry
      .centre(cellOf(name, size))
      .map((part) => part.toFixed(2))
      .join(" ")})`;
  const stones = (names, owner) =>
    names.map((name) => svg("g", { class: "cell", "data-owner": owner, transform: put(name) }, stone()));
  const ghosts = taken.map((name) =>
    svg("g", { class: "ghost", transform: put(name) }, svg("circle", { class: "trace", r: RADIUS * 0.66 })),
  );
  const mark = here ? [svg("path", { class: "hint", d: hexagon(RADIUS * 0.9), transform: put(here) })] : [];
  return svg(
    "svg",
    { class: "board still", viewBox: viewBox(geometry.box), role: "img", "aria-label": label },
    frame(geometry),
    ground(geometry),
    ...chainLinks(geometry, chain, "first"),
    ...stones(first, "first"),
    ...stones(second, "second"),
    ...ghosts,
    ...mark,
  );
};

const part = (title, text, ...pictures) =>
  html("section", {}, html("h3", {}, title), html("p", {}, text), html("div", { class: "pictures" }, ...pictures));

const caption = (picture, text) => html("figure", {}, picture, html("figcaption", {}, text));

const goal = ({ players: [first, second] }) =>
  part(
    "Join your two sides",
    `Take turns to place a stone on an empty cell. ${capital(first)} moves first. A chain of your stones between the two sides of your colour wins.`,
    caption(
      picture(5, `A chain of ${first} from side to side`, {
        first: ["c1", "c2", "b3", "b4", "a5"],
        second: ["b2", "d2", "d1", "a4"],
        chain: ["c1", "c2", "b3", "b4", "a5"],
      }),
      `${capital(first)} wins; ${second} would have to join the other two sides`,
    ),
  );

const captures = () =>
  part(
    "Capture",
    "Four cells that touch in a diamond hold two pairs of opposite corners. Complete a pair of your own around a pair of the enemy, and both enemy stones come off. Your own move never loses stones of yours.",
    caption(
      picture(4, "Red at c1, blue at b2 and c2; red may play b3", { first: ["c1"], second: ["b2", "c2"], here: "b3" }),
      "Red plays b3 …",
    ),
    caption(
      picture(4, "Red at c1 and b3; the stones at b2 and c2 are gone", { first: ["c1", "b3"], taken: ["b2", "c2"] }),
      "… and takes both blue stones",
    ),
    caption(
      picture(4, "Red at c1 and b2, blue at c2 and b3: no capture", { first: ["c1", "b2"], second: ["c2", "b3"] }),
      "Beside, not opposite: nothing happens",
    ),
  );

const swap = ({ players: [first, second] }) =>
  part(
    "Swap",
    `Moving first is an advantage. So ${second} may take over the first stone instead of placing one: it becomes ${second}'s, mirrored to ${second}'s sides. Then ${first} moves again.`,
    caption(picture(4, `${first} at c1`, { first: ["c1"] }), `${capital(first)} opens with c1`),
    caption(picture(4, `${second} at a3`, { second: ["a3"] }), `${capital(second)} swaps`),
  );

const more = (game) => {
  const notes = [];
  if (game.name === "cachex")
    notes.push(
      "The first move may not take the exact centre.",
      "A position that occurs for the seventh time, and move 343, make a draw.",
    );
  if (game.name.startsWith("hex")) notes.push("Stones stay where they are, and there is no draw.");
  return html("p", { class: "quiet" }, notes.join(" "));
};

export const teach = (host, game) => {
  host.replaceChildren(
    goal(game),
    ...(game.name === "cachex" ? [captures(game)] : []),
    ...(game.name === "hex-noswap" ? [] : [swap(game)]),
    more(game),
  );
};
