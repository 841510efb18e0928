"""``Network.evaluate`` from Python beside ``hexzero bench``: positions a second on all cores.

    pip install ./python
    cargo build --release
    python3 benches/python_evaluation.py target/release/hexzero [ROUNDS]

The networks are those of ``hexzero bench``, with random weights; ``evaluate`` gets 4,096 different positions at a time and also
finds their legal moves, encodes them and makes arrays, which the benchmark does not. The two run in turn; medians over all
rounds are printed.
"""

import json
import statistics
import subprocess
import sys
import time

import numpy as np

import hexzero

#: Blocks, channels and the board's size.
STANDARD = [(4, 32, 7), (6, 64, 9), (10, 128, 11)]
POSITIONS = 4096
MEASURED_SECONDS = 2.0


def network(blocks, channels):
    """Returns a network with random weights, none of them zero: layers of zeros would have nothing to multiply."""
    rng = np.random.default_rng(1)
    sizes = {"blocks": blocks, "channels": channels, "policy_channels": min(channels, 32), "value_channels": 64}
    tensors = hexzero.Network.random("cachex", **sizes).to_dict()
    for name, values in tensors.items():
        if not values.any():
            tensors[name] = rng.uniform(-0.03, 0.03, values.shape)
    return hexzero.Network.from_dict(tensors, "cachex")


def positions(size):
    """Returns positions of random games, beginning with the first."""
    rng, states = np.random.default_rng(1), []
    state = hexzero.State("cachex", size)
    while len(states) < POSITIONS:
        states.append(state)
        state = state.apply(int(rng.choice(state.legal_actions())))
        if state.is_terminal:
            state = hexzero.State("cachex", size)
    return states


def from_python(blocks, channels, size):
    judge, states = network(blocks, channels), positions(size)
    judge.evaluate(states)
    rounds, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < MEASURED_SECONDS:
        judge.evaluate(states)
        rounds += 1
    return rounds * POSITIONS / (time.perf_counter() - begun)


def benchmark(program):
    """Returns the speeds with the best kernel and the most threads, by network."""
    printed = subprocess.run([program, "bench", "--part", "evaluations", "--json"], stdout=subprocess.PIPE, check=True)
    speeds = {}
    for row in json.loads(printed.stdout)["evaluations"]:
        key = (row["threads"], row["batch"])
        if key > speeds.get(row["network"], ((0, 0), 0))[0]:
            speeds[row["network"]] = (key, row["positions_per_second"])
    return {name: speed for name, (_, speed) in speeds.items()}


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    found = {}
    for _ in range(rounds):
        speeds = benchmark(program)
        for blocks, channels, size in STANDARD:
            name = "b%dc%d" % (blocks, channels)
            found.setdefault((name, size), []).append((from_python(blocks, channels, size), speeds[name]))
    for (name, size), pairs in found.items():
        python, program = (statistics.median(column) for column in zip(*pairs))
        print("%-8s %2d×%-2d  Python %8.0f  hexzero bench %8.0f  ratio %.2f" % (
            name, size, size, python, program, python / program))


if __name__ == "__main__":
    main()
