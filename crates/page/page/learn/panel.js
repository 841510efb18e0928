// The view of a run: seven steps, from random play to the loop of learning, each with what happens there. The run learns in this tab, or the
// server watches it.

import { html } from "../board_ui/elements.js";
import { capital, counted, numbers, percent, rounded } from "../board_ui/text.js";
import { GameBoard, OpeningsBoard, animate } from "./boards.js";
import { curves, legend } from "./curves.js";
import { Explorer } from "./explorer.js";
import { difference, title } from "./recipe.js";
import { LOSSES, RATINGS, RunCurves, SCORES, rightOnes } from "./runCurves.js";
import { STEPS, rules } from "./steps.js";
import { TabControls, WatchControls } from "./runControls.js";

const BOARDS = 3;

const NAMES = { random: "random moves", "alphabeta:2": "the classic program", earlier: "itself one iteration ago" };

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

const openingsText = (exam) =>
  exam.openings.length
    ? `This board is small enough to solve, so we can check who wins after each first move. The network never sees these answers. It is right about ${rightOnes(exam)} of ${exam.openings.length}; guessing gets about half. A cross marks a move that it misjudges.`
    : "This page cannot solve this board, so it cannot check the network.";

// A step: its heading, a text, and what is live.
const step = (name, ...live) => {
  const { heading, text } = STEPS[name];
  return html("section", { class: `step of-${name}` }, html("h3", {}, heading), html("p", {}, text), ...live);
};

export class RunPanel {
  #training;
  #first;
  #second;
  #opinion;
  #openings;
  #boards;
  #controls;
  #parts = {};
  // The iteration that is shown, or the last kept one before it. A number, as a long run lists fewer of its old iterations.
  #shown = Infinity;
  #timer;
  #came = 0;

