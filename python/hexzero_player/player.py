"""The player that a referee talks to."""

import os
import time

from .program import Program, ProgramError

# Of a game's time this share is held back, and so many seconds.
SPARE_SHARE, SPARE = 0.03, 0.3


class Player:
    """Plays ``"red"`` or ``"blue"`` on a board of size ``n``."""

    def __init__(self, player, n):
        begin = time.monotonic()
        if player not in ("red", "blue"):
            raise ValueError("a player is 'red' or 'blue', not %r" % (player,))
        self.colour, self.n = player, n
        setting = os.environ.get
        seconds = float(setting("HEXZERO_SECONDS") or n * n)
        self.seconds = seconds * (1 - SPARE_SHARE) - min(SPARE, seconds / 10)
        words = [setting("HEXZERO") or "hexzero", "gtp", "--game", "cachex", "--size", str(n), "--threads", "1",
                 "--memory", setting("HEXZERO_MEMORY") or "32", "--game-time", "%.3f" % self.seconds]
        if setting("HEXZERO_MODEL"):
            words += ["--model", setting("HEXZERO_MODEL")]
        self.program = Program(words)
        self.program.ask("name")
        # The move that the program has made and that nobody has told us of yet.
        self.made = None
        self.wall = time.monotonic() - begin

    def used(self):
        """The time used so far: by the clock on the wall or of the processor, whichever is more."""
        return max(self.wall, time.process_time() + self.program.cpu_seconds())

    def action(self):
        """The move to play: ``("PLACE", r, q)`` or ``("STEAL",)``."""
        begin = time.monotonic()
        left = max(0.0, self.seconds - self.used())
        self.program.ask("time_left %s %.3f 0" % (self.colour, left))
        vertex = self.program.ask("genmove %s" % self.colour, patience=60 + left)
        self.made = self.action_of(vertex)
        self.wall += time.monotonic() - begin
        return self.made

    def turn(self, player, action):
        """Takes note of a move, whoever made it."""
        begin = time.monotonic()
        made, self.made = self.made, None
        if made is not None and (player, action) != (self.colour, made):
            self.program.ask("undo")
            made = None
        if made is None:
            self.program.ask("play %s %s" % (player, self.vertex(action)))
        self.wall += time.monotonic() - begin

    def vertex(self, action):
        if action[0] == "STEAL":
            return "swap"
        return "%s%d" % (chr(ord("a") + action[2]), action[1] + 1)

    def action_of(self, vertex):
        if vertex == "swap":
            return ("STEAL",)
        try:
            return ("PLACE", int(vertex[1:]) - 1, ord(vertex[0]) - ord("a"))
        except (ValueError, IndexError):
            raise ProgramError("the program wants to play '%s', which is no move" % vertex) from None
