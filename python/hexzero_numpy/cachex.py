"""Cachex: its rules, what its networks are given, and how a referee writes its players and actions.

Sets of cells are whole numbers: bit ``row * width + column`` stands for a cell. Rows are two bits wider than the board,
and these two stay empty: so a step over the edge of a row ends outside the board and not in the next row.
"""

import numpy as np

RED, BLUE = 0, 1
TURN_LIMIT = 343
REPETITION_LIMIT = 7
LARGEST_SIZE = 15

# The players as a referee names them.
PLAYERS = ("red", "blue")

# What the network is given: planes of cells and single numbers; and how many actions are on no cell: the swap.
PLANES = 16
GLOBALS = 5
EXTRA_ACTIONS = 1

# Below left, below right, right, above right, above left, left.
STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


def diamonds():
    """The twelve ways to close a diamond, as steps from the stone that does: two enemy stones, and the own one."""
    for i in range(12):
        a, b = STEPS[i % 6], STEPS[(i + 5 - i // 6) % 6]
        yield a, b, (a[0] + b[0], a[1] + b[1])


class Board:
    """A board's size and what follows from it; the same for all positions."""

    def __init__(self, n):
        self.n = n
        self.cells = n * n
        self.swap = n * n  # The number of the swap among the actions; a cell's is row * n + column.
        self.width = width = n + 2
        self.bits = [1 << (cell // n * width + cell % n) for cell in range(n * n)]
        self.set_bytes = (n * width + 7) // 8  # Of a set of cells, most significant first, the board's rows at the end.
        self.full = sum(self.bits)
        row, column = (1 << n) - 1, sum(1 << (r * width) for r in range(n))
        # The two sides of each player.
        self.sides = ((row, row << (width * (n - 1))), (column, column << (n - 1)))
        # Where a cell lies in the frame of each player.
        self.frames = (list(range(n * n)), [cell % n * n + cell // n for cell in range(n * n)])
        self.centre = n * n // 2 if n % 2 else -1
        self.offsets = [r * width + q for r, q in STEPS]
        self.diamonds = [tuple(r * width + q for r, q in diamond) for diamond in diamonds()]
        self.patterns = [self._patterns(cell) for cell in range(n * n)]

    def _patterns(self, cell):
        """The diamonds that a stone on a cell can close: the pair that it would take, and the own stone."""
        n, found = self.n, []
        for diamond in diamonds():
            corners = [(cell // n + r, cell % n + q) for r, q in diamond]
            if all(0 <= r < n and 0 <= q < n for r, q in corners):
                a, b, opposite = [self.bits[r * n + q] for r, q in corners]
                found.append((a | b, opposite))
        return found

    def cells_of(self, bits):
        """The numbers of a set's cells, in order."""
        return [cell for cell, bit in enumerate(self.bits) if bits & bit]

    def transposed(self, bits):
        """The set with rows and columns exchanged."""
        return sum(self.bits[self.frames[BLUE][cell]] for cell in self.cells_of(bits))

    def told(self, action):
        """An action as a referee writes it: ``("PLACE", r, q)`` or ``("STEAL",)``."""
        return ("STEAL",) if action == self.swap else ("PLACE", action // self.n, action % self.n)

    def action(self, told):
        """The number of an action that a referee writes so."""
        return self.swap if told[0] == "STEAL" else int(told[1]) * self.n + int(told[2])

    def neighbours(self, bits):
        """The cells beside a set, and perhaps some of it."""
        below, right, below_left = self.width, 1, self.width - 1
        return (bits << below | bits >> below | bits << right | bits >> right | bits << below_left
                | bits >> below_left) & self.full

    def flood(self, seed, own):
        """The stones of ``own`` that are joined to those of them in ``seed``."""
        found = seed & own
        below, below_left = self.width, self.width - 1
        while True:
            more = (found | found << below | found >> below | found << 1 | found >> 1 | found << below_left
                    | found >> below_left) & own
            if more == found:
                return found
            found = more

    def joined(self, player, own):
        """A player's stones that are joined to each of their sides."""
        one, other = self.sides[player]
        return self.flood(one, own), self.flood(other, own)

    def completing(self, player, joined, empty):
        """The empty cells where a stone wins the game."""
        one, other = self.sides[player]
        return (self.neighbours(joined[0]) | one) & (self.neighbours(joined[1]) | other) & empty

    def captured(self, cell, own, enemy):
        """What a stone of ``own`` just placed takes off the board."""
        taken = 0
        for pair, opposite in self.patterns[cell]:
            if enemy & pair == pair and own & opposite:
                taken |= pair
        return taken

    def capturing(self, own, enemy, empty):
        """The empty cells where a stone would capture."""
        cells = 0
        for a, b, opposite in self.diamonds:
            pair = shifted(enemy, -a) & shifted(enemy, -b)
            if pair:
                cells |= pair & shifted(own, -opposite)
        return cells & empty


def shifted(bits, offset):
    return bits << offset if offset > 0 else bits >> -offset


class Position:
    """Stones on a board, with whose turn it is and what was captured last."""

    __slots__ = ("board", "stones", "turns", "taken")

    def __init__(self, board, stones=(0, 0), turns=0, taken=0):
        self.board, self.stones, self.turns, self.taken = board, stones, turns, taken

    @property
    def to_move(self):
        return self.turns % 2

    def empty(self):
        return self.board.full & ~(self.stones[0] | self.stones[1])

    def playable(self):
        """The cells where a stone may be placed."""
        empty, board = self.empty(), self.board
        if self.turns == 0 and board.centre >= 0:
            empty &= ~board.bits[board.centre]
        return empty

    def extra_actions(self):
        """The numbers of the legal actions that are on no cell."""
        return [self.board.swap] if self.turns == 1 else []

    def legal(self):
        """The numbers of the legal actions in order, if the game is not over."""
        return self.board.cells_of(self.playable()) + self.extra_actions()

    def after(self, action):
        """The position after a legal action."""
        board, mover = self.board, self.turns % 2
        if action == board.swap:
            red, blue = self.stones
            return Position(board, (board.transposed(blue), board.transposed(red)), self.turns + 1)
        own, enemy = self.stones[mover] | board.bits[action], self.stones[1 - mover]
        taken = board.captured(action, own, enemy)
        enemy &= ~taken
        return Position(board, (own, enemy) if mover == RED else (enemy, own), self.turns + 1, taken)

    def winner(self):
        """The player whose sides are joined, or None."""
        for player in (RED, BLUE):
            one, other = self.board.sides[player]
            if self.board.flood(one, self.stones[player]) & other:
                return player
        return None


class Game:
    """A position with its past, from which repetitions are known."""

    def __init__(self, n):
        self.position = Position(Board(n))
        self.seen = {self.position.stones: 1}
        self.over = False
        self.winner = None

    @property
    def occurrences(self):
        return self.seen[self.position.stones]

    def play(self, action):
        """Plays a legal action."""
        self.position = position = self.position.after(action)
        self.seen[position.stones] = self.seen.get(position.stones, 0) + 1
        self.winner = position.winner()
        self.over = (self.winner is not None or self.occurrences >= REPETITION_LIMIT
                     or position.turns >= TURN_LIMIT)

    def worth_trying(self, position, joined):
        """The empty cells where a stone does not lose at once, in a position after this one: if the other side can win
        with its next move, a stone must take that cell, or capture something."""
        board, mover = position.board, position.to_move
        empty = position.empty()
        threats = board.completing(1 - mover, joined[1 - mover], empty)
        if not threats or position.turns + 2 > TURN_LIMIT or max(self.seen.values()) >= REPETITION_LIMIT - 2:
            return position.playable()
        captures = board.capturing(position.stones[mover], position.stones[1 - mover], empty)
        return captures | threats if threats & (threats - 1) == 0 else captures


def grid(n):
    """The rows and columns of the network's arrays for a board."""
    return n, n


def windows(n):
    """For each tap of a hexagonal convolution which part of the board it is read from, and for which part."""
    for r, q in ((0, 0),) + STEPS:
        to = (slice(max(0, -r), n - max(0, r)), slice(max(0, -q), n - max(0, q)))
        source = (slice(max(0, r), n + min(0, r)), slice(max(0, q), n + min(0, q)))
        yield to, source


class Inputs:
    """What the network sees of a position."""

    def __init__(self, board):
        self.board = board

    def write(self, position, joined, occurrences, cells, scalars):
        """Writes the planes of a position into [plane, row, column] and its numbers into [number]; ``joined`` are
        each player's stones that are joined to their sides."""
        board, mover = self.board, position.to_move
        own, enemy = position.stones[mover], position.stones[1 - mover]
        empty = position.empty()
        sets = (
            own, enemy, empty,
            board.capturing(own, enemy, empty), board.capturing(enemy, own, empty), position.taken,
            board.sides[mover][0], board.sides[mover][1], board.sides[1 - mover][0], board.sides[1 - mover][1],
            joined[mover][0], joined[mover][1], joined[1 - mover][0], joined[1 - mover][1],
            board.completing(mover, joined[mover], empty), board.completing(1 - mover, joined[1 - mover], empty),
        )
        packed = np.frombuffer(b"".join(bits.to_bytes(board.set_bytes, "big") for bits in sets), np.uint8)
        n, width = board.n, board.width
        # The last bit is the first cell.
        flat = np.unpackbits(packed).reshape(PLANES, -1)[:, ::-1][:, :n * width]
        planes = flat.reshape(PLANES, n, width)[:, :, :n]
        cells[...] = planes if mover == 0 else planes.transpose(0, 2, 1)
        turns = position.turns
        scalars[...] = (turns == 1, turns == 0, turns / TURN_LIMIT, occurrences / REPETITION_LIMIT, n / LARGEST_SIZE)