  // `game` is what the server says of it; `acts`, for a run of this tab, are described in `runControls.js`.
  constructor(host, training, game, layout, acts = null) {
    this.#training = training;
    [this.#first, this.#second] = game.seats.map(({ name }) => capital(name));
    const { run, isWatched } = training;
    const heading = isWatched ? [run.name, html("span", { class: "quiet" }, run.title)] : [title({ ...run, game }), html("span", { class: "quiet" }, difference(run.knobs))];
    this.#controls = isWatched ? new WatchControls(training) : new TabControls(training, acts);
    this.element = html(
      "article",
      { class: "run-panel", "data-first": game.seats[0].name, "data-second": game.seats[1].name },
      html("h2", {}, ...heading),
      html("p", { class: "quiet" }, rules(game)),
      html("div", { class: "controls" }, this.#controls.bar, this.#timeline()),
      this.#steps(layout),
      this.#controls.actions,
      this.#part("aloud", html("p", { class: "unseen", role: "status" })),
    );
    host.append(this.element);
    training.addEventListener("change", () => this.#show());
    training.addEventListener("event", ({ detail: { game: played } }) => played && this.#takeGame(played));
    this.#timer = animate(this.#boards);
    this.#show();
  }

  #part(name, element) {
    this.#parts[name] = element;
    return element;
  }

  #timeline() {
    const slider = this.#part("slider", html("input", { type: "range", min: 0, max: 0, value: 0 }));
    slider.addEventListener("input", () => this.#look(Number(slider.value)));
    return html("label", { class: "timeline" }, "Look back", slider, this.#part("time", html("output")));
  }

  #steps(layout) {
    const { isWatched } = this.#training;
    const games = this.#part("games", html("div", { class: "games", hidden: !isWatched }));
    const draw = isWatched ? () => this.#training.nextGame() : undefined;
    this.#boards = Array.from({ length: BOARDS }, () => new GameBoard(games, layout, draw));
    const policy = html("div", { class: "explorer" });
    this.#opinion = new Explorer(policy, layout, this.#training, (opinion) => this.#showValue(opinion));
    const openings = html("div", { class: "opinion" });
    this.#openings = new OpeningsBoard(openings, layout);
    const figure = (name) => this.#part(name, html("p", { class: "figure" }));
    const chart = (name) => this.#part(name, html("div", { class: "curves" }));
    const bar = this.#part("value", html("div", { class: "value", "aria-hidden": "true" }));
    const tests = isWatched ? [] : [chart("scores"), legend(SCORES), this.#part("told", html("p"))];
    return html(
      "div",
      { class: "steps" },
      step("games", games),
      step("examples", figure("played")),
      step("policy", policy),
      step("values", figure("chance"), bar, html("div", { hidden: true }, html("p", {}, "On the empty board, in the course of the run:"), chart("values")), this.#part("openings", html("p")), openings),
      step("search", figure("searched")),
      step("training", chart("loss"), legend(LOSSES)),
      step("again", ...tests, chart("ratings"), this.#part("legend", legend(RATINGS)), this.#part("rated", html("p"))),
    );
  }

  remove() {
    clearInterval(this.#timer);
    this.element.remove();
  }

  get #entry() {
    const { stops } = this.#training;
    return stops.findLast(({ figures }) => figures.iteration <= this.#shown) ?? stops[0] ?? null;
  }

  #look(number) {
    const { stops } = this.#training;
    this.#shown = number >= stops.length - 1 ? Infinity : stops[number].figures.iteration;
    this.#show();
  }

  #takeGame(game) {
    // The boards show one size.
    if (game.size !== this.#training.run.size) return;
    this.#parts.games.hidden = false;
    this.#boards[this.#came++ % BOARDS].offer(game);
  }

  #show() {
    const { entries, stops } = this.#training;
    this.#controls.show(this.#entry);
    this.element.dataset.iterations = entries.length;
    this.#parts.slider.max = Math.max(stops.length - 1, 0);
    this.#parts.slider.value = stops.indexOf(this.#entry);
    this.#parts.slider.disabled = stops.length < 2;
    this.#opinion.show(this.#entry);
    this.#openings.show(this.#entry?.exam);
    this.#showFigures();
    this.#showCurves();
    if (this.#shown === Infinity && this.#controls.isGoing) this.#parts.aloud.textContent = `${this.#parts.time.textContent}. ${this.#parts.openings.textContent}`;
  }

  #showFigures() {
    const entry = this.#entry;
    const { time, played, searched, told } = this.#parts;
    if (!entry) return;
    const { figures, exam } = entry;
    const { run } = this.#training;
    if (figures.seconds === undefined) return;
    time.textContent = `${minutes(figures.seconds)} min, ${counted(figures.games, "game", "games")}`;
    played.textContent = `${counted(figures.games, "game", "games")} gave ${counted(figures.positions, "example", "examples")}`;
    const speed = Math.round(figures.evaluations / figures.seconds);
    searched.textContent = `${counted(run.visits ?? run.knobs.visits, "position", "positions")} a move, ${counted(speed, "position", "positions")} a second`;
    if (!told) return;
    this.#parts.openings.textContent = exam ? openingsText(exam) : "";
    const scores = exam?.scores.map(({ against, points, games }) => `${rounded(points)} of ${games} games against ${NAMES[against] ?? against}`);
    told.textContent = exam ? `${scores.join(", ")}.` : "";
  }

  #showValue(opinion) {
    const { chance, value } = this.#parts;
    chance.textContent = opinion ? `${this.#first} ${percent(opinion.value)}, ${this.#second} ${percent(1 - opinion.value)}` : "";
    const bar = html("span", { class: "share" });
    bar.style.inlineSize = `${100 * (opinion?.value ?? 0)}%`;
    value.replaceChildren(bar);
  }

  #showCurves() {
    const { loss, values, scores, told } = this.#parts;
    const drawn = new RunCurves(this.#training.entries, this.#entry);
    drawn.losses(loss, this.#entry);
    drawn.values(values, this.#first);
    if (this.#training.isWatched) return this.#showLadder();
    drawn.scores(scores, told.textContent || "No results yet");
    this.#showRating(drawn);
  }

  // Ratings by the test games.
  #showRating(drawn) {
    const { ratings, rated } = this.#parts;
    const elo = drawn.ratings(ratings, this.#entry);
    const rating = `Rating: ${numbers.format(Math.round(elo ?? 0))} Elo, random moves 0. A player 400 Elo stronger wins ten games for each one lost.`;
    const limit = "It is estimated from all test games. Once the network wins all those against random moves and the classic program, only games against itself one iteration ago tell how much it still gains, and the estimate is rough.";
    rated.textContent = elo === null ? "" : `${rating} ${limit}`;
  }

  // Ratings by the ladder of a run that is watched.
  #showLadder() {
    const { ratings, legend: names, rated } = this.#parts;
    const { run, history } = this.#training;
    const found = history.ratings.find(({ size }) => size === run.size) ?? history.ratings[0];
    ratings.hidden = names.hidden = !found;
    rated.replaceChildren(...(found ? [`Elo; ${found.anchor} is 0. Bars are 95% intervals.`] : ["No ratings yet; ", html("code", {}, `hexzero tournament ladder ${run.name}`), " plays them."]));
    if (!found) return;
    const { chart } = found;
    curves(ratings, { ...chart, unit: "steps", label: chart.title });
    names.replaceChildren(...legend(chart.series).childNodes);
  }
}
