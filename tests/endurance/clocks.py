"""Counts the moves and games in which a clock runs out on a busy machine.

    python3 tests/endurance/clocks.py --size 15 --control absolute 1 --games 100 --busy 4
    python3 tests/endurance/clocks.py --game hex --size 11 --control canadian 0 1 1 --moves 1000
    python3 tests/endurance/clocks.py --size 5 --control fischer 0.5 0.05 --games 500

Two engines play each other over GTP, each with a clock, which this script keeps: from the moment that it has written 'genmove' to
the moment that it has read the reply, so that pipes and waiting for a core count. The control is written as in
'kgs-time_settings': absolute MAIN, fischer MAIN INCREMENT, canadian MAIN PERIOD STONES or byoyomi MAIN PERIOD PERIODS. In overtime
a late move is counted, and the game goes on with a new period. Beside the engines run as many processes as --busy says that do
nothing but keep a core. The exit code is 1 if a clock ran out.
"""

import argparse
import multiprocessing
import subprocess
import sys
import time


class Engine:
    """A program that speaks GTP."""

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


class Clock:
    """One side's clock. Of several periods of byoyomi it has one only, as a lost period is counted as late."""

    def __init__(self, kind, main, *rest):
        self.left = main
        self.increment = rest[0] if kind == "fischer" else 0.0
        self.period = rest[0] if kind in ("canadian", "byoyomi") else None
        self.stones = int(rest[1]) if kind == "canadian" else 1
        self.moves = 0
        self.least = float("inf")
        if self.period and not main:
            self.begin_period()

    def begin_period(self):
        self.left, self.moves = self.period, self.stones

    def spend(self, took):
        """Takes a move's time off. Returns by how much it is late, or None."""
        if self.period and not self.moves and took > self.left:
            took -= self.left
            self.begin_period()
        self.left -= took
        self.least = min(self.least, self.left)
        late = -self.left if self.left < 0 else None
        if self.moves:
            self.moves -= 1
            if late or not self.moves:
                self.begin_period()
        else:
            self.left += self.increment
        return late


def keep_a_core():
    while True:
        pass


def play(engines, control, tell, most):
    """Plays a game of at most this many plies. Returns the plies, the clocks, the late moves and what its longest moves took."""
    clocks = [Clock(*control) for _ in engines]
    late, longest = [], [0.0, 0.0]
    for engine in engines:
        engine.ask("clear_board")
        engine.ask("kgs-time_settings " + " ".join(f"{word:g}" if isinstance(word, float) else word for word in control))
    for ply in range(most):
        side = ply % 2
        colour = ("black", "white")[side]
        if tell:
            engines[side].ask(f"time_left {colour} {max(clocks[side].left, 0):.3f} {clocks[side].moves}")
        start = time.monotonic()
        move = engines[side].ask(f"genmove {colour}")
        took = time.monotonic() - start
        longest[side] = max(longest[side], took)
        by = clocks[side].spend(took)
        if by:
            late.append(by)
            if not clocks[side].period:
                return ply + 1, clocks, late, longest
        if move == "resign":
            return ply + 1, clocks, late, longest
        engines[1 - side].ask(f"play {colour} {move}")
        if not engines[0].ask("all_legal_moves"):
            return ply + 1, clocks, late, longest
    return most, clocks, late, longest


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/hexzero")
    parser.add_argument("--game", default="cachex")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=100, help="games to play (default: 100)")
    parser.add_argument("--moves", type=int, help="moves to play, in as many games as that takes")
    parser.add_argument("--control", nargs="+", default=["absolute", "1"], help="the time control (default: absolute 1)")
    parser.add_argument("--seconds", type=float, help="short for --control absolute SECONDS")
    parser.add_argument("--busy", type=int, default=4, help="processes beside the engines (default: 4)")
    parser.add_argument("--tell", action="store_true", help="send the time left before every move")
    options = parser.parse_args()
    kind, *numbers = ["absolute", options.seconds] if options.seconds else options.control
    if len(numbers) != {"absolute": 1, "fischer": 2, "canadian": 3, "byoyomi": 3}.get(kind):
        parser.error("--control is absolute MAIN, fischer MAIN INCREMENT, canadian MAIN PERIOD STONES or byoyomi MAIN PERIOD PERIODS")
    options.control = [kind, *map(float, numbers)]
    return options


def main():
    options = parse()
    busy = [multiprocessing.Process(target=keep_a_core, daemon=True) for _ in range(options.busy)]
    for process in busy:
        process.start()
    engines = [Engine(options.program, options.game, options.size) for _ in range(2)]
    games, late_games, moves, late, least = 0, 0, 0, [], float("inf")
    while moves < options.moves if options.moves else games < options.games:
        most = options.moves - moves if options.moves else 10_000
        played, clocks, late_here, longest = play(engines, options.control, options.tell, most)
        games, moves, late = games + 1, moves + played, late + late_here
        late_games += bool(late_here)
        least = min(least, *(clock.least for clock in clocks))
        print(
            f"game {games}: {played} plies, least time left {clocks[0].least:.3f} s and {clocks[1].least:.3f} s, "
            f"longest moves {longest[0]:.3f} s and {longest[1]:.3f} s" + "".join(f", LATE by {by:.3f} s" for by in late_here),
            flush=True,
        )
    for engine in engines:
        engine.end()
    for process in busy:
        process.terminate()
    print(f"late: {len(late)} of {moves} moves, in {late_games} of {games} games; least time left {least:.3f} s")
    sys.exit(bool(late))


if __name__ == "__main__":
    main()
