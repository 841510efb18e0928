// The view of a run: seven steps, from random play to the loop of learning, each with what happens there.

import { html } from "../board_ui/elements.js";
import { capital, counted, percent, rounded } from "../board_ui/text.js";
import { GameBoard, OpeningsBoard, PolicyBoard, animate } from "./boards.js";
import { curves } from "./curves.js";
import { difference, title } from "./recipe.js";
import { STEPS, rules } from "./steps.js";

const BOARDS = 3;

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// A step: its heading, a text, and what is live.
const step = (name, ...live) => {
  const { heading, text } = STEPS[name];
  return html("section", { class: `step of-${name}` }, html("h3", {}, heading), html("p", {}, text), ...live);
};

const legend = (...names) =>
  html("p", { class: "legend" }, ...names.map(([kind, name]) => html("span", { class: kind }, name)));

export class RunPanel {
  #training;
  #first;
  #second;
  #policy;
  #openings;
  #boards;
  #parts = {};
  // The iteration that is looked at; null for the latest.
  #shown = null;
  #timer;
  // What it does in this iteration, and how far it is.
  #doing = null;

  // `game` is what the server says of it; `acts` are `play(training, entry)`, `save(training, entry)`, `saveRun(training)`,
  // `copyLink(training)` and `forget(training)`.
  constructor(host, training, game, layout, acts) {
    this.#training = training;
    [this.#first, this.#second] = game.seats.map(({ name }) => capital(name));
    const run = { ...training.run, game };
    this.element = html(
      "article",
      { class: "run-panel", "data-first": game.seats[0].name, "data-second": game.seats[1].name },
      html("h2", {}, title(run), html("span", { class: "quiet" }, difference(run.knobs))),
      html("p", { class: "quiet" }, rules(game)),
      this.#controls(),
      this.#steps(layout),
      this.#actions(acts),
      this.#part("aloud", html("p", { class: "unseen", role: "status" })),
    );
    host.append(this.element);
    training.addEventListener("change", () => {
      this.#doing = null;
      this.#show();
    });
    training.addEventListener("event", ({ detail }) => this.#take(detail));
    this.#timer = animate(this.#boards);
    this.#show();
  }

  #part(name, element) {
    this.#parts[name] = element;
    return element;
  }

  #button(name, text, act, kind = "") {
    const button = this.#part(name, html("button", { type: "button", class: kind }, text));
    button.addEventListener("click", async () => {
      try {
        await act();
      } catch (error) {
        this.#training.dispatchEvent(new CustomEvent("failed", { detail: error }));
      }
    });
    return button;
  }

  #controls() {
    const training = this.#training;
    const press = () => (["going", "opening"].includes(training.state) ? training.rest() : training.go());
    const slider = this.#part("slider", html("input", { type: "range", min: 0, max: 0, value: 0 }));
    slider.addEventListener("input", () => this.#look(Number(slider.value)));
    return html(
      "div",
      { class: "controls" },
      html("div", { class: "bar" }, this.#button("go", "Start", press, "primary"), this.#part("progress", html("p", { class: "progress" }))),
      html("label", { class: "timeline" }, "Look back", slider, this.#part("time", html("output"))),
    );
  }

  #steps(layout) {
    const games = this.#part("games", html("div", { class: "games", hidden: true }));
    this.#boards = Array.from({ length: BOARDS }, () => new GameBoard(games, layout));
    const policy = html("div", { class: "opinion" });
    this.#policy = new PolicyBoard(policy, layout);
    const openings = html("div", { class: "opinion" });
    this.#openings = new OpeningsBoard(openings, layout);
    const figure = (name) => this.#part(name, html("p", { class: "figure" }));
    const chart = (name) => this.#part(name, html("div", { class: "curves" }));
    const bar = this.#part("value", html("div", { class: "value", "aria-hidden": "true" }));
    return html(
      "div",
      { class: "steps" },
      step("games", games),
      step("examples", figure("played")),
      step("policy", policy),
      step("values", figure("chance"), bar, this.#part("openings", html("p")), openings),
      step("search", figure("searched")),
      step("training", chart("loss"), legend(["policy", "policy"], ["outcome", "value"])),
      step(
        "again",
        chart("scores"),
        legend(["random", "against random moves"], ["alphabeta", "against a classic program (alpha-beta, depth 2)"], ["right", "first moves judged correctly"]),
        this.#part("told", html("p")),
      ),
    );
  }

  #actions(acts) {
    const training = this.#training;
    return html(
      "div",
      { class: "bar" },
      this.#button("play", "Play against it", () => acts.play(training, this.#entry)),
      this.#button("save", "Save the network", () => acts.save(training, this.#entry)),
      this.#button("all", "Save the run", () => acts.saveRun(training)),
      this.#button("link", "Copy a link to these settings", () => acts.copyLink(training)),
      this.#button("forget", "Delete this run", () => acts.forget(training), "last"),
    );
  }

  // Takes the panel away.
  remove() {
    clearInterval(this.#timer);
    this.element.remove();
  }

  get #entry() {
    const { entries } = this.#training;
    return entries[this.#shown ?? entries.length - 1] ?? null;
  }

  #look(number) {
    this.#shown = number >= this.#training.entries.length - 1 ? null : number;
    this.#show();
  }

  #take(event) {
    const doing = this.#doing;
    if (event.plays) this.#doing = { what: "plays", done: 0, of: event.plays };
    else if (event.trains) this.#doing = { what: "trains", done: 0, of: event.trains };
    else if (doing && (event.game || event.step)) doing.done += 1;
    if (event.game) {
      this.#parts.games.hidden = false;
      this.#boards[(doing?.done ?? 0) % BOARDS].offer(event.game);
    }
    this.#showProgress();
  }

