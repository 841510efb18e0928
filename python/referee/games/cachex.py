"""The rules of Cachex, plainly: a dictionary of stones. Slow, and with nothing in common with the players' own."""

from . import IllegalMove

SIZES = range(3, 16)
PLAYERS = ("red", "blue")
OPPONENT = {"red": "blue", "blue": "red"}

# What an action may look like.
ACTIONS = "('PLACE', r, q) with two plain ints, or ('STEAL',)"

TURN_LIMIT = 343
REPETITION_LIMIT = 7


class Board:
    """A game in progress."""

    def __init__(self, n):
        if n not in SIZES:
            raise ValueError("the board has a side of 3 to 15, not %d" % n)
        self.n = n
        self.stones = {}
        self.turns = 0
        self.result = None
        self.seen = {frozenset(): 1}

    @property
    def to_move(self):
        return "red" if self.turns % 2 == 0 else "blue"

    def neighbours(self, cell):
        r, q = cell
        beside = [(r, q - 1), (r, q + 1), (r - 1, q), (r + 1, q), (r - 1, q + 1), (r + 1, q - 1)]
        return {(r, q) for r, q in beside if 0 <= r < self.n and 0 <= q < self.n}

    def check(self, action):
        """Raises IllegalMove if the action cannot be played now."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        if not isinstance(action, tuple) or not action:
            raise IllegalMove("%r is no action; one is %s" % (action, ACTIONS))
        if action == ("STEAL",):
            if self.turns != 1:
                raise IllegalMove("only blue's first move may be a steal")
            return
        if len(action) != 3 or action[0] != "PLACE" or any(type(number) is not int for number in action[1:]):
            raise IllegalMove("%r is no action; one is %s" % (action, ACTIONS))
        cell = action[1:]
        if not all(0 <= number < self.n for number in cell):
            raise IllegalMove("%r is not on the board" % (cell,))
        if cell in self.stones:
            raise IllegalMove("there is a stone on %r" % (cell,))
        if self.turns == 0 and self.n % 2 == 1 and cell == (self.n // 2, self.n // 2):
            raise IllegalMove("the first move may not take the centre")

    def play(self, action):
        """Plays an action, or raises IllegalMove. ``result`` then says whether and how the game has ended."""
        self.check(action)
        player = self.to_move
        if action[0] == "STEAL":
            self.stones = {(q, r): OPPONENT[colour] for (r, q), colour in self.stones.items()}
            won = False
        else:
            cell = action[1:]
            self.stones[cell] = player
            for taken in self.captured(cell):
                del self.stones[taken]
            won = self.joins(cell)
        self.turns += 1
        position = frozenset(self.stones.items())
        self.seen[position] = self.seen.get(position, 0) + 1
        if won:
            self.result = "%s wins: connection" % player
        elif self.seen[position] >= REPETITION_LIMIT:
            self.result = "draw: repetition"
        elif self.turns >= TURN_LIMIT:
            self.result = "draw: turns"

    def captured(self, placed):
        """Returns the stones that a stone just placed takes: pairs of enemy stones at opposite corners of a diamond
        whose other corners are the stone and another of its colour."""
        own, taken = self.stones[placed], set()
        diagonals = []
        for a in self.neighbours(placed) | {placed}:
            for b in self.neighbours(a):
                tips = self.neighbours(a) & self.neighbours(b)
                if len(tips) == 2:
                    diagonals += [((a, b), tuple(tips)), (tuple(tips), (a, b))]
        for mine, theirs in diagonals:
            if placed in mine and all(self.stones.get(cell) == own for cell in mine):
                if all(self.stones.get(cell) == OPPONENT[own] for cell in theirs):
                    taken.update(theirs)
        return taken

    def joins(self, cell):
        """Returns whether the chain of a stone touches both of its player's sides."""
        colour, axis = self.stones[cell], 0 if self.stones[cell] == "red" else 1
        chain, new = {cell}, [cell]
        while new:
            for beside in self.neighbours(new.pop()):
                if beside not in chain and self.stones.get(beside) == colour:
                    chain.add(beside)
                    new.append(beside)
        along = {stone[axis] for stone in chain}
        return 0 in along and self.n - 1 in along


def vertex(action):
    """Returns an action as the Go Text Protocol writes it."""
    return "swap" if action[0] == "STEAL" else "%s%d" % (chr(ord("a") + action[2]), action[1] + 1)


def action(vertex):
    """Returns the action that is written so; raises ValueError or IndexError if there is none."""
    vertex = vertex.lower()
    if vertex in ("swap", "steal", "swap-pieces"):
        return ("STEAL",)
    return ("PLACE", int(vertex[1:]) - 1, ord(vertex[0]) - ord("a"))
