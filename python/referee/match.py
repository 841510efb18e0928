"""A game between two players, with their limits."""

import os
import select
import subprocess
import sys
import time

from .games import DEFAULT, IllegalMove, game_named
from .seat import action_of


class Forfeit(Exception):
    """The fault by which a player loses."""

    def __init__(self, player, why):
        super().__init__(why)
        self.player = player


class Failure(Forfeit):
    """An exception that a player raised."""


class NoPlayer(Exception):
    """A module that cannot be loaded: no game can be played with it."""


class Seat:
    """A player in a process of its own."""

    def __init__(self, player, module, seconds, mebibytes, patience=None):
        self.player, self.module, self.seconds, self.mebibytes = player, module, seconds, mebibytes
        self.used, self.peak = 0.0, 0
        # Other processes may want the processor too, so a call may take longer by the clock on the wall.
        self.patience = 60 + 10 * seconds if patience is None else patience
        here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        paths = [os.getcwd(), here] + [path for path in [os.environ.get("PYTHONPATH")] if path]
        variables = dict(os.environ, PYTHONPATH=os.pathsep.join(paths))
        self.process = subprocess.Popen([sys.executable, "-m", "referee.seat", module], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=variables)
        self.pending = b""

    def load(self):
        """Loads the player's module."""
        try:
            self.ask("load")
        except Failure as fault:
            raise NoPlayer("'%s' cannot be loaded: %s" % (self.module, fault)) from None

    def ask(self, question):
        """Asks the player and returns the answer; raises Forfeit if there is none within the limits."""
        try:
            self.process.stdin.write((question + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Forfeit(self.player, "its process has ended") from None
        line = self.line()
        try:
            used, peak, outcome, *answer = line.split(" ", 3)
            self.used, self.peak = float(used), int(peak)
        except ValueError:
            raise Forfeit(self.player, "its process says '%s'" % line) from None
        if outcome != "ok":
            raise Failure(self.player, " ".join(answer))
        if self.used > self.seconds:
            raise Forfeit(self.player, "it took %.2f s of %.2f s" % (self.used, self.seconds))
        if self.mebibytes and self.peak > self.mebibytes * 1024:
            raise Forfeit(self.player, "it took %.1f MB of %.1f MB" % (self.peak / 1024, self.mebibytes))
        return answer[0] if answer else ""

    def line(self):
        deadline = time.monotonic() + self.patience
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Forfeit(self.player, "no answer in %.0f s" % self.patience)
            more = os.read(self.process.stdout.fileno(), 4096)
            if not more:
                raise Forfeit(self.player, "its process has ended")
            self.pending += more
        line, self.pending = self.pending.split(b"\n", 1)
        return line.decode(errors="replace")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Match:
    """A game from the first move to the last; ``result`` says how it ended."""

    def __init__(self, n, modules, seconds=None, mebibytes=100, patience=None, game=DEFAULT):
        """``modules`` are those of the first player and of the second."""
        self.game = game_named(game)
        self.board = self.game.Board(n)
        self.moves = []
        self.result = None
        self.seats = {}
        self.seconds = n * n if seconds is None else seconds
        self.modules = dict(zip(self.game.PLAYERS, modules))
        self.mebibytes, self.patience = mebibytes, patience

    def play(self, watch=lambda player, action: None):
        """Plays the game; ``watch`` is called with every move. Raises NoPlayer if a module cannot be loaded."""
        n, board = self.board.n, self.board
        try:
            for player, module in self.modules.items():
                self.seats[player] = Seat(player, module, self.seconds, self.mebibytes, self.patience)
            for seat in self.seats.values():
                seat.load()
            for player, seat in self.seats.items():
                seat.ask("init %s %d" % (player, n))
            while board.result is None:
                player = board.to_move
                text = self.seats[player].ask("action")
                if not text or text.startswith("?"):
                    raise Forfeit(player, "%s is no action; one is %s" % (text[1:], self.game.ACTIONS))
                try:
                    action = action_of(text.split())
                    board.play(action)
                except (IllegalMove, ValueError) as problem:
                    raise Forfeit(player, "illegal move '%s': %s" % (text, problem)) from None
                self.moves.append(action)
                watch(player, action)
                for seat in self.seats.values():
                    seat.ask("turn %s %s" % (player, " ".join(map(str, action))))
            self.result = board.result
        except Forfeit as fault:
            self.result = "%s wins: %s forfeits: %s" % (self.game.OPPONENT[fault.player], fault.player, fault)
        finally:
            for seat in self.seats.values():
                seat.close()
        return self.result
