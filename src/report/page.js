"use strict";
const data = JSON.parse(document.getElementById("run-data").textContent);
const text = (value) => String(value).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// The values below a chart at the place that somebody points at.
for (const [id, series] of Object.entries(data.charts)) {
  const chart = document.getElementById(id);
  const caption = chart.parentElement.querySelector("figcaption");
  const { left, right, top, bottom, low, high } = Object.fromEntries(
    Object.entries(chart.dataset).map(([name, value]) => [name, Number(value)]));
  const shown = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(4))));
  const clear = () => {
    chart.querySelector(".cursor")?.remove();
    caption.textContent = "";
  };
  const show = (event) => {
    const box = chart.getBoundingClientRect();
    const place = (event.clientX - box.left) * chart.viewBox.baseVal.width / box.width;
    const wanted = low + (place - left) / (right - left) * (high - low);
    const nearest = (points) => points.reduce((a, b) => (Math.abs(b[0] - wanted) < Math.abs(a[0] - wanted) ? b : a));
    const found = series.filter((one) => one.points.length).map((one) => [one.name, nearest(one.points)]);
    clear();
    if (!found.length) return;
    const at = found[0][1][0];
    const x = left + (at - low) / (high - low) * (right - left);
    chart.insertAdjacentHTML("beforeend", `<line class="cursor" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/>`);
    caption.textContent = `${shown(at)}: ` + found.map(([name, point]) => `${name} ${shown(point[1])}`).join(", ");
  };
  chart.addEventListener("pointermove", show);
  chart.addEventListener("pointerdown", show);
  chart.addEventListener("pointerleave", clear);
}

// The corners of a hexagon with its centre at the origin and corners of distance 1, from the top clockwise.
const HALF = Math.sqrt(3) / 2;
const CORNERS = [[0, -1], [HALF, -0.5], [HALF, 0.5], [0, 1], [-HALF, 0.5], [-HALF, -0.5]];
const EMPTY = 2;