  #showProgress() {
    const { state, entries } = this.#training;
    const { what, done, of } = this.#doing ?? {};
    const number = entries.length + 1;
    const words = {
      resting: entries.length ? "Paused." : "",
      opening: "Loading …",
      finishing: "Pausing after this iteration …",
      going: what === "trains" ? `Iteration ${number}: training, step ${done} of ${of}` : what ? `Iteration ${number}: self-play, game ${done} of ${of}` : "Testing …",
    };
    this.#parts.progress.textContent = words[state];
  }

  #show() {
    const { state, entries } = this.#training;
    const isGoing = state === "going" || state === "opening";
    this.#parts.go.textContent = isGoing ? "Pause" : entries.length ? "Continue" : "Start";
    this.#parts.go.disabled = state === "finishing";
    for (const name of ["play", "save", "all"]) this.#parts[name].disabled = entries.length === 0;
    this.#showProgress();
    this.element.dataset.iterations = entries.length;
    this.#parts.slider.max = Math.max(entries.length - 1, 0);
    this.#parts.slider.value = this.#shown ?? entries.length - 1;
    this.#parts.slider.disabled = entries.length < 2;
    this.#policy.show(this.#entry?.exam);
    this.#openings.show(this.#entry?.exam);
    this.#showFigures();
    this.#showCurves();
    if (this.#shown === null && isGoing) this.#parts.aloud.textContent = `${this.#parts.time.textContent}. ${this.#parts.openings.textContent}`;
  }

  #showFigures() {
    const entry = this.#entry;
    const { time, played, searched, told } = this.#parts;
    if (!entry) return;
    const { figures, exam } = entry;
    time.textContent = `${minutes(figures.seconds)} min, ${counted(figures.games, "game", "games")}`;
    played.textContent = `${counted(figures.games, "game", "games")} gave ${counted(figures.positions, "example", "examples")}`;
    const speed = Math.round(figures.evaluations / figures.seconds);
    searched.textContent = `${counted(this.#training.run.knobs.visits, "position", "positions")} a move, ${counted(speed, "position", "positions")} a second`;
    if (!exam) return;
    this.#showValue(exam);
    const scores = exam.scores.map(({ against, points, games }) => `${rounded(points)} of ${games} games against ${NAMES[against] ?? against}`);
    told.textContent = `${scores.join(", ")}.`;
  }

  #showValue(exam) {
    const { chance, value, openings } = this.#parts;
    chance.textContent = `${this.#first} ${percent(exam.value)}, ${this.#second} ${percent(1 - exam.value)}`;
    const bar = html("span", { class: "share" });
    bar.style.inlineSize = `${100 * exam.value}%`;
    value.replaceChildren(bar);
    openings.textContent = exam.openings.length
      ? `This board is small enough to solve, so we can check who wins after each first move. The network never sees these answers. It is right about ${rightOnes(exam)} of ${exam.openings.length}; guessing gets about half. A cross marks a move that it misjudges.`
      : "This page cannot solve this board, so it cannot check the network.";
  }

  #showCurves() {
    const { entries } = this.#training;
    const now = this.#entry && this.#entry.figures.seconds / 60;
    const over = (height) => entries.map((entry) => [entry.figures.seconds / 60, height(entry)]);
    const first = entries[0]?.figures.losses;
    const loss = (name) => ({ kind: name, points: first ? over(({ figures }) => Math.min(1, figures.losses[name] / first[name])) : [] });
    const last = this.#entry?.figures.losses;
    const said = last ? `Error of the policy ${last.policy.toFixed(2)}, of the value ${last.outcome.toFixed(2)}` : "No error yet";
    curves(this.#parts.loss, [loss("policy"), loss("outcome")], now, "at first", said);
    // Iterations of the program are not examined.
    const examined = entries.filter(({ exam }) => exam);
    const ofExam = (height) => examined.map((entry) => [entry.figures.seconds / 60, height(entry.exam)]);
    const against = (name) => ({ kind: name.split(":")[0], points: ofExam((exam) => share(exam.scores.find((score) => score.against === name))) });
    const right = examined[0]?.exam.openings.length ? ofExam((exam) => rightOnes(exam) / exam.openings.length) : [];
    curves(this.#parts.scores, [against("random"), against("alphabeta:2"), { kind: "right", points: right }], now, "100%", this.#parts.told.textContent || "No results yet");
  }
}

const NAMES = { random: "random moves", "alphabeta:2": "alpha-beta", earlier: "itself one iteration ago" };

const rightOnes = ({ openings }) => openings.filter(({ right }) => right).length;

const share = (score) => (score ? score.points / score.games : 0);
