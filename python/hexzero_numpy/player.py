"""The player that a referee talks to."""

import os
from time import process_time

from .network import Network
from .rules import TURN_LIMIT
from .search import Search

# The limit on the address space of the process, in kibibytes, and how much of it is kept in reserve.
MEMORY, SPARE_MEMORY = 100 << 10, 768
# The kibibytes of the tree if the system does not report the address space, or if more than the limit was used before.
OTHERWISE = 8 << 10


def address_space():
    """Returns the most address space of this process so far, in kibibytes; MEMORY if the system does not report it."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmPeak:"))
    except (OSError, StopIteration):
        return MEMORY


class Clock:
    """The CPU time of a game, measured as the referee does: that of ``with`` blocks."""

    def __init__(self, seconds):
        # The cost is the least that a move takes: one evaluation by the network, and following the game.
        self.seconds, self.used, self.move_cost = seconds, 0.0, 0.0

    def __enter__(self):
        self.begun = process_time()

    def __exit__(self, *_):
        self.used = self.now()

    def now(self):
        return self.used + process_time() - self.begun

    def left(self, turns):
        """Returns the time left for thinking: not all that is left, as the longest game must be played to its end."""
        reserved = min(self.move_cost * max(0, (TURN_LIMIT + 1) // 2 - turns // 2), self.seconds / 10)
        return 0.96 * self.seconds - min(0.2, self.seconds / 20) - reserved - self.now()

    def planned(self, cells, turns):
        """Returns the thinking time for a turn; it is shorter in the opening, which the network knows best."""
        expected = max(8, 2 * cells // 5 - turns // 2)
        return max(0.0, self.left(turns)) / expected * (0.6 if turns < cells // 8 else 1.3)


class Player:
    """Plays ``"red"`` or ``"blue"`` on a board of size ``n``, in n² or HEXZERO_SECONDS seconds of CPU."""

    def __init__(self, player, n):
        if player not in ("red", "blue"):
            raise ValueError("a player is 'red' or 'blue', not %r" % (player,))
        self.n, self.clock = n, Clock(float(os.environ.get("HEXZERO_SECONDS") or n * n))
        with self.clock:
            # With fewer than 400 cells at a time, NumPy is busier with its loops than with numbers.
            weights = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.npz")
            network = Network(weights, n, max(2, min(8, 400 // (n * n))))
            network.evaluate()  # For the memory that this takes.
            used = address_space()
            self.search = Search(n, network, (MEMORY - SPARE_MEMORY - used if used < MEMORY else OTHERWISE) << 10)

    def action(self):
        """Returns the move to play, as the referee writes it: ``("PLACE", r, q)`` or ``("STEAL",)``."""
        with self.clock:
            action = self.choose()
        return ("STEAL",) if action == self.n ** 2 else ("PLACE", action // self.n, action % self.n)

    def turn(self, player, action):
        """Records a move of either player."""
        with self.clock:
            self.search.advance(self.n ** 2 if action[0] == "STEAL" else int(action[1]) * self.n + int(action[2]))

    def choose(self):
        clock, search, position = self.clock, self.search, self.search.position
        begun, winning = clock.now(), position.wins(position.to_move)
        if winning:
            return position.actions(winning)[0]
        if clock.left(position.turns) <= clock.move_cost:
            return search.best()[0] if search.moves[0] else position.actions(position.empty)[0]
        if not search.moves[0]:
            search.visit()
        clock.move_cost = max(clock.move_cost, 1.5 * (clock.now() - begun))
        planned, visits_before = clock.planned(self.n ** 2, position.turns), search.visits[0]
        longest = min(2 * planned, clock.left(position.turns))
        while search.moves[0] > 1 and not search.known[0]:
            spent, done = clock.now() - begun, search.visits[0] - visits_before
            # If nothing can overtake the best move any more, the time is better spent later.
            visits = sorted(search.visits[child] for child in search.below(0))
            early = done >= 64 and visits[-1] - sum(visits[-2:-1]) > done / spent * max(0.0, planned - spent)
            if spent >= longest or ((early or spent >= planned) and search.best()[1]):
                break
            search.visit()
        return search.best()[0]
