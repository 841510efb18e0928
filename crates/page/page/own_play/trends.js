// How well one plays, by game: the accuracy over time and the openings, from the games that were reviewed.

import { html, svg, tableOf } from "../board_ui/elements.js";
import { counted, percent } from "../board_ui/text.js";
import { boardTitle, gameOf, seatNames } from "../game/games.js";
import { trends } from "./reviews.js";

// The size of a curve in its own units.
const [WIDTH, HEIGHT] = [120, 28];
const MAX_OPENINGS = 8;

// The accuracies as a line, the oldest first.
const curve = (accuracies) => {
  const least = Math.min(...accuracies, 50);
  const x = (i) => (accuracies.length < 2 ? WIDTH / 2 : (i * WIDTH) / (accuracies.length - 1));
  const y = (accuracy) => HEIGHT - 2 - ((accuracy - least) / (100 - least)) * (HEIGHT - 4);
  const points = accuracies.map((accuracy, i) => `${x(i).toFixed(1)},${y(accuracy).toFixed(1)}`).join(" ");
  return svg("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, svg("polyline", { points }));
};

const accuracyText = (accuracy) => (accuracy === null ? "–" : percent(accuracy / 100));

const openingsTable = (game, openings) => {
  const players = seatNames(game);
  const row = ({ opening, begins, games, points, accuracy }) => [
    opening, players[begins ? 0 : 1], String(games), points === null ? "–" : percent(points), accuracyText(accuracy),
  ];
  const titles = ["Opening", "You play", "Games", "Score", "Accuracy"];
  return html("table", {}, ...tableOf(titles, openings.slice(0, MAX_OPENINGS).map(row)));
};

const section = (about, { game: id, size, all, latest, before, curve: accuracies, openings }) => {
  const game = gameOf(about, id);
  const change = before.games ? `, the last ${latest.games} ${accuracyText(latest.accuracy)}, before ${accuracyText(before.accuracy)}` : "";
  const words = `${counted(all.games, "game", "games")} reviewed: accuracy ${accuracyText(all.accuracy)}${change}.`;
  const head = html("summary", {}, html("b", {}, boardTitle(game, size)), html("span", { class: "quiet" }, words), accuracies.length > 1 ? curve(accuracies) : null);
  return html("details", { class: "trend" }, head, openingsTable(game, openings));
};

// Lists the games with reviews; empty if there are none.
export const ownPlay = (about) => trends().filter(({ game }) => gameOf(about, game)).map((trend) => section(about, trend));
