// The page on which a network learns: in this tab, where the browser keeps its runs and goes on with them at the next visit, or in the program,
// whose run the server watches.

import { find, html, showText } from "../board_ui/elements.js";
import { counted, sentence } from "../board_ui/text.js";
import * as server from "../server/resources.js";
import { tabEngine } from "../engine/tab.js";
import { download } from "../game/records.js";
import { newId } from "../game/storage.js";
import { archive } from "./archive.js";
import { addressOfNetwork } from "./learnt.js";
import { RunPanel } from "./panel.js";
import { copyText } from "../dialogs/sharing.js";
import { textButton } from "../panels/controls.js";
import { readRun } from "./openRun.js";
import { IN_USE, takeRun } from "./runLock.js";
import { DEFAULTS, KNOBS, difference, fromAddress, knobsOf, recipe, sizesOf, title, toAddress } from "./recipe.js";
import { RunStore } from "./store.js";
import { Training, canTrain } from "./training.js";
import { watch } from "./watch.js";

const FIRST = { game: "hex", size: 5 };
const BINARY = "application/octet-stream";

const say = (problem) => showText("away", problem && sentence(problem));

const about = await server.about().catch((error) => {
  say(error.message);
  throw error;
});
// Keeps the runs of this browser; null on the page that watches the server's run.
let store = null;
const games = new Map(about.games.map((game) => [game.id, game]));
const panels = [];

const options = (select, values, chosen) =>
  select.replaceChildren(...values.map(([value, text]) => html("option", { value, selected: value === chosen }, text)));

const offerSizes = (wanted = FIRST.size) => {
  const sizes = sizesOf(games.get(find("game").value));
  const chosen = sizes.includes(wanted) ? wanted : sizes[0];
  options(find("size"), sizes.map((size) => [size, `${size}×${size}`]), chosen);
};

const offerKnobs = (knobs) =>
  find("knobs").replaceChildren(
    ...Object.entries(KNOBS).map(([name, { label, values, text }]) => {
      const select = html("select", { "data-knob": name, "aria-describedby": `about-${name}` });
      options(select, values.map((one) => [one, one]), knobs[name]);
      return html("div", { class: "knob" }, html("label", {}, `${label} `, select), html("p", { id: `about-${name}`, class: "quiet" }, text));
    }),
  );

const knobs = () =>
  knobsOf(Object.fromEntries(Object.keys(KNOBS).map((name) => [name, document.querySelector(`[data-knob=${name}]`).value])));

const nameOf = ({ run }, entry) => `${run.game}-${run.size}-${entry.figures.games}-games.safetensors`;

const acts = {
  play: async (training, entry) => {
    const { iteration } = entry.figures;
    await training.network(iteration);
    open(addressOfNetwork(training.run, iteration), "_blank");
  },
  save: async (training, entry) => download(await training.network(entry.figures.iteration), nameOf(training, entry), BINARY),
  saveRun: async ({ run }) => {
    const name = `${run.game}-${run.size}`;
    const files = await store.files(run.id);
    download(archive(files.map(([path, bytes]) => [path.replace(/^run/, name), bytes])), `${name}.tar`, BINARY);
  },
  copyLink: ({ run }) => copyText(location.origin + location.pathname + toAddress(run), document.body),
  forget: async (training) => {
    if (!confirm("Delete this run and all that it has learnt?")) return;
    training.end();
    const giveBack = await takeRun(training.run.id);
    if (!giveBack) throw new Error(IN_USE);
    close(training);
    await store.forget(training.run.id).finally(giveBack);
    showKept();
  },
};

const close = (training) => {
  const at = panels.findIndex((one) => one.training === training);
  if (at < 0) return;
  training.close();
  panels[at].panel.remove();
  panels.splice(at, 1);
};

const isShown = (run) => panels.some(({ training }) => training.run.id === run.id);

