"""How well a review agrees with a deeper one about the same games: weak games, so that there is something to find.

    cargo build --release
    python3 benches/review/agreement.py target/release/hexzero [--game hex] [--size 9] [--games 10] [--times 10]

Plays games between two weak levels, reviews each with the default number of visits and with --times as many, and
prints, over all games: the blunders of the default review that the deeper one calls so, too; the blunders that both found
as a share of those that either found; the share of blunders of one
review that the other calls a mistake at least; the share of moves with the same verdict; and seconds a review.
Everything is drawn from --seed, so only the seconds differ between runs. At 9×9 the deeper reviews take about a minute
each on two cores.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def run(*command):
    """Runs a command and returns what it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def weak_games(program, options, folder):
    """Plays games between two weak levels and returns them as lines of a file."""
    path = os.path.join(folder, "games.jsonl")
    first, second = (f"shipped@level={level}" for level in options.levels.split(","))
    run(program, "arena", first, second, "--game", options.game, "--size", str(options.size),
        "--games", str(options.games), "--seed", str(options.seed), "--save", path)
    with open(path) as file:
        return file.read().splitlines()


def review(program, game, visits, folder):
    """Reviews a game, with the default number of visits if none is given; returns the review and its seconds."""
    path = os.path.join(folder, "game.jsonl")
    with open(path, "w") as file:
        file.write(game + "\n")
    begun = time.monotonic()
    limits = [] if visits is None else ["--visits", str(visits)]
    found = json.loads(run(program, "review", path, "--json", *limits))
    return found, time.monotonic() - begun


def share(part, whole):
    """Returns a part of a whole in percent."""
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def main():
    parser = argparse.ArgumentParser(description="Compares reviews with deeper ones.")
    parser.add_argument("program", help="the program, such as target/release/hexzero")
    parser.add_argument("--game", default="hex")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--levels", default="beginner,casual", help="the levels of the two players")
    parser.add_argument("--visits", type=int, help="of the shallower review (default: the program's own)")
    parser.add_argument("--times", type=int, default=10, help="how many times as deep the other review is")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    moves, same, first, both, either, confirmed, named = 0, 0, 0, 0, 0, 0, 0
    seconds = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        games = weak_games(options.program, options, folder)
        for number, game in enumerate(games, 1):
            quick, quick_seconds = review(options.program, game, options.visits, folder)
            deep, deep_seconds = review(options.program, game, quick["visits"] * options.times, folder)
            seconds = [seconds[0] + quick_seconds, seconds[1] + deep_seconds]
            verdicts = [(one["fault"], other["fault"]) for one, other in zip(quick["moves"], deep["moves"])]
            moves += len(verdicts)
            same += sum(one == other for one, other in verdicts)
            first += sum(one == "blunder" for one, _ in verdicts)
            both += sum(pair == ("blunder", "blunder") for pair in verdicts)
            either += sum("blunder" in pair for pair in verdicts)
            for one, other in verdicts + [(other, one) for one, other in verdicts]:
                named += one == "blunder"
                confirmed += one == "blunder" and other in ("mistake", "blunder")
            print(f"game {number}: {len(verdicts)} moves, blunders "
                  f"{sum(one == 'blunder' for one, _ in verdicts)} and {sum(other == 'blunder' for _, other in verdicts)}, "
                  f"{quick_seconds:.1f} s and {deep_seconds:.1f} s", flush=True)
    print(f"blunders that the deeper review calls so, too: {share(both, first)}")
    print(f"blunders that both found: {share(both, either)}")
    print(f"blunders that the other review calls a mistake at least: {share(confirmed, named)}")
    print(f"moves with the same verdict: {share(same, moves)}")
    print(f"seconds a review: {seconds[0] / len(games):.1f} and {seconds[1] / len(games):.1f}")


if __name__ == "__main__":
    main()
