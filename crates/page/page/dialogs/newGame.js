// The dialog in which a game is chosen.

import { find, html, showText } from "../board_ui/elements.js";
import { capital, sentence } from "../board_ui/text.js";
import { ENGINE, FRIEND, MOVE, NONE, PERSON, gameOf, handicapNote, handicapsOf, rolesWithFriend, seatNames, sizeText } from "../game/games.js";
import { hasPlayed } from "../game/savedGames.js";
import { chosen, segments } from "../panels/controls.js";

const levelNote = (isFull, hasClock) => {
  if (!isFull) return "Moves quickly and makes mistakes. Full strength uses the time you give it.";
  return hasClock ? "Plays its best on its clock." : "Plays its best in the time per move.";
};

// The largest board that a newcomer to a game is offered first.
const MAX_FIRST_SIZE = 7;

// Minutes for the whole game, and seconds more for each move.
const clockOption = (minutes, seconds) => [`${minutes}+${seconds}`, `${minutes} min + ${seconds} s`];
const CLOCKS = [["none", "None"], clockOption(1, 1), clockOption(3, 2), clockOption(10, 5), ["own", "Other"]];

// The times for a move at full strength: seconds, or a unit of which a number is asked for.
const EFFORTS = [...[1, 5, 20].map((n) => [String(n), `${n} s`]), ["seconds", "Seconds"], ["visits", "Visits"]];
const MAX_VISITS = 10_000_000;

const effortOf = (choice, number) =>
  choice === "visits" ? { visits: Math.round(number) } : { seconds: choice === "seconds" ? number : Number(choice) };

const clockOf = (choice, minutes, increment) => {
  if (choice === "none") return null;
  const [longest, more] = choice === "own" ? [minutes, increment] : choice.split("+").map(Number);
  return { seconds: longest * 60, increment: more };
};

// The choice of who plays that a game was begun with.
const sideOf = ({ roles, shared }, players, offersShared) => {
  if (Object.values(roles).includes(FRIEND)) return shared && offersShared ? "shared" : "friend";
  const people = players.filter((player) => roles[player] === PERSON);
  return people.length === 2 ? "people" : (people[0] ?? "engine");
};

export class NewGame {
  #about;
  #asked = null; // the handicap that was asked for
  // Whether it is a newcomer's game, which has a small board, and no swap: a strong first stone would be lost at once.
  #isFirst = false;
  clock = "none";

