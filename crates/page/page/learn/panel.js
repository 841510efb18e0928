// The view of a run: seven steps, from random play to the loop of learning, each with what happens there.

import { html } from "../board_ui/elements.js";
import { counted, oneDecimal, percent } from "../board_ui/text.js";
import { GameBoard, OpinionBoard, animate } from "./boards.js";
import { curves } from "./curves.js";
import { difference, title } from "./recipe.js";

const BOARDS = 3;

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

// A step: its heading, a text, and what is live.
const step = (heading, text, ...live) =>
  html("section", { class: "step" }, html("h3", {}, heading), html("p", {}, text), ...live);

const legend = (...names) =>
  html("p", { class: "legend" }, ...names.map(([kind, name]) => html("span", { class: kind }, name)));

export class RunPanel {
  #training;
  #first;
  #opinion;
  #boards;
  #parts = {};
  // The iteration that is looked at; null for the latest.
  #shown = null;
  #timer;
  #doing = "";

  // `game` is what the server says of it; `acts` are `play(training, entry)`, `save(training, entry)` and `forget(training)`.
  constructor(host, training, game, layout, acts) {
    this.#training = training;
    this.#first = game.seats[0].name;
    const part = (name, element) => (this.#parts[name] = element);
    const button = (name, text, act, kind = "") => {
      const made = part(name, html("button", { type: "button", class: kind }, text));
      made.addEventListener("click", act);
      return made;
    };
    const games = html("div", { class: "games" });
    this.#boards = Array.from({ length: BOARDS }, () => new GameBoard(games, layout));
    const opinion = html("div", { class: "opinion" });
    this.#opinion = new OpinionBoard(opinion, layout);
    const slider = part("slider", html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Time" }));
    slider.addEventListener("input", () => this.#look(Number(slider.value)));
    const run = { ...training.run, game };
    this.element = html(
      "article",
      { class: "run-panel" },
      html("h2", {}, title(run), html("span", { class: "quiet" }, difference(run.knobs))),
      html(
        "div",
        { class: "bar" },
        button("go", "Start", () => (training.state === "going" || training.state === "opening" ? training.rest() : training.go()), "primary"),
        part("status", html("p", { role: "status" })),
      ),
      html("div", { class: "timeline" }, slider, part("time", html("output"))),
      html(
        "div",
        { class: "steps" },
        step("1. It plays against itself", "At first it knows the rules and nothing else: its moves are as good as thrown dice. These are its latest games.", games),
        step("2. Every game is a lesson", "When a game is over, it is known who won. Each position of it becomes an example: this was played, and that came of it.", part("played", html("p", { class: "figure" }))),
        step("3. Policy: where would it play?", "The network gives every move a probability. The darker a cell, the more it likes to begin there. A cross marks an opening that it judges wrongly.", opinion),
        step("4. Value: who will win?", "It also says what it expects of a position. This is what it expects of the empty board.", part("value", html("div", { class: "value" })), part("openings", html("p"))),
        step("5. Search: it thinks ahead", "Before each move it tries out the moves that the network likes, and the answers to them. What it finds is better than what the network felt, so that is what the network learns.", part("searched", html("p", { class: "figure" }))),
        step("6. Training", "The network's numbers are changed a little, so that it would have said more of what the search found and of what happened. The error falls.", part("loss", html("div", { class: "curves" })), legend(["policy", "error of the policy"], ["outcome", "error of the value"])),
        step("7. And again", "The better network plays better games, which teach more. Its results against others, in games that are not learnt from:", part("scores", html("div", { class: "curves" })), part("legend", legend(["random", "random moves"], ["alphabeta", "a classical program"], ["right", "openings judged rightly"])), part("told", html("p"))),
      ),
      html(
        "div",
        { class: "bar" },
        button("play", "Play against it", () => acts.play(training, this.#entry)),
        button("save", "Save the network", () => acts.save(training, this.#entry)),
        button("all", "Save the run", () => acts.saveRun(training)),
        button("forget", "Delete", () => acts.forget(training)),
      ),
    );
    host.append(this.element);
    training.addEventListener("change", () => this.#show());
    training.addEventListener("event", ({ detail }) => this.#take(detail));
    this.#timer = animate(this.#boards);
    this.#show();
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

  #offered = 0;
  #take(event) {
    if (event.game) this.#boards[this.#offered++ % BOARDS].offer(event.game);
    else if (event.plays) [this.#doing, this.games, this.ofGames] = ["plays", 0, event.plays];
    else if (event.trains) [this.#doing, this.steps, this.ofSteps] = ["trains", 0, event.trains];
    if (event.game) this.games = (this.games ?? 0) + 1;
    if (event.step) this.steps = (this.steps ?? 0) + 1;
    this.#showStatus();
  }

  #showStatus() {
    const { state, entries } = this.#training;
    const words = {
      resting: entries.length ? "It rests." : "",
      opening: "One moment: the program is loading.",
      finishing: "It ends this round, then rests.",
      going: this.#doing === "trains" ? `It learns: step ${this.steps} of ${this.ofSteps}.` : `It plays: game ${this.games ?? 0} of ${this.ofGames ?? "…"}.`,
    };
    this.#parts.status.textContent = words[state];
  }

  #show() {
    const { state, entries } = this.#training;
    const isGoing = state === "going" || state === "opening";
    this.#parts.go.textContent = isGoing ? "Pause" : entries.length ? "Continue" : "Start";
    this.#parts.go.disabled = state === "finishing";
    for (const name of ["play", "save", "all"]) this.#parts[name].disabled = entries.length === 0;
    this.#showStatus();
    this.#parts.slider.max = Math.max(entries.length - 1, 0);
    this.#parts.slider.value = this.#shown ?? entries.length - 1;
    this.#parts.slider.disabled = entries.length < 2;
    this.#opinion.show(this.#entry?.exam);
    this.#showFigures();
    this.#showCurves();
  }

  #showFigures() {
    const entry = this.#entry;
    const { time, played, searched, value, openings, told } = this.#parts;
    if (!entry) return;
    const { figures, exam } = entry;
    time.textContent = `${minutes(figures.seconds)}, ${counted(figures.games, "game", "games")}`;
    const speed = figures.evaluations / figures.seconds;
    played.textContent = `${counted(figures.games, "game", "games")} so far, ${counted(figures.positions, "position", "positions")} to learn from`;
    searched.textContent = `${counted(Math.round(speed), "position", "positions")} looked at a second`;
    const bar = html("span", { class: "share" });
    bar.style.inlineSize = `${100 * exam.value}%`;
    value.replaceChildren(bar);
    value.setAttribute("role", "img");
    value.setAttribute("aria-label", `${this.#first} wins ${percent(exam.value)}`);
    value.dataset.text = `${this.#first} ${percent(exam.value)}`;
    const right = exam.openings.filter((opening) => opening.right).length;
    openings.textContent = exam.openings.length
      ? `With a proof at hand, every opening's winner is known: it judges ${right} of ${exam.openings.length} rightly.`
      : "On this board nobody knows the truth about the openings.";
    const scores = exam.scores.map(({ against, points, games }) => `${oneDecimal(points)} of ${games} against ${NAMES[against] ?? against}`);
    told.textContent = `${scores.join(", ")}.`;
  }

  #showCurves() {
    const { entries } = this.#training;
    const now = this.#entry && this.#entry.figures.seconds / 60;
    const over = (height) => entries.map((entry) => [entry.figures.seconds / 60, height(entry)]);
    const first = entries[0]?.figures.losses;
    const loss = (name) => ({ kind: name, points: first ? over(({ figures }) => Math.min(1, figures.losses[name] / (1.1 * first[name]))) : [] });
    const last = this.#entry?.figures.losses;
    const said = last ? `Error of the policy ${last.policy.toFixed(2)}, of the value ${last.outcome.toFixed(2)}` : "No error yet";
    curves(this.#parts.loss, [loss("policy"), loss("outcome")], now, said);
    const against = (name) => ({ kind: name.split(":")[0], points: over(({ exam }) => share(exam.scores.find((score) => score.against === name))) });
    const right = entries[0]?.exam.openings.length ? over(({ exam }) => exam.openings.filter((one) => one.right).length / exam.openings.length) : [];
    curves(this.#parts.scores, [against("random"), against("alphabeta:2"), { kind: "right", points: right }], now, this.#parts.told.textContent || "No results yet");
  }
}

const NAMES = { random: "random moves", "alphabeta:2": "a classical program that looks two moves ahead", earlier: "itself a round before" };

const share = (score) => (score ? score.points / score.games : 0);
