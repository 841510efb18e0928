// The recipe of a run: what the page lets one choose, as the text in TOML that the program reads too.

// What can be chosen, each with a sentence that says what it does.
export const KNOBS = {
  visits: {
    label: "Visits a move",
    values: [8, 16, 32, 64, 128],
    value: 64,
    text: "How many positions it looks at before each move. More visits make better games, but fewer a minute.",
  },
  network: {
    label: "Network",
    values: ["tiny", "small"],
    value: "small",
    text: "Small can learn more; tiny has about a sixth of the weights and is faster.",
  },
  rate: {
    label: "Learning rate",
    values: [0.0005, 0.001, 0.002, 0.004, 0.01],
    value: 0.002,
    text: "How far a training step changes the weights. Too low learns slowly; too high becomes unstable.",
  },
  noise: {
    label: "Noise",
    values: [0, 0.1, 0.25, 0.5],
    value: 0.25,
    text: "How much randomness is mixed into its first guesses, so that it also tries moves that it has wrongly dismissed.",
  },
  resignation: {
    label: "Resignation",
    values: ["off", "on"],
    value: "off",
    text: "Whether a side gives up when its chance falls below 10%. Saves time, but now and then gives up a game that it could have won.",
  },
  symmetries: {
    label: "Symmetries",
    values: ["on", "off"],
    value: "on",
    text: "Whether it also learns from turned and mirrored copies of each position: more examples for free.",
  },
  seed: { label: "Seed", values: [1, 2, 3, 4, 5], value: 1, text: "Decides all random choices. Another seed gives another run with the same settings." },
};

const NETWORKS = { tiny: { blocks: 2, channels: 16 }, small: { blocks: 4, channels: 32 } };

// The settings unless somebody changes them.
export const DEFAULTS = Object.fromEntries(Object.entries(KNOBS).map(([name, { value }]) => [name, value]));

// The visits of a full search that a recipe in TOML names.
export const visitsIn = (recipe) => Number(/^full_visits = (\d+)/m.exec(recipe)?.[1] ?? 0);

// Writes the recipe for a game on a board. Iterations are short, so that there is something to see every few seconds.
export const recipe = (game, size, knobs) => {
  const { blocks, channels } = NETWORKS[knobs.network];
  return `game = "${game}"
seed = ${knobs.seed}

[network]
blocks = ${blocks}
channels = ${channels}

[selfplay]
full_visits = ${knobs.visits}
evaluation_cache = 16

[[selfplay.sizes]]
size = ${size}
weight = 1.0

[selfplay.noise]
fraction = ${knobs.noise.toFixed(2)}

[selfplay.resignation]
chance = ${knobs.resignation === "on" ? "0.1" : "0.0"}

[training]
games_per_iteration = 100
batch = 128
reuse = 3.0
window_least = 5000
average_half_life = 30.0
symmetries = ${knobs.symmetries === "on"}
keep_every = 1000

[training.optimiser]
learning_rate = ${knobs.rate}
warmup_steps = 30
`;
};

const SIZES = [3, 4, 5, 6, 7];
// The largest board of games whose first moves the module would try for minutes to solve on larger ones, in vain.
const MOST = { infexion: 3, "infexion-spec": 3 };

// The boards of a game that learn quickly enough to watch.
export const sizesOf = ({ id, boards: { least, most } }) => SIZES.filter((size) => least <= size && size <= Math.min(most, MOST[id] ?? most));

// The title of a run.
export const title = ({ game, size }) => `${game.title} ${size}×${size}`;

// Returns what distinguishes a run from the usual one; nothing if `knobs` are null, as for settings that are not offered here.
export const difference = (knobs) =>
  Object.entries(KNOBS)
    .filter(([name, { value }]) => knobs && knobs[name] !== value)
    .map(([name, { label }]) => `${label.toLowerCase()} ${knobs[name]}`)
    .join(", ");

// The settings that texts name; what they do not name, or is not offered, is as usual.
export const knobsOf = (texts) =>
  Object.fromEntries(Object.entries(KNOBS).map(([name, { values, value }]) => [name, values.find((one) => String(one) === texts[name]) ?? value]));

// The settings as the part of an address behind the #, `hex/5/visits=32,seed=2`, and back; null for another address.
export const toAddress = ({ game, size, knobs }) => {
  const turned = Object.keys(KNOBS).filter((name) => knobs[name] !== DEFAULTS[name]);
  return `#${game}/${size}/${turned.map((name) => `${name}=${knobs[name]}`).join(",")}`;
};

export const fromAddress = (hash) => {
  const found = /^#([a-z0-9-]+)\/(\d+)\/([a-z0-9=.,]*)$/.exec(hash);
  if (!found) return null;
  const [, game, size, list] = found;
  const given = Object.fromEntries(list.split(",").filter(Boolean).map((part) => part.split("=")));
  return { game, size: Number(size), knobs: knobsOf(given) };
};

// The values of a recipe by table and key, such as `selfplay.noise.fraction`.
const valuesIn = (text) => {
  const values = new Map();
  let table = "";
  for (const line of text.split("\n")) {
    const [, header, key, value] = /^\[+([\w.]+)\]|^(\w+) = (\S+)/.exec(line) ?? [];
    if (header) table = `${header}.`;
    else if (key) values.set(table + key, Number.isNaN(Number(value)) ? value : Number(value));
  }
  return values;
};

// Reads the settings back from a recipe; null if they are not among those that the page offers.
export const knobsIn = (text, game, size) => {
  // Further sizes, and stages, are tables of lists too.
  if (text.match(/^\[\[/gm)?.length !== 1) return null;
  const found = valuesIn(text);
  const differences = (knobs) => [...valuesIn(recipe(game, size, knobs))].filter(([key, value]) => found.get(key) !== value).length;
  const differencesWith = (name, value) => differences({ ...DEFAULTS, [name]: value });
  const knobs = Object.fromEntries(
    Object.entries(KNOBS).map(([name, { values }]) => [name, values.toSorted((a, b) => differencesWith(name, a) - differencesWith(name, b))[0]]),
  );
  return differences(knobs) === 0 ? knobs : null;
};
