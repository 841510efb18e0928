// What can be done with a run, and how far it is: start and pause, play, save; or for one that the server watches, what to type.

import { html } from "../board_ui/elements.js";
import { counted } from "../board_ui/text.js";
import { textButton } from "../panels/controls.js";

// Controls of a run that learns in this tab.
export class TabControls {
  #training;
  #buttons = {};
  #progress = html("p", { class: "progress" });
  #entry = null;
  // What it does in this iteration, and how far it is.
  #doing = null;

  // `acts` are `play(training, entry)`, `save(training, entry)`, `saveRun(training)`, `copyLink(training)` and `forget(training)`.
  constructor(training, acts) {
    this.#training = training;
    const press = () => (this.isGoing ? training.rest() : training.go());
    this.bar = html("div", { class: "bar" }, this.#button("go", "Start", press, "primary"), this.#progress);
    this.actions = html(
      "div",
      { class: "bar" },
      this.#button("play", "Play against it", () => acts.play(training, this.#entry)),
      this.#button("save", "Save the network", () => acts.save(training, this.#entry)),
      this.#button("all", "Save the run", () => acts.saveRun(training)),
      // A link has room for the settings that this page offers.
      training.run.knobs ? this.#button("link", "Copy a link to these settings", () => acts.copyLink(training)) : null,
      this.#button("forget", "Delete this run", () => acts.forget(training), "last"),
    );
    training.addEventListener("event", ({ detail }) => this.#take(detail));
    training.addEventListener("change", () => (this.#doing = null));
  }

  get isGoing() {
    return ["going", "opening"].includes(this.#training.state);
  }

  show(entry) {
    this.#entry = entry;
    const { state, entries } = this.#training;
    this.#buttons.go.textContent = this.isGoing ? "Pause" : entries.length ? "Continue" : "Start";
    this.#buttons.go.disabled = state === "finishing";
    for (const name of ["play", "save", "all"]) this.#buttons[name].disabled = entries.length === 0;
    this.#showProgress();
  }

  #button(name, text, act, kind = null) {
    const press = async () => {
      try {
        await act();
      } catch (error) {
        this.#training.fire("failed", error);
      }
    };
    this.#buttons[name] = textButton(text, press, kind);
    return this.#buttons[name];
  }

  #take(event) {
    if (event.plays) this.#doing = { what: "self-play, game", done: 0, of: event.plays };
    else if (event.trains) this.#doing = { what: "training, step", done: 0, of: event.trains };
    else if (this.#doing && (event.game || event.step)) this.#doing.done += 1;
    this.#showProgress();
  }

  #showProgress() {
    const { state, entries } = this.#training;
    const { what, done, of } = this.#doing ?? {};
    const words = {
      resting: entries.length ? "Paused." : "",
      opening: "Loading …",
      finishing: "Pausing after this iteration …",
      going: what ? `Iteration ${entries.length + 1}: ${what} ${done} of ${of}` : "Testing …",
    };
    this.#progress.textContent = words[state];
  }
}

// Controls of a run that the server watches.
export class WatchControls {
  #run;
  #progress = html("p", { class: "progress", role: "status" });
  isGoing = false;

  constructor(run) {
    this.#run = run;
    this.bar = html("div", { class: "bar" }, this.#progress);
    this.actions = html("p");
  }

  show(entry) {
    const { entries, run } = this.#run;
    const last = entries.at(-1)?.figures;
    this.#progress.textContent = last ? `Iteration ${last.iteration}, ${counted(last.games, "game", "games")}. The page follows the run.` : "No iteration is finished yet.";
    if (!entry) return;
    const file = `step-${String(entry.figures.step).padStart(8, "0")}.safetensors`;
    this.actions.replaceChildren(`Play against the network of step ${entry.figures.step}: `, html("code", {}, `hexzero serve --model ${run.name}/checkpoints/${file}`));
  }
}
