// The page about a training run: charts that show the values under the mouse, and sample games to step through.

import { changesOf, newPlaces } from "../board_ui/changes.js";
import { svg } from "../board_ui/elements.js";
import { View, at } from "../board_ui/geometry.js";
import { restOf, sourceOf } from "../board_ui/picks.js";
import { aim, arrow, ground, piece, trail, viewBox } from "../board_ui/picture.js";
import { capital, commas, counted, numbers, oneDecimal, percent, percentFine, rounded } from "../board_ui/text.js";

const data = JSON.parse(document.getElementById("run-data").textContent);
const text = (value) => String(value).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// Shows the values at the pointer below a chart.
const tellValues = (id, series) => {
  const chart = document.getElementById(id);
  const caption = chart.parentElement.querySelector("figcaption");
  const { left, right, top, bottom, low, high } = Object.fromEntries(
    Object.entries(chart.dataset).map(([name, value]) => [name, Number(value)]),
  );
  const clear = () => {
    chart.querySelector(".cursor")?.remove();
    caption.textContent = "";
  };
  const show = (event) => {
    const box = chart.getBoundingClientRect();
    const place = ((event.clientX - box.left) * chart.viewBox.baseVal.width) / box.width;
    const wanted = low + ((place - left) / (right - left)) * (high - low);
    const nearest = (points) => points.reduce((a, b) => (Math.abs(b[0] - wanted) < Math.abs(a[0] - wanted) ? b : a));
    const found = series.filter((one) => one.points.length).map((one) => [one.name, nearest(one.points)]);
    clear();
    if (!found.length) return;
    const at = found[0][1][0];
    const x = left + ((at - low) / (high - low)) * (right - left);
    chart.insertAdjacentHTML("beforeend", `<line class="cursor" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>`);
    caption.textContent = `${rounded(at)}: ${commas(found.map(([name, point]) => `${name} ${rounded(point[1])}`))}`;
  };
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerdown", show);
  chart.addEventListener("pointerleave", clear);
};

const tellAllValues = ({ charts }) => Object.entries(charts).forEach(([id, series]) => tellValues(id, series));

const PARTS = ["facts", "progress", "elo", "calibration", "boards"];
const EVERY = 10_000;

// Updates the page with the run's changes. The games stay: the user may be looking at one.
const refresh = async () => {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of PARTS) document.getElementById(id).replaceChildren(...fresh.getElementById(id).childNodes);
  tellAllValues(JSON.parse(fresh.getElementById("run-data").textContent));
};

// Shows who plays for the run; nothing if no cluster does.
const showCluster = async () => {
  const answer = await fetch("api/run/cluster");
  const section = document.getElementById("cluster");
  const line = document.getElementById("cluster-run");
  if (!answer.ok) {
    section.hidden = false;
    line.textContent = await answer.text();
    return true;
  }
  const status = await answer.json();
  if (status === null) return false;
  section.hidden = false;
  const { coordinator, active, workers, ranges_out, messages_waiting } = status;
  const phase = active ? coordinator?.phase : "resting";
  const speed = workers.reduce((sum, worker) => sum + worker.games_per_second, 0);
  const parts = [phase, `${oneDecimal(speed)} games a second`];
  if (coordinator) {
    const { used, stale, doubled, refused } = coordinator.traffic;
    const others = [`${numbers.format(stale)} stale`, `${numbers.format(doubled)} doubled`];
    parts.push(commas([counted(used, "game used", "games used"), ...others]));
    parts.push(counted(refused, "message refused", "messages refused"));
  }
  const waiting = counted(messages_waiting, "message waiting", "messages waiting");
  parts.push(commas([counted(ranges_out, "range out", "ranges out"), waiting]));
  line.textContent = parts.join("; ");
  const row = ({ name, version, evaluation, threads, games, games_per_second }) => {
    const counts = [threads, games].map((count) => numbers.format(count));
    const cells = [name, version, evaluation, ...counts, oneDecimal(games_per_second)];
    return `<tr>${cells.map((cell) => `<td>${text(cell)}</td>`).join("")}</tr>`;
  };
  document.getElementById("cluster-workers").innerHTML = workers.map(row).join("");
  return true;
};

const followCluster = async () => {
  if (await showCluster()) setInterval(() => showCluster().catch(() => {}), EVERY);
};

