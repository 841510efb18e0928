// All figures of a run that the server watches: curves, ratings, calibration, boards, games, cluster and recipe.

import { html, tableOf } from "../board_ui/elements.js";
import { commas, counted, numbers, percent } from "../board_ui/text.js";
import { Cluster } from "./cluster.js";
import { curves, legend } from "./curves.js";
import { GameViewer } from "./gameViewer.js";

const figure = (chart, unit) => {
  const host = html("div", { class: "curves" });
  curves(host, { ...chart, unit, label: chart.title });
  const names = chart.series.length > 1 ? legend(chart.series) : "";
  return html("figure", {}, html("figcaption", {}, chart.title), host, names);
};

const table = (titles, rows) =>
  html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table" }, html("table", {}, ...tableOf(titles, rows)));

const facts = ({ iterations, problems }) => {
  const last = iterations.at(-1) ?? {};
  const counts = ["step", "games", "positions", "evaluations"].filter((name) => last[name] !== undefined);
  const names = { step: "training steps", games: "games of self-play", positions: "training positions", evaluations: "evaluations" };
  const shown = counts.map((name) => `${numbers.format(last[name])} ${names[name]}`);
  const backend = last.evaluation ? [`evaluated with ${last.evaluation}`] : [];
  return [html("p", {}, commas([...shown, ...backend])), ...problems.map((text) => html("p", { class: "problem" }, text))];
};

const charts = ({ charts: all }) => (all.length ? [html("div", { class: "charts" }, ...all.map((chart) => figure(chart, "games")))] : [html("p", {}, "No iteration is finished yet.")]);

const ratings = ({ ratings: all }, { name }) => {
  const elo = (value) => numbers.format(Math.round(value));
  const ladder = ({ chart, rows, anchor }) => [
    html("div", { class: "charts beside" }, figure(chart, "steps"), table(["player", `Elo (${anchor} is 0)`, "95% from", "to"], rows.map(([player, ...found]) => [player, ...found.map(elo)]))),
  ];
  return all.length ? all.flatMap(ladder) : [html("p", {}, "No ratings yet; ", html("code", {}, `hexzero tournament ladder ${name}`), " plays the games.")];
};

const calibration = ({ calibration: { iterations, positions, network, search, chart } }) => {
  if (!positions) return [html("p", {}, "There are no positions yet.")];
  const share = (value) => (value === null ? "" : percent(value));
  const row = (_, i) => [`${(100 * i) / network.length}–${(100 * (i + 1)) / network.length}%`, ...[network[i], search[i]].flatMap(([count, expected, score]) => [numbers.format(count), share(expected), share(score)])];
  const titles = ["expected", ...["network", "search"].flatMap((who) => [`${who}: positions`, "expected", "score"])];
  return [
    html("div", { class: "charts beside" }, figure(chart, "expected"), table(titles, network.map(row))),
    html("p", { class: "quiet" }, `One position of each game of the last ${counted(iterations, "iteration", "iterations")}, ${numbers.format(positions)} in all: the expected score of the player to move against the score of the game, a draw counting half. On the dashed line the two agree. Bars are 95% intervals.`),
  ];
};

const boards = ({ boards: { titles, rows } }) => [rows.length ? table(titles, rows) : html("p", {}, "There are no games yet.")];

const PARTS = [
  ["Figures", facts],
  ["Curves", charts],
  ["Elo of the checkpoints", ratings],
  ["Calibration of the values", calibration],
  ["Boards of the last iteration", boards],
];

export class RunReport {
  #run;
  #parts;
  #recipe = html("pre", { tabindex: 0 });
  #viewer;

  constructor(host, run, game) {
    this.#run = run;
    this.#parts = PARTS.map(([title, fill]) => {
      const contents = html("div", { class: "part" });
      host.append(html("section", { class: "report" }, html("h2", {}, title), contents));
      return { contents, fill };
    });
    this.#viewer = new GameViewer(host, run, game);
    new Cluster(host);
    host.append(html("section", { class: "report" }, html("h2", {}, "Recipe"), html("details", {}, html("summary", {}, "recipe.toml"), this.#recipe)));
    run.addEventListener("change", () => this.#show());
    this.#show();
  }

  #show() {
    const { history, run } = this.#run;
    for (const { contents, fill } of this.#parts) contents.replaceChildren(...fill(history, run));
    this.#viewer.offer(history);
    this.#recipe.textContent = history.recipe;
  }
}
