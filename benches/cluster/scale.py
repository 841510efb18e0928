"""Games a second that a broker and a coordinator can take, from workers that sleep instead of computing.

    cargo bench --features cluster --no-run --bench sleeping_workers    # prints the path of the workers' program
    python3 benches/cluster/scale.py target/release/hexzero target/release/deps/sleeping_workers-…

The games are real ones of 7×7, sent repeatedly; the coordinator checks each by rules and settings, stores it and
learns (with --reuse 6 as the default recipe does; the default here is next to nothing, so that games are the load). Prints a
table in Markdown. Needs Python 3.11 or later, nats-server and Linux.
"""
import argparse
import pathlib
import subprocess
import time

from broker import RECIPE, Cluster, peak_memory, processor_seconds


def measure(arguments, workers):
    with Cluster(arguments.program) as cluster:
        recipe = RECIPE.format(seed=1, games=arguments.games, reuse=arguments.reuse)
        (cluster.folder / "recipe.toml").write_text(recipe)
        learner = cluster.hexzero(
            f"train --recipe recipe.toml --run a --rate 0 --no-matches --verify {arguments.verify} --workers 1 "
            f"--games 1000000000 --cluster {cluster.address}", "coordinator")
        words = [arguments.workers_program, cluster.address, str(workers), str(arguments.game_seconds)]
        crew = cluster.start(words, "workers", stdin=subprocess.PIPE)
        cluster.wait_for("workers", "ready")
        time.sleep(arguments.warm_up)
        watched = {"coordinator": learner, "broker": cluster.broker, "workers": crew}
        before = {name: processor_seconds(process) for name, process in watched.items()}
        first, began = cluster.status(), time.monotonic()
        time.sleep(arguments.seconds)
        last, seconds = cluster.status(), time.monotonic() - began
        if learner.poll() is not None:
            raise SystemExit(cluster.said("coordinator"))
        share = {name: (processor_seconds(process) - before[name]) / seconds for name, process in watched.items()}
        of = lambda status, name: status["coordinator"]["traffic"][name]
        rate = {name: (of(last, name) - of(first, name)) / seconds for name in ("acknowledged", "used", "stale", "bytes")}
        print(f"| {workers} | {workers / arguments.game_seconds:,.0f} | {rate['acknowledged']:,.0f} | {rate['used']:,.0f} | "
              f"{rate['stale']:,.0f} | {rate['bytes'] / 1e6:.2f} | {share['coordinator']:.2f} | {share['broker']:.2f} | "
              f"{share['workers']:.2f} | {peak_memory(learner):.0f} | {peak_memory(cluster.broker):.0f} | "
              f"{last['messages_waiting']} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("workers_program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--workers", type=int, nargs="+", default=[16, 64, 256])
    parser.add_argument("--game-seconds", type=float, default=0.05, help="seconds that a game takes a worker")
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure")
    parser.add_argument("--warm-up", type=float, default=20)
    parser.add_argument("--games", type=int, default=4000, help="games of an iteration")
    parser.add_argument("--reuse", type=float, default=0.001)
    parser.add_argument("--verify", type=float, default=0)
    arguments = parser.parse_args()
    print("| workers | games/s they can play | acknowledged/s | used/s | stale/s | MB/s | coordinator, cores | broker, cores | "
          "workers, cores | coordinator, MiB | broker, MiB | messages waiting |")
    print("|" + "---|" * 12)
    for workers in arguments.workers:
        measure(arguments, workers)


if __name__ == "__main__":
    main()
