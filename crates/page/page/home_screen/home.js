// The home screen: what to go on with, and a gallery of the games.

import { find, html, showText } from "../board_ui/elements.js";
import { View } from "../board_ui/geometry.js";
import { sentence } from "../board_ui/text.js";
import { gameButton } from "../dialogs/gameLists.js";
import { picture } from "../dialogs/lesson.js";
import { Emitter } from "../game/emitter.js";
import { gameOf, seatNames } from "../game/games.js";
import { readKept } from "../game/records.js";
import * as savedGames from "../game/savedGames.js";
import { MISTAKES } from "../own_play/mistakes.js";
import { playing } from "../text/sentences.js";
import { status } from "../text/status.js";
import { ownPlay } from "../own_play/trends.js";

const MAX_RECENT = 4;
// Shorter games were only looked at.
const MIN_RECENT_PLIES = 3;

// The moves of a game that is said to be short.
const MAX_SHORT_PLIES = 40;

// The gallery: what most people look for, then the others by what their players are after, in full rows of four. A game that no group
// names is among the last.
const GROUPS = [
  ["Start here", ["hex", "cachex", "y", "gale"]],
  ["Connect your sides", ["vex", "chameleon", "imnyss", "12star"]],
  ["Connect, push and capture", ["tack", "fan", "link", "dozer"]],
  ["More ways to win", ["3connection", "quickwin", "hexifence", "infexion"]],
];

export const ADDRESS = "#home";

// The games as people count them: of those that differ in a rule only, the first.
const families = ({ games }) => games.filter((game) => games.find(({ network }) => network === game.network) === game);

const pictures = ({ lesson }) => lesson.flatMap((part) => part.pictures);

// A position that shows what a game is like: the fullest picture of its lesson, of those that no other game has, if there are any.
const samplePicture = (game, games) => {
  const others = games.filter(({ network }) => network !== game.network).flatMap(pictures);
  const known = new Set(others.map((one) => JSON.stringify(one)));
  const all = pictures(game);
  const own = all.filter((one) => !known.has(JSON.stringify(one)));
  const fullest = (best, one) => (one.pieces.length > (best?.pieces.length ?? -1) ? one : best);
  return (own.length ? own : all).reduce(fullest, null);
};

// Fires `opened` and `closed`.
export class Home extends Emitter {
  #drawn = new Set(); // the cards whose picture is there, or on its way
  #inView = new Set(); // the cards that have come into view
  #observer = new IntersectionObserver((entries) => this.#onIntersection(entries), { rootMargin: "200px" });

