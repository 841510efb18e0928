"""Counts the games in which a clock runs out on a busy machine.

    python3 tests/endurance/clocks.py --program target/release/hexzero --games 100 --seconds 1 --size 15 --busy 4

Two engines play each other over GTP, each with a clock for the whole game, which this script keeps: from the moment that it has
written 'genmove' to the moment that it has read the reply, so that pipes and waiting for a core count. Beside them run as many
processes as --busy says that do nothing but keep a core. The exit code is 1 if a clock ran out.
"""

import argparse
import multiprocessing
import subprocess
import sys
import time


class Engine:
    """A program that speaks GTP, with the time that it has left."""

    def __init__(self, program, game, size):
        words = [program, "gtp", "--game", game, "--size", str(size)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the program ended at '{command}'")
            if line.strip():
                lines.append(line.strip())
            elif lines:
                break
        reply = " ".join(lines)
        if not reply.startswith("="):
            raise SystemExit(f"'{command}' was answered by '{reply}'")
        return reply[1:].strip()

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def keep_a_core():
    while True:
        pass


def play(engines, seconds, tell):
    """Plays a game. Returns the plies, the time left of each side, and what its moves took."""
    left = [seconds, seconds]
    longest = [0.0, 0.0]
    for engine in engines:
        engine.ask("clear_board")
        engine.ask(f"kgs-time_settings absolute {seconds}")
    for ply in range(10_000):
        side = ply % 2
        if tell:
            engines[side].ask(f"time_left {('black', 'white')[side]} {max(left[side], 0):.3f} 0")
        start = time.monotonic()
        move = engines[side].ask(f"genmove {('black', 'white')[side]}")
        took = time.monotonic() - start
        left[side] -= took
        longest[side] = max(longest[side], took)
        if move == "resign":
            return ply, left, longest
        engines[1 - side].ask(f"play {('black', 'white')[side]} {move}")
        if is_over(engines[0]):
            return ply + 1, left, longest
    return 10_000, left, longest


def is_over(engine):
    """Whether there is no legal move."""
    return not engine.ask("all_legal_moves")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/hexzero")
    parser.add_argument("--game", default="cachex")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--busy", type=int, default=4)
    parser.add_argument("--tell", action="store_true", help="send the time left before every move")
    options = parser.parse_args()

    busy = [multiprocessing.Process(target=keep_a_core, daemon=True) for _ in range(options.busy)]
    for process in busy:
        process.start()
    engines = [Engine(options.program, options.game, options.size) for _ in range(2)]
    overstepped, least, plies = 0, options.seconds, []
    for number in range(options.games):
        played, left, longest = play(engines, options.seconds, options.tell)
        plies.append(played)
        least = min(least, *left)
        overstepped += min(left) < 0
        print(
            f"game {number + 1}: {played} plies, left {left[0]:.3f} s and {left[1]:.3f} s, "
            f"longest moves {longest[0]:.3f} s and {longest[1]:.3f} s{'  OVERSTEPPED' if min(left) < 0 else ''}",
            flush=True,
        )
    for engine in engines:
        engine.end()
    for process in busy:
        process.terminate()
    print(f"{overstepped} of {options.games} games overstepped; least time left {least:.3f} s; {max(plies)} plies at most")
    sys.exit(overstepped > 0)


if __name__ == "__main__":
    main()