class Viewer {
  constructor(root) {
    const first = Math.floor(data.games.length / 2);
    this.game = data.games[first];
    this.ply = 0;
    const option = (game, number) => `<option value="${number}">${game.size}×${game.size}, ` +
      `${text(game.result === "draw" ? "a draw" : `${game.result} wins`)} by ${text(game.reason)}, ` +
      `${game.plies.length} plies (game ${game.number} of ${text(game.shard)})</option>`;
    root.innerHTML = `<div><div id="board" tabindex="0" role="img" aria-label="the board"></div></div>
      <div><select aria-label="game">${data.games.map(option).join("")}</select>
      <div class="controls"><button title="to the start">⏮</button><button title="back">◀</button>
      <button title="play">⏵</button><button title="on">▶</button><button title="to the end">⏭</button></div>
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
    this.timer = setInterval(() => {
      const next = this.ply + 1;
      if (next > this.game.plies.length) this.pause();
      else this.show(next);
    }, 700);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
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
    this.board.innerHTML = this.drawing();
    this.values.innerHTML = this.curve();
    this.values.onclick = (event) => {
      const box = this.values.getBoundingClientRect();
      this.go(Math.round((event.clientX - box.left) / box.width * plies.length));
    };
    this.tell();
  }

  tell() {
    const { plies, result, reason } = this.game;
    const [last, next] = [plies[this.ply - 1], plies[this.ply]];
    const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
    const said = [];
    if (last) {
      const captures = last.taken ? `, captures ${last.taken}` : "";
      said.push(`${this.ply}. ${data.players[last.player]} ${last.name}${captures}.`);
    } else {
      said.push("The start.");
    }
    if (!next) {
      said.push(result === "draw" ? `A draw by ${reason}.` : `${result} has won by ${reason}.`);
    } else if (next.value === null) {
      said.push(`${data.players[next.player]}'s next move is drawn at random to open the game.`);
    } else {
      const kind = next.policy.length ? "a full search" : "a cheap search";
      said.push(`${data.players[next.player]} is to move: after ${kind} of ${next.visits} visits ` +
        `${data.players[0]} can expect ${percent(next.value)} of the point. The move is ${next.name}.`);
    }
    this.told.textContent = said.join(" ");
    this.candidates.innerHTML = (next?.policy ?? []).map(({ name, share }) =>
      `<span>${text(name)}</span><i style="width:${100 * share}%"></i><span>${percent(share)}</span>`).join("");
  }

  // The expected score of the first player by ply.
  curve() {
    const { plies } = this.game;
    const place = (ply) => 4 + ply / plies.length * 292;
    const points = plies.flatMap(({ value }, ply) => (value === null ? [] : [`${place(ply)},${64 - 60 * value}`]));
    const now = place(this.ply);
    return `<svg viewBox="0 0 300 68" role="img" aria-label="expected score by ply">
      <line class="half" x1="4" x2="296" y1="34" y2="34"/><line class="now" x1="${now}" x2="${now}" y1="2" y2="66"/>
      <polyline class="line" points="${points.join(" ")}"/>
      <text x="5" y="10">${text(data.players[0])} wins</text><text x="5" y="64">${text(data.players[1])} wins</text></svg>`;
  }

  drawing() {
    const { size, plies } = this.game;
    const stones = new Array(size * size).fill(EMPTY);
    for (const { changes } of plies.slice(0, this.ply)) for (const [cell, stone] of changes) stones[cell] = stone;
    const [last, next] = [plies[this.ply - 1], plies[this.ply]];
    const centre = (row, column) => [(column + row / 2) * 2 * HALF, row * 1.5];
    const corner = (row, column, number) => centre(row, column).map((value, axis) => value + CORNERS[number][axis]);
    const path = (points) => points.map((point) => point.map((value) => value.toFixed(3)).join(",")).join(" ");
    const line = [...Array(size).keys()];
    const parts = [];
    if (data.sides) {
      const side = (player, cells, corners) => {
        const points = cells.flatMap(([row, column]) => corners.map((number) => corner(row, column, number)));
        parts.push(`<polyline class="side ${text(data.players[player])}" points="${path(points)}"/>`);
      };
      side(0, line.map((column) => [0, column]), [5, 0, 1]);
      side(0, line.map((column) => [size - 1, column]), [4, 3, 2]);
      side(1, line.map((row) => [row, 0]), [5, 4, 3]);
      side(1, line.map((row) => [row, size - 1]), [0, 1, 2]);
    }
    stones.forEach((stone, cell) => {
      const [row, column] = [Math.floor(cell / size), cell % size];
      const [x, y] = centre(row, column);
      parts.push(`<polygon class="cell" points="${path(CORNERS.map((_, number) => corner(row, column, number)))}"/>`);
      if (stone !== EMPTY) {
        parts.push(`<circle class="stone ${text(data.players[stone])}" cx="${x}" cy="${y}" r="0.66"/>`);
      }
      const share = next?.policy.find((candidate) => candidate.cell === cell)?.share;
      if (share !== undefined && stone === EMPTY) {
        parts.push(`<circle class="share" opacity="${0.15 + 0.55 * share}" cx="${x}" cy="${y}" r="0.72"/>`);
        if (share >= 0.005) {
          parts.push(`<text class="share-text" x="${x}" y="${y + 0.17}">${Math.round(100 * share)}</text>`);
        }
      }
      if (next?.cell === cell) parts.push(`<circle class="next" cx="${x}" cy="${y}" r="0.72"/>`);
      if (last && last.cell === cell && stone !== EMPTY) {
        parts.push(`<circle class="mark" cx="${x}" cy="${y}" r="0.66"/>`);
      }
    });
    for (const index of line) {
      const [top, left] = [centre(-1, index), centre(index, -1)];
      parts.push(`<text class="board-text" x="${top[0] + HALF * 0.3}" y="${top[1] + 0.35}">${String.fromCharCode(97 + index)}</text>`);
      parts.push(`<text class="board-text" x="${left[0] + 0.35}" y="${left[1] + 0.17}">${index + 1}</text>`);
    }
    const width = (1.5 * size - 0.5) * 2 * HALF;
    return `<svg viewBox="${-HALF - 1.4} -2 ${width + 1.8} ${1.5 * size + 2.2}">${parts.join("")}</svg>`;
  }
}

const root = document.getElementById("viewer");
if (root) new Viewer(root);
