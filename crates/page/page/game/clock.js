// The players' clocks: seconds for the whole game, and some more for each move.

export class Clock {
  #left;
  #running = null;
  #since = 0;
  #isHeld = false; // stands still until the server is there again

  constructor({ seconds, increment }, players) {
    this.increment = increment;
    this.#left = Object.fromEntries(players.map((player) => [player, seconds]));
  }

  get running() {
    return this.#running;
  }

  left(player) {
    const used = player === this.#running ? (performance.now() - this.#since) / 1000 : 0;
    return Math.max(0, this.#left[player] - used);
  }

  all() {
    return Object.fromEntries(Object.keys(this.#left).map((player) => [player, this.left(player)]));
  }

  start(player) {
    this.stop();
    this.#running = player;
    this.#since = performance.now();
  }

  stop() {
    this.#left = this.all();
    this.#running = null;
  }

  // Stands still until `release`, if it runs.
  hold() {
    if (!this.#running) return;
    this.stop();
    this.#isHeld = true;
  }

  // Runs again if it was held: for a player, or for nobody.
  release(player) {
    if (this.#isHeld && player) this.start(player);
    this.#isHeld = false;
  }

  // A player has moved.
  press(player) {
    this.stop();
    this.#left[player] += this.increment;
  }

  set(left) {
    this.stop();
    this.#left = { ...left };
  }
}

export const clockTime = (seconds) => {
  if (seconds < 10) return `0:0${seconds.toFixed(1)}`.replace("0:010.0", "0:10");
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};
