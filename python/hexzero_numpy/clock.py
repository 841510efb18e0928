"""The time of a game: so much CPU for all calls together, measured as the referee does."""

from time import process_time

from .rules import TURN_LIMIT

# Of the whole time this much is never planned with.
SPARE_SHARE = 0.04
SPARE = 0.2

# A game that goes on is expected to last at least so many moves more.
FEWEST_EXPECTED = 8

# The opening is played faster than the rest: the network knows it best.
OPENING_SHARE = 0.6
LATER_SHARE = 1.3

# Most moves of one player that a game can have.
MOST_MOVES = (TURN_LIMIT + 1) // 2


class Clock:
    """Counts the CPU time between ``start`` and ``stop``."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.used = 0.0
        self.begun = None
        # What a move costs at least: one judgement of the network, and following the game.
        self.move_cost = 0.0

    def start(self):
        self.begun = process_time()

    def stop(self):
        self.used += process_time() - self.begun
        self.begun = None

    def now(self):
        """The time used up to now."""
        return self.used + process_time() - self.begun

    def left(self, turns):
        """What can be thought with: not all that is left, since the longest game must be played to its end."""
        to_come = max(0, MOST_MOVES - turns // 2)
        reserved = min(self.move_cost * to_come, self.seconds / 10)
        return self.seconds * (1 - SPARE_SHARE) - min(SPARE, self.seconds / 20) - reserved - self.now()

    def planned(self, cells, turns):
        """How long to think about the move after so many turns."""
        expected = max(FEWEST_EXPECTED, 2 * cells // 5 - turns // 2)
        share = OPENING_SHARE if turns < cells // 8 else LATER_SHARE
        return max(0.0, self.left(turns)) / expected * share