  // `actions`: `choose(id)` a game, `open(record)` a kept one, `startPuzzle(game)`.
  constructor(about, session, layouts, puzzles, actions) {
    super();
    Object.assign(this, { about, session, layouts, puzzles, actions });
    find("continue").addEventListener("click", () => this.close());
    find("due").addEventListener("click", () => actions.startPuzzle(MISTAKES));
    find("open-home").addEventListener("click", (event) => {
      // It is a link, so that it can be opened in another tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.toggle();
    });
    session.addEventListener("change", () => this.isOpen && this.#showContinue());
  }

  get isOpen() {
    return !find("home").hidden;
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  // Opens the home screen. Without `takesFocus`, if the user has not asked for it, the focus stays where it is.
  open({ takesFocus = true } = {}) {
    if (!find("gallery").children.length) this.#fill();
    this.refresh();
    this.#show(true);
    this.drawPictures();
    if (takesFocus) find("home-title").focus({ preventScroll: true });
    scrollTo(0, 0);
    this.fire("opened");
  }

  // Shows what is kept; again after something of it may have changed. The focus stays in its place.
  refresh() {
    const buttons = () => [...find("home").querySelectorAll("button")];
    const { activeElement } = document;
    const place = buttons().indexOf(activeElement);
    this.#showContinue();
    this.#showRecent();
    this.#showPuzzles();
    this.#showOwnPlay();
    if (place >= 0 && !activeElement.isConnected) buttons()[place]?.focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    this.#show(false);
    this.fire("closed");
  }

  // Draws the cards in view; again where the engine, which knows the boards, was not there yet.
  drawPictures() {
    for (const card of this.#inView) this.#draw(card);
  }

  #show(isOpen) {
    find("home").hidden = !isOpen;
    document.documentElement.classList.toggle("at-home", isOpen);
  }

  #fill() {
    const games = families(this.about);
    const named = new Set(GROUPS.flatMap(([, ids]) => ids));
    const others = games.filter(({ network, id }) => !named.has(id) && !named.has(network)).map(({ id }) => id);
    const groups = GROUPS.map(([title, ids], i) => [title, i === GROUPS.length - 1 ? [...ids, ...others] : ids]);
    find("gallery").replaceChildren(...groups.flatMap(([title, ids]) => this.#group(title, ids.flatMap((id) => games.filter((game) => game.id === id)))));
    for (const card of find("gallery").querySelectorAll("button")) this.#observer.observe(card);
  }

  // A heading and its cards.
  #group(title, games) {
    if (!games.length) return [];
    const list = html("ul", {}, ...games.map((game) => html("li", {}, this.#card(game))));
    return [html("section", { "aria-label": title }, html("h3", {}, title), list)];
  }

  #card(game) {
    const [first, second] = seatNames(game);
    const card = html(
      "button",
      { type: "button", class: "game", "data-game": game.id, "data-first": first, "data-second": second },
      html("span", { class: "sample", "aria-hidden": "true" }),
      html(
        "span",
        { class: "words" },
        html("b", {}, game.title),
        html("span", {}, sentence(game.summary)),
        game.plies < MAX_SHORT_PLIES ? html("span", { class: "quiet" }, `Usually under ${MAX_SHORT_PLIES} moves`) : null,
      ),
    );
    card.addEventListener("click", () => this.actions.choose(game.id));
    return card;
  }

  #onIntersection(entries) {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      this.#observer.unobserve(target);
      this.#inView.add(target);
      this.#draw(target);
    }
  }

  async #draw(card) {
    const game = gameOf(this.about, card.dataset.game);
    const sample = samplePicture(game, this.about.games);
    if (!sample || this.#drawn.has(card)) return;
    this.#drawn.add(card);
    try {
      const layout = await this.layouts.get(game.id, sample.size);
      card.querySelector(".sample").replaceChildren(picture(new View(layout), sample));
    } catch {
      this.#drawn.delete(card);
    }
  }

  // The game on the board.
  #showContinue() {
    const session = this.session;
    const button = find("continue");
    button.hidden = !session.tree;
    if (!session.tree) return;
    const { game, setup, tip } = session;
    const isBegun = tip.ply > 0;
    const isOver = Boolean(session.result);
    // A newcomer has not chosen the game on the board: there is nothing to continue yet.
    button.hidden = !isBegun && !setup.puzzle && !savedGames.games().length && !this.about.asked_for;
    const at = session.exploring ? "" : `Move ${tip.ply}. `;
    const state = isBegun ? ` ${at}${sentence(status(session).title)}` : "";
    const words = `${playing(game, setup.size)}.${state}`;
    button.classList.toggle("primary", !isOver && !setup.puzzle);
    const title = isOver ? "Back to the board" : setup.puzzle ? "Back to the puzzle" : isBegun ? "Continue" : "Play now";
    button.replaceChildren(html("b", {}, title), html("span", {}, words));
  }

  #showRecent() {
    const isOwn = ({ game, opened, plies }) => gameOf(this.about, game) && !opened && plies >= MIN_RECENT_PLIES;
    const known = savedGames.games().filter(isOwn);
    const recent = known.slice(0, MAX_RECENT);
    find("recent").hidden = !recent.length;
    find("recent-games").replaceChildren(...recent.map((record) => html("li", {}, gameButton(this.about, record, () => this.#openKept(record)))));
  }

  // The games with puzzles; how many are solved is known once their files are loaded.
  #showPuzzles() {
    const { progress, mistakes } = this.puzzles;
    const { due } = progress.counts(mistakes);
    find("due").hidden = !due;
    find("due").classList.toggle("primary", !find("continue").matches(".primary:not([hidden])"));
    find("due").replaceChildren(html("b", {}, "Your mistakes"), html("span", {}, `${due} to try again`));
    const own = mistakes.length ? [{ id: MISTAKES, title: "Your mistakes" }] : [];
    const games = [...own, ...this.puzzles.games];
    find("puzzles").hidden = !games.length;
    const { streak, longest } = progress;
    const record = longest > streak ? `, ${longest} at best` : "";
    find("streak").textContent = streak || longest ? `${streak} solved in a row${record}.` : "Find the winning move.";
    const rows = games.map((game) => {
      const text = html("span", { class: "quiet" });
      const button = html("button", { type: "button", class: "opener", "data-puzzles": game.id }, html("span", {}, game.title), text);
      button.addEventListener("click", () => this.actions.startPuzzle(game.id));
      this.#showCounts(game, text);
      return html("li", {}, button);
    });
    find("puzzle-games").replaceChildren(...rows);
  }

  #showOwnPlay() {
    const trends = ownPlay(this.about);
    find("own-play").hidden = !trends.length;
    find("own-trends").replaceChildren(...trends);
  }

  async #showCounts(game, text) {
    try {
      const { solved, due, of } = this.puzzles.progress.counts(await this.puzzles.load(game.id));
      text.textContent = `${solved} of ${of} solved${due ? `, ${due} to review` : ""}`;
    } catch {
      text.textContent = "";
    }
  }

  async #openKept(record) {
    try {
      await this.actions.open(await readKept(record));
    } catch (error) {
      this.showNote(sentence(`this game cannot be opened: ${error.message}`));
    }
  }

  // Shows a note above the games; null removes it.
  showNote(text) {
    showText("home-note", text);
  }
}