  // `onStart(setup, fromHere)`, and `onEdit(setup)` to set its first position up.
  constructor(about, onStart, onEdit) {
    this.#about = about;
    const dialog = find("new-game");
    find("choose-game").addEventListener("change", () => this.#gameChanged());
    find("choose-size").addEventListener("input", () => this.#showSize());
    find("from-here").addEventListener("change", () => this.#showHandicap());
    for (const id of ["choose-level", "choose-other-level"]) {
      find(id).max = about.levels.length - 1;
      find(id).addEventListener("input", () => this.#showLevel());
    }
    // The button does not submit the form, so that Enter starts the game.
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "start") onStart(this.#setup(), this.#fromHere());
      if (dialog.returnValue === "edit") onEdit(this.#setup());
      dialog.returnValue = "";
    });
  }

  // Opens it for a game, or for that of the session.
  open(session, game = session.setup.game) {
    this.session = session;
    const { setup } = session;
    find("choose-game").replaceChildren(...this.#about.games.map(({ id, title }) => html("option", { value: id, selected: id === game }, title)));
    this.#asked = null;
    this.#gameChanged(game === setup.game ? setup.size : null);
    segments(find("choose-clock"), "clock", CLOCKS, this.clock, (choice) => this.#clockChanged(choice));
    this.#clockChanged(this.clock);
    const { seconds = null, visits = null } = setup.effort ?? this.#about.effort;
    const known = EFFORTS.some(([value]) => value === String(seconds));
    this.effort = visits !== null ? "visits" : known ? String(seconds) : "seconds";
    segments(find("choose-effort"), "effort", EFFORTS, this.effort, (choice) => this.#effortChanged(choice));
    this.#effortChanged(this.effort);
    find("effort").value = visits ?? seconds;
    const levelOf = (player) => this.#about.levels.indexOf(setup.levels?.[player] ?? setup.level);
    const [first, second] = session.players;
    find("choose-level").value = levelOf(first);
    find("choose-other-level").value = levelOf(second);
    this.#showLevel();
    find("from-here").checked = false;
    this.#showHandicap();
    find("new-game").showModal();
    find("start").focus({ preventScroll: true });
  }

  get #game() {
    return gameOf(this.#about, find("choose-game").value);
  }

  #gameChanged(size = null) {
    const game = this.#game;
    const { boards, summary } = game;
    const [first, second] = seatNames(game);
    const range = find("choose-size");
    Object.assign(range, { min: boards.least, max: boards.most, step: 1 });
    this.#isFirst = !hasPlayed(this.#about, game);
    range.value = size ?? Math.min(boards.default, this.#isFirst ? MAX_FIRST_SIZE : Infinity);
    find("size-field").hidden = boards.least === boards.most;
    find("edit").hidden = !game.arranges;
    find("game-summary").textContent = sentence(summary);
    const { setup } = this.session;
    const sides = [
      [first, `You are ${first}`],
      [second, `You are ${second}`],
      ["people", "Two people"],
      ["engine", "Watch the engine"],
      ["friend", "A friend, by link"],
      ...(this.#about.shares ? [["shared", "A shared board"]] : []),
    ];
    const before = sideOf(setup, [first, second], this.#about.shares);
    // A game from a file or a link is one of two people, whoever looks at it.
    const same = !setup.opened && [first, second].every((player) => setup.roles[player]);
    // The players are not asked for again for another game.
    const host = find("choose-side");
    const at = size === null ? [...host.querySelectorAll("input")].findIndex((input) => input.checked) : -1;
    segments(host, "side", sides, sides[at]?.[0] ?? (same ? before : first), () => {
      this.#showLevel();
      this.#showHandicap();
    });
    this.#showSize();
    this.#showLevel();
  }

  // Numbers that are not asked for need not be right.
  #clockChanged(choice) {
    this.clock = choice;
    find("own-clock").hidden = choice !== "own";
    for (const id of ["clock-minutes", "clock-increment"]) find(id).disabled = choice !== "own";
    this.#showLevel();
  }

  #effortChanged(choice) {
    this.effort = choice;
    const number = find("effort");
    const isOwn = choice === "seconds" || choice === "visits";
    find("own-effort").hidden = number.disabled = !isOwn;
    find("effort-unit").textContent = choice === "visits" ? "Visits per move" : "Seconds per move";
    const [min, max, value] = choice === "visits" ? [1, MAX_VISITS, 3200] : [0.1, this.#about.most_seconds, 10];
    Object.assign(number, { min, max, step: choice === "visits" ? 1 : "any" });
    if (isOwn) number.value = value;
  }

  #showSize() {
    const size = Number(find("choose-size").value);
    find("size-shown").textContent = sizeText(this.#game, size);
    find("choose-size").setAttribute("aria-valuetext", sizeText(this.#game, size));
    const { boards, learnt } = this.#game;
    const isWeak = learnt !== null && size > learnt;
    const isSmall = this.#isFirst && size === MAX_FIRST_SIZE && size < boards.default;
    const small = isSmall ? "A small board, for a first game." : "";
    showText("size-note", isWeak ? "The network was not trained on boards of this size and plays weakly here." : small);
    find("from-here-field").hidden = !this.#canContinue();
    this.#showHandicap();
  }

  #showLevel() {
    const [level, other] = ["choose-level", "choose-other-level"].map((id) => this.#levelOf(id));
    find("level-shown").textContent = capital(level);
    find("choose-level").setAttribute("aria-valuetext", level);
    find("other-level-shown").textContent = capital(other);
    find("choose-other-level").setAttribute("aria-valuetext", other);
    const side = chosen(find("choose-side"));
    const isByLink = side === "friend" || side === "shared";
    const isForTwo = side === "people" || isByLink;
    find("friend-note").hidden = side !== "friend";
    find("shared-note").hidden = side !== "shared";
    find("clock-field").hidden = find("clock-field").disabled = isByLink;
    // The engine against itself may give one side a handicap.
    const isWatched = side === "engine";
    const [first, second] = seatNames(this.#game);
    find("level-name").textContent = isWatched ? `Level of ${first}` : "Level";
    find("other-level-name").textContent = `Level of ${second}`;
    find("other-level-field").hidden = !isWatched;
    const isFull = level === "full" || (isWatched && other === "full");
    const hasClock = this.clock !== "none";
    find("level-note").textContent = levelNote(isFull, hasClock);
    find("level-field").hidden = isForTwo;
    find("effort-field").hidden = find("effort-field").disabled = isForTwo || !isFull || hasClock;
  }

  // A game that goes on from the board has begun without one.
  #showHandicap() {
    const choices = handicapsOf(this.#about, this.#game, Number(find("choose-size").value));
    const isHelped = this.#isFirst && chosen(find("choose-side")) === seatNames(this.#game)[0];
    const wanted = this.#asked ?? (isHelped ? MOVE : NONE);
    const known = choices.some(([choice]) => choice === wanted) ? wanted : NONE;
    segments(find("choose-handicap"), "handicap", choices, known, (choice) => {
      this.#asked = choice;
      this.#showHandicapNote();
    });
    find("handicap-field").hidden = choices.length === 1 || this.#fromHere();
    this.#showHandicapNote();
  }

  #showHandicapNote() {
    showText("handicap-note", handicapNote(this.#game, this.#handicap));
  }

  get #handicap() {
    return chosen(find("choose-handicap")) ?? NONE;
  }

  #levelOf(id) {
    return this.#about.levels[find(id).value] ?? "";
  }

  #canContinue() {
    const { setup, current } = this.session;
    const isSameBoard = this.#game.id === setup.game && Number(find("choose-size").value) === setup.size;
    return isSameBoard && current.ply > 0 && !current.state.outcome;
  }

  #fromHere() {
    return find("from-here").checked && this.#canContinue();
  }

  #setup() {
    const [first, second] = seatNames(this.#game);
    const side = chosen(find("choose-side"));
    const person = { [first]: [first], [second]: [second], people: [first, second], engine: [] }[side];
    const isByLink = side === "friend" || side === "shared";
    const roles = isByLink
      ? rolesWithFriend([first, second], 1)
      : Object.fromEntries([first, second].map((player) => [player, person.includes(player) ? PERSON : ENGINE]));
    const [minutes, increment] = ["clock-minutes", "clock-increment"].map((id) => Number(find(id).value));
    const clock = isByLink ? null : clockOf(this.clock, minutes, increment);
    return {
      game: this.#game.id,
      size: Number(find("choose-size").value),
      roles,
      level: this.#levelOf("choose-level"),
      levels: side === "engine" ? { [first]: this.#levelOf("choose-level"), [second]: this.#levelOf("choose-other-level") } : null,
      effort: effortOf(this.effort, Number(find("effort").value)),
      clock,
      handicap: this.#handicap,
      toShare: side === "shared",
    };
  }
}