// On the page of `hexzero serve` there is a way back, and the run may go on.
const followRun = async () => {
  const changed = async () => {
    const answer = await fetch("api/run");
    return answer.ok ? (await answer.json()).changed : null;
  };
  let seen = await changed();
  const back = document.getElementById("back");
  back.setAttribute("href", "./");
  back.hidden = false;
  setInterval(async () => {
    try {
      const now = await changed();
      if (now === null || now === seen) return;
      await refresh();
      seen = now;
    } catch {
      // The server is away.
    }
  }, EVERY);
};

tellAllValues(data);
if (location.pathname.endsWith("/run")) {
  followRun().catch(() => {});
  followCluster().catch(() => {});
}

// Pictures of buttons, so that no font is needed.
const ICONS = {
  first: "M6 5.5v13M18 5.5 10 12l8 6.5",
  back: "M15 5.5 8 12l7 6.5",
  play: "M8 5v14l11-7Z",
  pause: "M8.5 5.5v13M15.5 5.5v13",
  on: "M9 5.5 16 12l-7 6.5",
  last: "M18 5.5v13M6 5.5 14 12l-8 6.5",
};
const drawn = (name) => `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const TITLES = { first: "to the start", back: "back", play: "play", on: "on", last: "to the end" };
const control = (name) =>
  `<button type="button" title="${TITLES[name]}" aria-label="${TITLES[name]}">${drawn(name)}</button>`;
const { players } = data;

class Viewer {
  constructor(root) {
    const first = Math.floor(data.games.length / 2);
    this.game = data.games[first];
    this.views = {};
    this.ply = 0;
    const option = (game, number) => {
      const { size, result, reason, plies, shard } = game;
      const ending = `${result === "draw" ? "a draw" : `${result} wins`} by ${reason}`;
      const name = `Board ${size}, ${ending}, ${counted(plies.length, "ply", "plies")} (game ${numbers.format(game.number)} of ${shard})`;
      return `<option value="${number}">${text(name)}</option>`;
    };
    root.innerHTML = `<div><div id="board" tabindex="0" role="img" aria-label="the board"></div></div>
      <div><select aria-label="game">${data.games.map(option).join("")}</select>
      <div class="controls">${["first", "back", "play", "on", "last"].map(control).join("")}</div>
      <input type="range" min="0" aria-label="ply"><div class="values"></div>
      <p class="told"></p><div class="candidates"></div></div>`;
    const find = (selector) => root.querySelector(selector);
    [this.board, this.slider, this.values] = [find("#board"), find("input"), find(".values")];
    [this.told, this.candidates] = [find(".told"), find(".candidates")];
    const [start, back, play, on, end] = root.querySelectorAll("button");
    start.onclick = () => this.go(0);
    back.onclick = () => this.go(this.ply - 1);
    on.onclick = () => this.go(this.ply + 1);
    end.onclick = () => this.go(this.game.plies.length);
    play.onclick = () => this.play();
    this.showPlaying = (isPlaying) => {
      play.innerHTML = drawn(isPlaying ? "pause" : "play");
      play.title = play.ariaLabel = isPlaying ? "pause" : "play";
    };
    find("select").onchange = (event) => {
      this.game = data.games[event.target.value];
      this.go(0);
    };
    find("select").value = first;
    this.slider.oninput = () => this.go(Number(this.slider.value));
    root.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && event.target !== this.slider) this.go(this.ply + step);
    });
    // A game in which something has happened is a better first sight than an empty board.
    this.go(Math.floor(this.game.plies.length / 2));
  }

  play() {
    if (this.timer) return this.pause();
    if (this.ply === this.game.plies.length) this.go(0);
    this.showPlaying(true);
    this.timer = setInterval(() => {
      const next = this.ply + 1;
      if (next > this.game.plies.length) this.pause();
      else this.show(next);
    }, 700);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying(false);
  }

  go(ply) {
    this.pause();
    this.show(ply);
  }

  show(ply) {
    const { plies } = this.game;
    this.ply = Math.max(0, Math.min(ply, plies.length));
    this.slider.max = plies.length;
    this.slider.value = this.ply;
    this.board.replaceChildren(this.drawing());
    this.values.innerHTML = this.curve();
    this.values.onclick = (event) => {
      const box = this.values.getBoundingClientRect();
      this.go(Math.round(((event.clientX - box.left) / box.width) * plies.length));
    };
    this.tell();
  }

  tell() {
    const { plies, result, reason } = this.game;
    const [last, next] = [plies[this.ply - 1], plies[this.ply]];
    const shown = (share) => (share < 0.1 ? percentFine : percent)(share);
    const said = [];
    if (last) {
      const before = this.pieces(this.ply - 1);
      const isTaken = (place) => sourceOf(last) !== null && before[place]?.owner === 1 - last.player;
      const taken = changesOf(last).removed.filter(isTaken).length;
      said.push(`${this.ply}. ${players[last.player]} ${last.name}${taken ? `, captures ${taken}` : ""}.`);
    } else {
      said.push("The start.");
    }
    if (!next) {
      said.push(`${result === "draw" ? "A draw" : `${capital(result)} has won`} by ${reason}.`);
    } else if (next.value === null) {
      said.push(`${capital(players[next.player])}'s next move is drawn at random to open the game.`);
    } else {
      const search = `a ${next.policy.length ? "full" : "cheap"} search of ${counted(next.visits, "visit", "visits")}`;
      const expected = `${players[0]} can expect ${shown(next.value)} of the point`;
      said.push(`${capital(players[next.player])} is to move: after ${search} ${expected}. The move is ${next.name}.`);
    }
    const token = last ? `<i class="token ${last.player ? "second" : "first"}"></i>` : "";
    this.told.innerHTML = token + text(said.join(" "));
    this.candidates.innerHTML = (next?.policy ?? [])
      .map(
        ({ name, share }) =>
          `<span>${text(name)}</span><i style="width:${100 * share}%"></i><span>${shown(share)}</span>`,
      )
      .join("");
  }

  // The expected score of the first player by ply.
  curve() {
    const { plies } = this.game;
    const place = (ply) => 4 + (ply / plies.length) * 292;
    const points = plies.flatMap(({ value }, ply) => (value === null ? [] : [`${place(ply)},${64 - 60 * value}`]));
    const now = place(this.ply);
    return `<svg viewBox="0 0 300 68" role="img" aria-label="expected score by ply">
      <line class="half" x1="4" x2="296" y1="34" y2="34"/><line class="now" x1="${now}" x2="${now}" y1="2" y2="66"/>
      <polyline class="line" points="${points.join(" ")}"/>
      <text x="5" y="10">${text(players[0])} wins</text><text x="5" y="64">${text(players[1])} wins</text></svg>`;
  }

  // The pieces on the places after some plies.
  pieces(ply) {
    const pieces = [];
    for (const turn of this.game.plies.slice(0, ply)) for (const [place, what] of turn.pieces) pieces[place] = what;
    return pieces;
  }

  drawing() {
    const { size, plies } = this.game;
    const view = (this.views[size] ??= new View(data.layouts[size]));
    const pieces = this.pieces(this.ply);
    const [last, next] = [plies[this.ply - 1], plies[this.ply]];
    const circle = (name, place) =>
      svg("circle", { class: name, r: 0.8 * view.places[place].room, transform: at(view.places[place].centre) });
    // The spot that shows a move: its place, or the end of an arrow from there.
    const spot = (move) => {
      const source = sourceOf(move);
      return source === null ? null : { source, to: aim(view, source, restOf(move)) };
    };
    const candidate = (move) => {
      const found = spot(move);
      if (!found || (!found.to && pieces[found.source])) return [];
      const { centre } = view.places[found.source];
      const drawn = found.to ? arrow(centre, found.to, "share") : circle("share", found.source);
      drawn.setAttribute("opacity", 0.15 + 0.55 * move.share);
      const share = svg(
        "text",
        { class: "share-text", transform: at(found.to ?? centre) },
        Math.round(100 * move.share),
      );
      return move.share < 0.005 ? [drawn] : [drawn, share];
    };
    const ahead = next && spot(next);
    return svg(
      "svg",
      { class: "board", viewBox: viewBox(view.box) },
      ground(view),
      ...pieces.flatMap((what, place) =>
        what
          ? svg("g", { class: "piece", transform: at(view.places[place].centre) }, piece(what, view.places[place]))
          : [],
      ),
      ...(last ? changesOf(last).moved.map(([from, to]) => trail(view, from, to)) : []),
      ...(next?.policy ?? []).flatMap(candidate),
      ...(ahead
        ? [ahead.to ? arrow(view.places[ahead.source].centre, ahead.to, "next") : circle("next", ahead.source)]
        : []),
      ...(last ? newPlaces(last).map((place) => circle("mark", place)) : []),
    );
  }
}

const root = document.getElementById("viewer");
if (root) new Viewer(root);
