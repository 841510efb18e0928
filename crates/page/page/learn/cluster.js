// The cluster that plays the games of a run that the server watches.

import { html, tableOf } from "../board_ui/elements.js";
import { commas, counted, numbers, oneDecimal, sentence } from "../board_ui/text.js";
import { runCluster } from "../server/resources.js";

const POLL_MS = 10_000;
const TITLES = ["Worker", "Version", "Evaluation", "Threads", "Games", "Games a second"];

// Says what a cluster is doing.
export const clusterText = ({ coordinator, active, workers, ranges_out: out, messages_waiting: messages }) => {
  const speed = workers.reduce((sum, worker) => sum + worker.games_per_second, 0);
  const parts = [active ? coordinator?.phase : "resting", `${oneDecimal(speed)} games a second`];
  if (coordinator) {
    const { used, stale, doubled, refused } = coordinator.traffic;
    parts.push(commas([counted(used, "game used", "games used"), `${numbers.format(stale)} stale`, `${numbers.format(doubled)} doubled`]));
    parts.push(counted(refused, "message refused", "messages refused"));
  }
  parts.push(commas([counted(out, "range out", "ranges out"), counted(messages, "message waiting", "messages waiting")]));
  return parts.join("; ");
};

export class Cluster {
  #section;
  #line = html("p", { id: "cluster-run" });
  #workers = html("table", { id: "cluster-workers" });

  constructor(host) {
    const table = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Workers" }, this.#workers);
    this.#section = html("section", { id: "cluster", class: "report", hidden: true }, html("h2", {}, "Cluster"), this.#line, table);
    host.append(this.#section);
    this.#follow();
  }

  // Asks again and again, if there is a cluster.
  async #follow() {
    if (await this.#show()) setInterval(() => this.#show(), POLL_MS);
  }

  async #show() {
    let status;
    try {
      status = await runCluster();
    } catch (error) {
      this.#section.hidden = false;
      this.#line.textContent = sentence(error.message);
      return true;
    }
    if (status === null) return false;
    this.#section.hidden = false;
    this.#line.textContent = clusterText(status);
    const row = ({ name, version, evaluation, threads, games, games_per_second: speed }) =>
      [name, version, evaluation, numbers.format(threads), numbers.format(games), oneDecimal(speed)];
    this.#workers.replaceChildren(...tableOf(TITLES, status.workers.map(row)));
    return true;
  }
}
