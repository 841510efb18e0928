// The latest games of a run that the server watches, move by move: what the search found before each.

import { html } from "../board_ui/elements.js";
import { sourceOf } from "../board_ui/picks.js";
import { capital, counted, percent, percentFine } from "../board_ui/text.js";
import { toAddress } from "../game/address.js";
import { treeOf } from "../game/gameTree.js";
import { PolicyBoard } from "./boards.js";
import { curves } from "./curves.js";

const shown = (share) => (share < 0.1 ? percentFine : percent)(share);

const ending = ({ result, reason }) => (result === "draw" ? `a draw by ${reason}` : `${capital(result)} wins by ${reason}`);

const nameOf = (game) => `Board ${game.size}, ${ending(game)}, ${counted(game.plies.length, "move", "moves")} (game ${game.number} of ${game.shard})`;

// The pieces on their places after some plies.
export const piecesAfter = ({ plies }, count) => {
  const pieces = new Map();
  for (const ply of plies.slice(0, count)) for (const [place, what] of ply.pieces) what ? pieces.set(place, what) : pieces.delete(place);
  return [...pieces];
};

// Describes a game after some plies. `seats` are the players' names.
export const told = (game, count, seats) => {
  const [last, next] = [game.plies[count - 1], game.plies[count]];
  const said = [last ? `${count}. ${capital(seats[last.player])} ${last.name}.` : "The start."];
  if (!next) said.push(`${capital(ending(game))}.`);
  else if (next.value === null) said.push(`${capital(seats[next.player])}'s next move is drawn at random to open the game.`);
  else {
    const search = `a ${next.policy.length ? "full" : "cheap"} search of ${counted(next.visits, "visit", "visits")}`;
    said.push(`${capital(seats[next.player])} is to move: after ${search}, ${seats[0]}'s expected score is ${shown(next.value)}. The move is ${next.name}.`);
  }
  return said.join(" ");
};

export class GameViewer {
  #run;
  #seats;
  #section;
  #choice = html("select", { "aria-label": "Game" });
  #slider = html("input", { type: "range", min: 0, "aria-label": "Move" });
  #values = html("div", { class: "curves" });
  #told = html("p", { class: "told", "aria-live": "polite" });
  #found = html("ol", { class: "candidates" });
  #link = html("a", {}, "Open this game");
  #host = html("div", { class: "opinion" });
  #boards = new Map();
  #layouts = {};
  #games = [];
  #game = null;

  constructor(host, run, { seats }) {
    this.#run = run;
    this.#seats = seats.map(({ name }) => name);
    this.#section = html(
      "section",
      { class: "report", id: "games", "data-first": this.#seats[0], "data-second": this.#seats[1] },
      html("h2", {}, "Games"),
      html("p", { class: "none" }, "There are no games yet."),
      html("div", { class: "viewer" }, this.#host, html("div", { class: "part" }, this.#choice, this.#slider, this.#told, this.#values, this.#found, html("p", {}, this.#link))),
    );
    host.append(this.#section);
    this.#choice.addEventListener("change", () => this.#open(this.#games[this.#choice.selectedIndex]));
    this.#slider.addEventListener("input", () => this.#show());
  }

  // Offers the games of a run. The one that is looked at stays.
  offer({ games, layouts }) {
    const kept = games.find(({ shard, number }) => shard === this.#game?.shard && number === this.#game.number);
    this.#games = this.#game && !kept ? [this.#game, ...games] : games;
    this.#layouts = { ...this.#layouts, ...layouts };
    this.#choice.replaceChildren(...this.#games.map((game) => html("option", {}, nameOf(game))));
    this.#section.querySelector(".none").hidden = this.#games.length > 0;
    this.#section.querySelector(".viewer").hidden = this.#games.length === 0;
    if (kept) this.#choice.selectedIndex = games.indexOf(kept);
    else if (!this.#game && games.length) this.#open(games[0]);
  }

  #open(game) {
    this.#game = game;
    this.#slider.max = game.plies.length;
    // A board on which something has happened is a better first sight than an empty one.
    this.#slider.value = Math.floor(game.plies.length / 2);
    this.#link.href = `./#${this.#run.run.game}/${game.size}/${toAddress(...treeOf(game.plies.map(({ name }) => name)))}`;
    this.#show();
  }

  #show() {
    const { plies, size } = this.#game;
    const count = Number(this.#slider.value);
    const next = plies[count];
    if (!this.#boards.has(size)) this.#boards.set(size, new PolicyBoard(this.#host, this.#layouts[size]));
    const policy = (next?.policy ?? []).map((move) => [move.name, sourceOf(move), move.share]);
    this.#boards.get(size).show({ policy, pieces: piecesAfter(this.#game, count) });
    this.#told.textContent = told(this.#game, count, this.#seats);
    this.#found.replaceChildren(...policy.slice(0, 5).map(([name, , share]) => html("li", {}, `${name} ${shown(share)}`)));
    const points = plies.flatMap(({ value }, ply) => (value === null ? [] : [[ply, value]]));
    const label = `The chance of ${this.#seats[0]}, move by move`;
    curves(this.#values, { series: [{ kind: "first", name: this.#seats[0], points }], x: [0, plies.length], y: [0, 1], top: "100%", unit: "moves", now: count, label });
  }
}
