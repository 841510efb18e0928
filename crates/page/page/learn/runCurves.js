// The curves of a run: errors, chances, results of test games and ratings.

import { percent } from "../board_ui/text.js";
import { curves } from "./curves.js";
import { rate } from "./elo.js";

const UNITS = [["s", 1], ["min", 60], ["h", 3600], ["d", 86_400]];
// Runs that are longer than this in one unit are shown in the next larger one.
const MAX_SHOWN = 180;

// The unit of time of the curves for a run of this length, and its seconds.
export const unitFor = (seconds) => UNITS.find(([, size]) => seconds <= MAX_SHOWN * size) ?? UNITS.at(-1);

export const LOSSES = [{ kind: "policy", name: "policy" }, { kind: "outcome", name: "value" }];
export const SCORES = [
  { kind: "random", name: "against random moves" },
  { kind: "alphabeta", name: "against a classic program that looks two moves ahead" },
  { kind: "right", name: "first moves judged correctly" },
];
export const RATINGS = [{ kind: "right", name: "the network" }, { kind: "alphabeta", name: "the classic program" }];

export const rightOnes = ({ openings }) => openings.filter(({ right }) => right).length;

const share = (score) => (score ? score.points / score.games : 0);

// Rounds the top of an axis of ratings up.
const roundUp = (elo) => Math.max(200, 200 * Math.ceil(elo / 200));

// Draws the curves of a run, over its iterations. `now` is the entry that is shown.
export class RunCurves {
  #entries;
  #axis;

  constructor(entries, now) {
    this.#entries = entries.filter(({ figures }) => figures.seconds !== undefined);
    const last = this.#entries.at(-1)?.figures.seconds ?? 0;
    const [unit, size] = unitFor(last);
    this.time = ({ figures }) => figures.seconds / size;
    this.#axis = { x: [0, Math.max(last, 1) / size], unit, now: now?.figures.seconds === undefined ? null : this.time(now) };
  }

  #over(entries, height) {
    return entries.map((entry) => [this.time(entry), height(entry)]);
  }

  get #examined() {
    return this.#entries.filter(({ exam }) => exam);
  }

  // Draws each part of the loss, relative to its value in the first iteration.
  losses(host, entry) {
    const withLosses = this.#entries.filter(({ figures }) => figures.losses);
    const first = withLosses[0]?.figures.losses;
    const part = ({ kind, name }) => ({ kind, name, points: this.#over(withLosses, ({ figures }) => Math.min(1, figures.losses[kind] / first[kind])) });
    const last = entry?.figures.losses;
    const label = last ? `Error of the policy ${last.policy?.toFixed(2)}, of the value ${last.outcome?.toFixed(2)}` : "No error yet";
    curves(host, { ...this.#axis, series: LOSSES.filter(({ kind }) => first?.[kind]).map(part), y: [0, 1], top: "at first", label });
  }

  // The first player's chance on the empty board.
  values(host, first) {
    const points = this.#over(this.#examined, ({ exam }) => exam.value);
    const label = points.length ? `${first}'s chance on the empty board, now ${percent(points.at(-1)[1])}` : "No estimate yet";
    host.parentElement.hidden = points.length < 2;
    curves(host, { ...this.#axis, series: [{ kind: "first", name: first, points }], y: [0, 1], top: "100%", label });
  }

  scores(host, label) {
    const examined = this.#examined;
    const against = (name) => this.#over(examined, ({ exam }) => share(exam.scores.find((score) => score.against === name)));
    const right = examined[0]?.exam.openings.length ? this.#over(examined, ({ exam }) => rightOnes(exam) / exam.openings.length) : [];
    const points = [against("random"), against("alphabeta:2"), right];
    curves(host, { ...this.#axis, series: SCORES.map((one, i) => ({ ...one, points: points[i] })), y: [0, 1], top: "100%", label });
  }

  // Returns the rating of the entry that is looked at, or null.
  ratings(host, entry) {
    const examined = this.#examined.filter(({ exam }) => exam.scores.length);
    const { networks, program } = rate(examined.map(({ exam }) => exam.scores));
    const at = networks[examined.indexOf(entry)] ?? null;
    const points = this.#over(examined, () => 0).map(([time], i) => [time, networks[i]]);
    const level = points.length ? [[0, program], [this.#axis.x[1], program]] : [];
    const y = [Math.min(0, ...networks.map((elo) => -roundUp(-elo)).filter((elo) => elo < -200)), roundUp(Math.max(0, program, ...networks))];
    const label = at === null ? "No rating yet" : `Rated ${Math.round(at)} Elo, the classic program ${Math.round(program)}`;
    curves(host, { ...this.#axis, series: [{ ...RATINGS[0], points }, { ...RATINGS[1], points: level }], y, label });
    return at;
  }
}