// Shows a run, beside the others or in their place.
const show = async (run, beside) => {
  const training = new Training(store, run, beside ? 2 : 1);
  await training.load();
  const layout = await server.layout(run.game, run.size);
  // Not before: if two runs were asked for meanwhile, the one that loads last stays.
  if (!beside) for (const one of [...panels]) close(one.training);
  const panel = new RunPanel(find("runs"), training, games.get(run.game), layout, acts);
  training.addEventListener("failed", ({ detail }) => say(detail.message));
  training.addEventListener("event", ({ detail: { warning } }) => warning && say(warning));
  training.addEventListener("change", () => training.state === "opening" && say(null));
  panels.push({ training, panel });
  showKept();
  return training;
};

const showKept = async () => {
  const others = (await store.runs()).filter((run) => games.has(run.game) && !isShown(run));
  find("compare").hidden = panels.length !== 1;
  find("begin").textContent = panels.length ? "Start a new run" : "Start learning";
  find("begin").classList.toggle("primary", panels.length === 0);
  find("kept").hidden = others.length === 0;
  const items = others.map(async (run) => {
    const played = (await store.entries(run.id)).at(-1)?.figures.games ?? 0;
    const name = [title({ ...run, game: games.get(run.game) }), difference(run.knobs), counted(played, "game", "games")].filter(Boolean);
    return html("li", {}, textButton(name.join(", "), () => show(run, false).catch((error) => say(error.message))));
  });
  find("kept-runs").replaceChildren(...(await Promise.all(items)));
};

const begin = async (beside) => {
  say(null);
  const [game, size, chosen] = [find("game").value, Number(find("size").value), knobs()];
  const run = { id: newId(), begun: Date.now(), game, size, knobs: chosen, recipe: recipe(game, size, chosen) };
  await store.begin(run);
  (await show(run, beside)).go();
};

// Takes a run of the program, or one that was saved here.
const openRun = async (chosen) => {
  say(null);
  const { run, files, entries } = await readRun(chosen, games);
  try {
    await store.begin(run);
    await store.keep(run.id, files);
    for (const entry of entries) await store.keep(run.id, [], entry);
  } catch (error) {
    // The browser may have had room for a part of it only.
    await store.forget(run.id);
    throw error;
  }
  await show(run, false);
};

const offerRuns = async () => {
  if (server.isSite()) tabEngine().start(about);
  store = await RunStore.open();
  for (const id of ["lead", "setup"]) find(id).hidden = false;
  const offered = about.games.filter((game) => sizesOf(game).length);
  if (!offered.length) throw new Error("None of the games here has a board small enough to learn in a tab.");
  const asked = fromAddress(location.hash);
  const isOffered = (id) => offered.some((game) => game.id === id);
  const first = asked && isOffered(asked.game) ? asked : { ...FIRST, knobs: DEFAULTS };
  options(find("game"), offered.map(({ id, title: name }) => [id, name]), isOffered(first.game) ? first.game : offered[0].id);
  offerSizes(first.size);
  offerKnobs(first.knobs);
  find("settings").open = difference(first.knobs) !== "";
  find("game").addEventListener("change", () => offerSizes());
  find("setup").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(false).catch((error) => say(error.message));
  });
  find("compare").addEventListener("click", ({ target }) => {
    // A second click must not add a third run.
    target.hidden = true;
    begin(true).catch((error) => say(error.message)).finally(showKept);
  });
  find("choose-run").addEventListener("click", () => find("open-run").click());
  find("open-run").addEventListener("change", ({ target }) => {
    openRun([...target.files]).catch((error) => say(error.message));
    // The same folder may be chosen again.
    target.value = "";
  });
  if (!about.learns) say("This server has no module that trains: build it with 'cargo wasm', and start the server again.");
  else if (!canTrain()) say("Training needs threads that share memory, which this browser does not allow here. Reload the page, or open it in a recent browser.");
  find("begin").disabled = !about.learns || !canTrain();
  // Asks the browser not to clear the runs when space gets short.
  navigator.storage?.persist?.();
  const [latest] = (await store.runs()).filter((run) => games.has(run.game));
  if (latest && !asked) await show(latest, false);
  else showKept();
  // The browser may keep a page alive that was left, to come back to: meanwhile it must not lock its runs.
  addEventListener("pagehide", () => panels.forEach(({ training }) => training.close()));
};

const shown = location.pathname.endsWith("/run") ? watch(find("runs"), about) : offerRuns();
await shown.catch((error) => say(error.message));
