"""What each technique of the training recipe is worth: the full recipe without it, against the full recipe.

    python3 benches/learning/ablate.py target/release/hexzero runs/ablation --evaluations 2000000 --seeds 1 2 3

Trains the full recipe of ablations.toml and every recipe with one technique taken out, each from nothing with each seed,
until its self-play has asked the network for so many evaluations. Then every network without a technique plays each
network of the full recipe. Prints a table in Markdown, and keeps everything in the folder: called again it does what is
missing. Needs Python 3.11 or later and nothing else.

The effect of a technique is the mean over its matches. Its interval comes from how far the seeds of one recipe differ,
pooled over all recipes, for that is much more than the chance within the matches.
"""
import argparse
import concurrent.futures
import copy
import json
import math
import pathlib
import statistics
import subprocess
import tomllib


def overlaid(table, changes):
    """The table with the changes, key by key; a value of None takes the key out."""
    result = copy.deepcopy(table)
    for key, value in changes.items():
        if value == "none":
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(result.get(key), dict):
            result[key] = overlaid(result[key], value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def toml(value):
    """A value as inline TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def train(hexzero, folder, recipe, seed, evaluations):
    run = folder / "run"
    if (folder / "done").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recipe.toml").write_text("".join(f"{key} = {toml(value)}\n" for key, value in recipe.items()))
    command = [hexzero, "train", "--rate", "0", "--run", run, "--evaluations", str(evaluations), "--workers", "1", "--no-matches"]
    begin = ["--resume"] if (run / "recipe.toml").exists() else ["--recipe", folder / "recipe.toml", "--seed", str(seed)]
    with open(folder / "log", "a") as log:
        subprocess.run(command + begin, stdout=log, stderr=log, check=True)
    (folder / "done").touch()


def match(hexzero, a, b, games, visits, seed):
    """The Elo difference of a against b."""
    kept = a / f"against-{b.parent.name}-{b.name}.json"
    if not kept.exists():
        command = [hexzero, "arena", a / "run", b / "run", "--size", "5", "--visits", str(visits), "--games", str(games)]
        command += ["--seed", str(seed), "--threads", "1", "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        kept.write_text(done.stdout)
    return json.loads(kept.read_text())["elo"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hexzero")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--evaluations", type=int, default=2_000_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--games", type=int, default=100, help="of each match")
    parser.add_argument("--visits", type=int, default=100, help="a move in the matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", help="these techniques alone")
    arguments = parser.parse_args()

    plan = tomllib.loads(pathlib.Path(__file__).with_name("ablations.toml").read_text())
    without = [entry for entry in plan["without"] if not arguments.only or entry["name"] in arguments.only]
    recipes = {"full": plan["full"]} | {entry["name"]: overlaid(plan["full"], entry["change"]) for entry in without}
    folders = {name: [arguments.folder / name.replace(" ", "-") / str(seed) for seed in arguments.seeds] for name in recipes}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        # Seed by seed, so that an interrupted comparison has something to say of every technique.
        runs = [
            pool.submit(train, arguments.hexzero, folders[name][i], recipes[name], seed, arguments.evaluations)
            for i, seed in enumerate(arguments.seeds)
            for name in recipes
        ]
        for run in runs:
            run.result()
        matches = {
            name: [
                [pool.submit(match, arguments.hexzero, a, b, arguments.games, arguments.visits, 1) for b in folders["full"]]
                for a in folders[name]
            ]
            for name in recipes
            if name != "full"
        }
        # The Elo of each seed's network, against the mean of the full recipe's.
        elo = {name: [statistics.mean(m.result() for m in row) for row in rows] for name, rows in matches.items()}

    freedom = sum(len(row) - 1 for row in elo.values())
    spread = math.sqrt(sum(statistics.variance(row) * (len(row) - 1) for row in elo.values()) / freedom)
    # The full recipe's seeds differ among themselves as much as the others do.
    interval = 1.96 * (1 + 1 / freedom) * spread * math.sqrt(2 / len(arguments.seeds))
    print(f"The standard deviation of a seed is {spread:.0f} Elo ({freedom} degrees of freedom).\n")
    print("| without | Elo against the full recipe | of each seed | published |")
    print("|---|---|---|---|")
    for entry in without:
        row = elo[entry["name"]]
        mean = statistics.mean(row)
        seeds = ", ".join(f"{value:+.0f}" for value in row)
        print(f"| {entry['name']} | {mean:+.0f} ({mean - interval:+.0f} to {mean + interval:+.0f}) | {seeds} | {entry['published']} |")


if __name__ == "__main__":
    main()
