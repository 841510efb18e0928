"""The player that a referee talks to."""

import os

from .clock import Clock
from .network import Network
from .rules import PLAYERS, Game
from .search import Search, node_bytes

WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.npz")

# Kibibytes of address space that the process may come to. What Python and NumPy take is known only at run time.
MEMORY = 100 << 10
# Of which this much is left to chance.
SPARE_MEMORY = 512
# What OpenBLAS takes for its buffers at the first multiplication.
BLAS_MEMORY = 40 << 10
# Assumed if the system does not report it, or if so much was used before that not all of it can count.
OTHERWISE = 10 << 10
FEWEST_NODES, MOST_NODES = 400, 20000

# So many cells are judged at a time: fewer, and NumPy is busier with its loops than with numbers.
CELLS_AT_A_TIME = 400


def address_space():
    """The most address space that this process has had, in kibibytes; none if the system does not report it."""
    try:
        with open("/proc/self/status") as status:
            for line in status:
                if line.startswith("VmPeak:"):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


class Player:
    """Plays the first or the second player, by the name that the rules give it, on a board of size ``n``.

    The environment variable HEXZERO_SECONDS says how much CPU time the whole game may take, if not n² seconds.
    """

    def __init__(self, player, n):
        self.clock = Clock(float(os.environ.get("HEXZERO_SECONDS") or n * n))
        self.clock.start()
        if player not in PLAYERS:
            raise ValueError("a player is '%s' or '%s', not %r" % (PLAYERS + (player,)))
        self.game = Game(n)
        used = address_space()
        left = MEMORY - SPARE_MEMORY - used if used and used < MEMORY else OTHERWISE
        blas = left >= 2 * BLAS_MEMORY
        board = self.game.position.board
        batch = max(2, min(8, CELLS_AT_A_TIME // board.cells))
        network = Network(WEIGHTS, n, batch, blas)
        left -= network.kibibytes() + (BLAS_MEMORY if blas else 0)
        capacity = max(FEWEST_NODES, min(MOST_NODES, (left << 10) // node_bytes(board)))
        self.search = Search(self.game, network, capacity)
        self.clock.stop()

    def action(self):
        """The move to play, as the referee writes it."""
        self.clock.start()
        action = self.choose()
        self.clock.stop()
        return self.game.position.board.told(action)

    def turn(self, player, action):
        """Records a move of either player."""
        self.clock.start()
        self.search.advance(self.game.position.board.action(action))
        self.clock.stop()

    def choose(self):
        position, clock, search = self.game.position, self.clock, self.search
        board, turns = position.board, position.turns
        joined = board.joined(position.to_move, position.stones[position.to_move])
        winning = board.completing(position.to_move, joined, position.empty())
        if winning:
            return board.cells_of(winning)[0]
        begun = clock.now()
        if clock.left(turns) <= clock.move_cost:
            return position.legal()[0] if search.root else search.best()[0]
        search.judge_root()
        clock.move_cost = max(clock.move_cost, 1.5 * (clock.now() - begun))

        planned = clock.planned(board.cells, turns)
        longest = min(2 * planned, clock.left(turns))
        visits_before = search.visits[0]
        while search.moves[0] > 1 and not search.known[0]:
            spent = clock.now() - begun
            if spent >= longest or (spent >= planned and search.best()[1]):
                break
            done = search.visits[0] - visits_before
            # If nothing can overtake the best move any more, the time is better spent later.
            if done >= 64 and search.lead() > done / spent * max(0.0, planned - spent) and search.best()[1]:
                break
            search.visit()
        return search.best()[0]
