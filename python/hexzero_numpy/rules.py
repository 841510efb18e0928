"""Cachex: its rules, and what its network is given.

A set of cells is a whole number: bit ``row * width + column`` stands for a cell. Rows are two bits wider than the board,
and these two stay empty: so a step over the edge of a row ends outside the board and not in the next row.
"""

from functools import lru_cache

import numpy as np

TURN_LIMIT, REPETITION_LIMIT, LARGEST_SIZE = 343, 7, 15
# The network's inputs: planes of cells, and single numbers.
PLANES, GLOBALS = 16, 5
STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))


def shifted(bits, offset):
    return bits << offset if offset > 0 else bits >> -offset


class Board:
    """Tables that depend on the board's size alone."""

    def __init__(self, n):
        self.n, self.width = n, n + 2
        self.swap = n * n  # The number of the swap among the actions; a cell's is row * n + column.
        self.bits = [1 << (cell // n * self.width + cell % n) for cell in range(n * n)]
        self.full, row, column = sum(self.bits), sum(self.bits[:n]), sum(self.bits[::n])
        self.sides = (row, row << self.width * (n - 1)), (column, column << (n - 1))
        # Where an action lies in the frame of each player.
        self.frames = [np.append(np.arange(n * n).reshape(n, n).transpose(axes), n * n) for axes in ((0, 1), (1, 0))]
        # The twelve ways to close a diamond: from the stone that does to two enemy stones and to the own one.
        steps = [r * self.width + q for r, q in STEPS]
        self.diamonds = [(steps[i], steps[i - back], steps[i] + steps[i - back]) for back in (1, 2) for i in range(6)]

    def cells_of(self, bits):
        """Returns the numbers of a set's cells, in order."""
        return [cell for cell, bit in enumerate(self.bits) if bits & bit]

    def neighbours(self, bits):
        """Returns the cells beside a set, and perhaps some off the board."""
        below, left = self.width, self.width - 1
        return bits << below | bits >> below | bits << 1 | bits >> 1 | bits << left | bits >> left

    def flood(self, seed, own):
        """Returns the stones of ``own`` that are joined to those in ``seed``."""
        found, more = 0, seed & own
        while more != found:
            found, more = more, (more | self.neighbours(more)) & own
        return found

    @lru_cache(64)
    def joined(self, stones):
        """Returns for each player the stones that are joined to each of their sides."""
        return [[self.flood(side, own) for side in sides] for own, sides in zip(stones, self.sides)]


class Position:
    """Stones on a board, with the turns played and what the last one captured."""

    def __init__(self, board, stones=(0, 0), turns=0, taken=0):
        self.board, self.stones, self.turns, self.taken = board, stones, turns, taken
        self.to_move, self.empty = turns % 2, board.full & ~(stones[0] | stones[1])

    def wins(self, player):
        """Returns the empty cells where a stone of a player wins the game."""
        board, (one, other) = self.board, self.board.joined(self.stones)[player]
        sides = board.sides[player]
        return (board.neighbours(one) | sides[0]) & (board.neighbours(other) | sides[1]) & self.empty

    def captures(self, player):
        """Returns the empty cells where a stone of a player would capture."""
        own, enemy, cells = self.stones[player], self.stones[1 - player], 0
        for a, b, opposite in self.board.diamonds:
            cells |= shifted(enemy, -a) & shifted(enemy, -b) & shifted(own, -opposite)
        return cells & self.empty

    def actions(self, cells):
        """Returns the legal actions among those on some empty cells, in order, and the swap."""
        if self.turns == 0 and self.board.n % 2:
            cells &= ~self.board.bits[self.board.swap // 2]
        return self.board.cells_of(cells) + [self.board.swap] * (self.turns == 1)

    def after(self, action):
        """Returns the position after a legal action."""
        board, mover, taken = self.board, self.to_move, 0
        if action == board.swap:
            turned = [sum(board.bits[board.frames[1][cell]] for cell in board.cells_of(bits)) for bits in self.stones]
            return Position(board, (turned[1], turned[0]), self.turns + 1)
        placed = board.bits[action]
        own, enemy = self.stones[mover] | placed, self.stones[1 - mover]
        near = enemy & board.neighbours(placed)
        for a, b, opposite in board.diamonds if near & (near - 1) else ():
            a, b = enemy & shifted(placed, a), enemy & shifted(placed, b)
            if a and b and own & shifted(placed, opposite):
                taken |= a | b
        enemy &= ~taken
        return Position(board, (enemy, own) if mover else (own, enemy), self.turns + 1, taken)

    def inputs(self, occurrences):
        """Returns the network's inputs, as the mover sees the position: planes [plane, row, column], and numbers."""
        board, n, mover, other = self.board, self.board.n, self.to_move, 1 - self.to_move
        joined = board.joined(self.stones)
        sets = [self.stones[mover], self.stones[other], self.empty, self.captures(mover), self.captures(other), self.taken,
                *board.sides[mover], *board.sides[other], *joined[mover], *joined[other],
                self.wins(mover), self.wins(other)]
        # The last digit is the first cell.
        digits = "".join(format(bits, "0%db" % (n * board.width)) for bits in sets).encode()
        planes = np.frombuffer(digits, np.uint8).reshape(PLANES, n, board.width)[:, ::-1, ::-1][:, :, :n] == ord("1")
        return (planes.transpose(0, 2, 1) if mover else planes), (
            self.turns == 1, self.turns == 0, self.turns / TURN_LIMIT, occurrences / REPETITION_LIMIT, n / LARGEST_SIZE)
