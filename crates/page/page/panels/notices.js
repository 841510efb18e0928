// Reports events: by notices beside the game, words for screen readers, tones, and the badge of the training run.

import { captured } from "../board_ui/changes.js";
import { find, showText } from "../board_ui/elements.js";
import { commas, counted, sentence } from "../board_ui/text.js";
import { run } from "../server/resources.js";

const NOTICE_MS = 6000;

// Shows notices beside the game, the state of the connection, and words for screen readers.
export class Notices {
  #timer = null;

  // Shows a text in place of the sentence about the game; `null` removes it. A passing one disappears by itself. `kind` is `warning`, or
  // `hint` for what is no fault and is announced separately.
  show(text, passing = false, kind = "warning") {
    clearTimeout(this.#timer);
    const notice = find("notice");
    notice.dataset.kind = kind;
    notice.setAttribute("role", kind === "warning" ? "alert" : "note");
    showText("notice", text);
    if (passing) this.#timer = setTimeout(() => this.show(null), NOTICE_MS);
  }

  report(error) {
    this.show(sentence(error.message), true);
  }

  // Shows a problem of the connection, in its own place, where no other notice replaces it.
  showConnection(text) {
    for (const id of ["away", "home-away"]) showText(id, text);
  }

  // Announces a text to screen readers.
  announce(text) {
    find("told").textContent = text;
  }

  // Announces a text even if it is there already: screen readers only read what changes.
  tellAgain(text) {
    this.announce("");
    setTimeout(() => this.announce(text));
  }
}

const LOUDNESS = 0.06;

// Tones as pairs: a frequency in hertz, and when it begins, in seconds.
const MOVES = [[[330, 0]], [[262, 0]]]; // of the first player, of the second
const CAPTURE = [[392, 0], [196, 0.07]];
const END = [[392, 0], [494, 0.12], [587, 0.24]];
const LENGTH = 0.12;

// Plays tones for moves, captures and the end of a game, if they are turned on. They are synthesised, so there is no file.
export class Sounds {
  #preferences;
  #context = null;

  constructor(session, preferences) {
    this.#preferences = preferences;
    session.addEventListener("moved", ({ detail: { position } }) => {
      if (!position.parent) return;
      const seat = Math.max(0, session.players.indexOf(position.state.player));
      if (position.state.outcome) this.#play(END);
      else this.#play(captured(session.game, position).length ? CAPTURE : MOVES[seat]);
    });
    preferences.addEventListener("change", () => {
      // A tone confirms that sounds are on.
      if (preferences.get("sounds") && !this.#context) this.#play(MOVES[0]);
      if (preferences.get("sounds")) return;
      this.#context?.close();
      this.#context = null;
    });
  }

  #play(tones) {
    if (!this.#preferences.get("sounds") || typeof AudioContext === "undefined") return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    // A browser plays no sound before the first click.
    context.resume?.();
    for (const [frequency, delay] of tones) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      const start = context.currentTime + delay;
      tone.type = "triangle";
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(LOUDNESS, start);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + LENGTH);
    }
  }
}

const POLL_MS = 10_000;

// Shows the badge of the training run that the server watches.
export const showTrainingRun = (name) => {
  const badge = find("run");
  let seen = null; // what had changed when somebody looked last
  let latest = null;
  const look = async () => {
    try {
      const { iterations, games, changed } = await run();
      latest = changed;
      seen ??= changed;
      const fresh = changed !== seen;
      badge.classList.toggle("fresh", fresh);
      const text = `${name}, ${counted(iterations, "iteration", "iterations")}`;
      find("run-text").textContent = text;
      badge.title = commas([text, counted(games, "game", "games")]);
      badge.setAttribute("aria-label", `Training run ${badge.title}${fresh ? ", with new iterations" : ""}`);
    } catch {
      // The server is away, which the page reports elsewhere, or cannot read the run now.
    }
  };
  badge.hidden = false;
  find("run-text").textContent = name;
  badge.addEventListener("click", () => {
    seen = latest;
    badge.classList.remove("fresh");
  });
  look();
  setInterval(look, POLL_MS);
};
