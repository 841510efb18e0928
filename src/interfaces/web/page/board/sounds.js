// Small tones for moves, captures and the end of a game, if somebody wants them. They are made here: there is no file.

import { captured } from "../board_ui/changes.js";

const LOUDNESS = 0.06;

// Tones as pairs: a frequency in hertz, and when it begins, in seconds.
const MOVES = [[[330, 0]], [[262, 0]]]; // of the first player, of the second
const CAPTURE = [[392, 0], [196, 0.07]];
const END = [[392, 0], [494, 0.12], [587, 0.24]];
const LENGTH = 0.12;

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
      // What was switched on is heard at once.
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
    // A browser keeps quiet until somebody has clicked somewhere.
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
