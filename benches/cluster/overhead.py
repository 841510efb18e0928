"""Cost of playing over a broker: two workers of one thread against a local run with two threads, in turn.

    python3 benches/cluster/overhead.py target/release/hexzero --pairs 5

With --processes 1 one worker has both threads, which share their cache of evaluations as those of the local run do.
b4c32 on 7×7. In lock step both play the same games, so games an hour of self-play compare one to one; the asynchronous run
plays others, and what counts is games an hour of the whole run. Needs Python 3.11 or later and nats-server.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

from broker import RECIPE, Cluster

MODES = ["lock step", "asynchronous"]


def figures(run, began):
    """Returns games a second of self-play, and of the whole run."""
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    games = sum(line["new_games"] for line in lines)
    return games / sum(line["selfplay_seconds"] for line in lines), games / (time.monotonic() - began)


def local(program, recipe, games):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "recipe.toml").write_text(recipe)
        began = time.monotonic()
        words = f"train --recipe recipe.toml --run a --rate 0 --no-matches --workers 2 --games {games}"
        subprocess.run([program, *words.split()], cwd=path, check=True, stdout=subprocess.DEVNULL)
        return figures(path / "a", began)


def clustered(program, recipe, games, processes, mode):
    with Cluster(program) as cluster:
        (cluster.folder / "recipe.toml").write_text(recipe)
        for number in range(processes):
            cluster.hexzero(f"cluster worker --threads {2 // processes} --name w{number} --cluster {cluster.address}", f"w{number}")
        time.sleep(1)
        began = time.monotonic()
        words = f"train --recipe recipe.toml --run a --rate 0 --no-matches --workers 2 --games {games} {mode}"
        coordinator = cluster.hexzero(f"{words} --cluster {cluster.address}", "coordinator")
        if coordinator.wait():
            raise SystemExit(cluster.said("coordinator"))
        return figures(cluster.folder / "a", began)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--per-iteration", type=int, default=400)
    parser.add_argument("--processes", type=int, choices=[1, 2], default=2, help="workers that share the two threads")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    arguments = parser.parse_args()
    ways = {
        "local": lambda recipe: local(arguments.program, recipe, arguments.games),
        "lock step": lambda recipe: clustered(arguments.program, recipe, arguments.games, arguments.processes, "--lock-step"),
        "asynchronous": lambda recipe: clustered(arguments.program, recipe, arguments.games, arguments.processes, ""),
    }
    ways = {name: way for name, way in ways.items() if name in ("local", *arguments.modes)}
    found = {name: [] for name in ways}
    for pair in range(arguments.pairs):
        recipe = RECIPE.format(seed=pair + 1, games=arguments.per_iteration, reuse=6)
        # In turn, so that a slow hour of the machine affects all alike.
        for name in list(ways)[:: 1 if pair % 2 == 0 else -1]:
            found[name].append(ways[name](recipe))
            print(pair + 1, name, "games/s of self-play {:.2f}, of the run {:.2f}".format(*found[name][-1]), flush=True)
    for name in arguments.modes:
        for kind, what in enumerate(("self-play", "the whole run")):
            ratios = [ours[kind] / theirs[kind] for ours, theirs in zip(found[name], found["local"])]
            print(f"{name}, {what}: median ratio {statistics.median(ratios):.3f}, {min(ratios):.3f} to {max(ratios):.3f}")


if __name__ == "__main__":
    main()
