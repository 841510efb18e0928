"""The player that a referee talks to."""

import os
import time

from .program import Program, ProgramError

# The colours that the program knows in every game.
COLOURS = {"red": "b", "blue": "w"}


def vertex_of(action):
    """Returns the program's name of an action, ``("PLACE", r, q)`` or ``("STEAL",)``: column letter, row number."""
    return "swap" if action[0] == "STEAL" else "%s%d" % (chr(ord("a") + action[2]), action[1] + 1)


def action_of(vertex):
    """Returns the action with this name."""
    if vertex in ("swap", "swap-pieces"):
        return ("STEAL",)
    try:
        return ("PLACE", int(vertex[1:]) - 1, ord(vertex[0]) - ord("a"))
    except (ValueError, IndexError):
        raise ProgramError("the program wants to play '%s', which is no move" % vertex) from None


class Player:
    """Plays ``"red"`` or ``"blue"`` on a board of size ``n``; the game is by default that of HEXZERO_GAME."""

    def __init__(self, player, n, game=None):
        begin = time.monotonic()
        if player not in COLOURS:
            raise ValueError("a player is 'red' or 'blue', not %r" % (player,))
        self.colour = player
        setting = os.environ.get
        seconds = float(setting("HEXZERO_SECONDS") or n * n)
        # Some of the time is held back.
        self.seconds = 0.97 * seconds - min(0.3, seconds / 10)
        game = game or setting("HEXZERO_GAME") or "cachex"
        words = [setting("HEXZERO") or "hexzero", "gtp", "--game", game, "--size", str(n), "--threads", "1",
                 "--memory", setting("HEXZERO_MEMORY") or "32", "--game-time", "%.3f" % self.seconds]
        if setting("HEXZERO_MODEL"):
            words += ["--model", setting("HEXZERO_MODEL")]
        self.program = Program(words)
        self.program.ask("name")
        # The move that the program has made and that the referee has not reported yet.
        self.made = None
        self.wall = time.monotonic() - begin

    def used(self):
        """Returns the time used so far: by the clock on the wall or of the processor, whichever is more."""
        return max(self.wall, time.process_time() + self.program.cpu_seconds())

    def action(self):
        """Returns the move to play, as the referee writes it."""
        begin = time.monotonic()
        left = max(0.0, self.seconds - self.used())
        self.program.ask("time_left %s %.3f 0" % (COLOURS[self.colour], left))
        vertex = self.program.ask("genmove %s" % COLOURS[self.colour], patience=60 + left)
        self.made = action_of(vertex)
        self.wall += time.monotonic() - begin
        return self.made

    def turn(self, player, action):
        """Records a move of either player."""
        begin = time.monotonic()
        made, self.made = self.made, None
        if made is not None and (player, action) != (self.colour, made):
            self.program.ask("undo")
            made = None
        if made is None:
            self.program.ask("play %s %s" % (COLOURS[player], vertex_of(action)))
        self.wall += time.monotonic() - begin
