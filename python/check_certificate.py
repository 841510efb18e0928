"""Checks a certificate: a file that proves who wins a position of Hex.

    python3 python/check_certificate.py FILE

Prints one sentence. Exit status: 0 if the file proves its position, 1 if it does not, 2 if there is no such file.
Needs nothing but Python 3.9, and shares no code with the engine. Positions are those of Hex without the swap.

Why each rule is right. The winner is the player who is said to win. On a full board of Hex exactly one player has
joined its sides, and neither another stone nor another move ever harms a player. Let A be stones of the winner and E
a set of cells. The *position* (A, E) has the stones A, the empty cells E, and the loser's stones on all other cells.
A claim says: the winner wins the position (A, E), moving first (rule m) or second (r, v; f: as the claim it refers to);
the latter implies the former. It stays true if E grows, and proves all boards where A are the winner's and E are empty:
whatever else is there is at worst the loser's. Numbers of stones do not matter. Claims refer to earlier ones only.
m  The winner plays the key, which makes the position (A + key, E - key), at least as good as the claim's (A', E').
r  The loser plays some cell of E. No cell is in all Ei, so one of them is still empty: the winner wins by its claim.
v  A connection of two ends u and v (stones or sides of the winner) with a carrier promises: if the loser moves first,
   the winner can join u and v by playing in the carrier only. One of the sides with a carrier within E wins (A, E).
   =  u and v are in one chain: no move is needed.
   &  X joins u to a stone b, and Y joins b to v, in disjoint carriers: the winner replies where the loser has played.
   |  No cell is in all of the semi connections, so after any move of the loser one is still empty. The winner plays its
      key, now a stone, and goes on as in &. Keys are neither in A nor played before on the way down, so they are empty.
f  Each fill, in turn, leaves the winner of the position as it was, whoever is to move.
   Dead cell c: take the cells around c that the winner has or may get (in A + E), and the winner's sides there. Suppose
   any two of them are next to each other, or both part of or next to the same chain of A and the winner's sides that
   avoids c. However E is filled, a path of the winner through c can then go round it, so the colour of c does not
   matter, and a stone of the loser there, or none, is worth as much as the winner's. The test for the loser takes the
   cells outside of A, chains of the cells outside of A + E, and the loser's sides: what does not matter to whether the
   loser joins its sides does not matter to whether the winner does.
   Captured pair c+d: if the loser plays one, the winner replies on the other, which makes the first dead. So the winner
   may count on both from the start. Both tests hold for all fillings of E, as only stones that never change lead round
   c. They compare positions (A, E); that cells outside of E may be empty on the real board does no harm, as above.
"""

import argparse
import functools
import re
import sys

COLOURS = {"first": "black", "second": "white"}
STONES = "((?: [a-s][1-9][0-9]?){0,361})"
HEADER = ("hexzero certificate 1", "game hex-noswap", "size ([1-9]|1[0-9])", "first" + STONES, "second" + STONES,
          "to_move (first|second)", "winner (first|second)")
NUMBER = re.compile("0|[1-9][0-9]{0,8}")
CELLS = re.compile("0|[1-9a-f][0-9a-f]*")
STONE = re.compile(r"&([0-9]+)\(")
# A semi connection up to its first expression, or all of it if the key is next to both ends, as most keys are.
KEY = re.compile(r"([0-9]+)\((=\)\(=\))?")
# A longer line is not read into memory.
MAX_LINE = 1 << 24
# Expressions within expressions, each of which takes two calls.
MAX_DEPTH = 500
sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MAX_DEPTH))


class Refused(Exception):
    """What is wrong with a certificate."""


def quoted(text):
    return repr(text if len(text) <= 24 else text[:20] + "...")


def each(cells):
    """Yields the members of a set of cells and sides, each as a set."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


class Checker:
    """The rules on one board for one winner. Sets of cells are numbers with a bit for each cell; so are sides."""

    def __init__(self, size, winner):
        self.size, self.board, count = size, (1 << size * size) - 1, size * size
        self.bits = {str(cell): 1 << cell for cell in range(count)}
        # The neighbours of each cell, then of the sides: above, below, left, right.
        self.near = [0] * (count + 4)
        for cell in range(count):
            for rows, columns in ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)):
                beside = self.cell_or_side(cell // size + rows, cell % size + columns)
                self.near[cell] |= 1 << beside
                self.near[beside] |= 1 << cell
        shift, others = (count, count + 2) if winner == "first" else (count + 2, count)
        self.ends, self.own_sides, self.other_sides = (1 << shift, 2 << shift), 3 << shift, 3 << others
        # For each claim: whether the winner moves first, A, and E.
        self.claims = []
        self.rules = {"m": self.move, "r": self.reply, "f": self.fill, "v": self.connect}
        self.chains = functools.lru_cache(1 << 10)(self.chains)
        self.is_clique = functools.lru_cache(1 << 16)(self.is_clique)

    def cell_or_side(self, row, column):
        """Returns the number of a cell, or of the side beyond which it would be."""
        count = self.size * self.size
        if row < 0:
            return count
        if row == self.size:
            return count + 1
        if column < 0:
            return count + 2
        if column == self.size:
            return count + 3
        return row * self.size + column

    def name(self, cells):
        """Returns the name of the first of some cells."""
        cell = (cells & -cells).bit_length() - 1
        return chr(ord("a") + cell % self.size) + str(cell // self.size + 1)

    def place(self, names):
        """Returns the set of the cells with some names, all on the board, none twice."""
        cells = 0
        for name in names.split():
            row, column = int(name[1:]) - 1, ord(name[0]) - ord("a")
            if max(row, column) >= self.size or cells >> row * self.size + column & 1:
                raise Refused(f"the stone {name} is beyond the board, or on another")
            cells |= 1 << row * self.size + column
        return cells

    def claim(self, line):
        """Checks a claim."""
        rule, *words = line.split(" ")
        needed = {"m": 4, "r": 3, "f": 4, "v": 3}.get(rule)
        # Only a reply may have more.
        if needed is None or len(words) < needed or len(words) > needed and rule != "r":
            raise Refused(f"no claim: {quoted(line)}")
        stones, empty = self.cells(words[0]), self.cells(words[1])
        if stones & empty:
            raise Refused(f"{self.name(stones & empty)} is in A and in E")
        self.claims.append((self.rules[rule](stones, empty, *words[2:]), stones, empty))

    def cells(self, text):
        if not CELLS.fullmatch(text) or int(text, 16) > self.board:
            raise Refused(f"{quoted(text)} is no set of cells of this board")
        return int(text, 16)

    def cell(self, text):
        if text not in self.bits:
            raise Refused(f"{quoted(text)} is no cell")
        return self.bits[text]

    def reference(self, number, stones, empty, loser_moves=False):
        """Returns an earlier claim, which has to be about these stones and within these cells."""
        if not NUMBER.fullmatch(number) or int(number) >= len(self.claims):
            raise Refused(f"{quoted(number)} is no earlier claim")
        claim = its_moves, its_stones, its_empty = self.claims[int(number)]
        if loser_moves and its_moves:
            raise Refused(f"claim {number} has the winner to move")
        if its_stones != stones or its_empty & ~empty:
            raise Refused(f"claim {number} does not fit: {self.name(its_stones ^ stones | its_empty & ~empty)} differs")
        return claim

    def move(self, stones, empty, key, number):
        key = self.cell(key)
        if not key & empty:
            raise Refused(f"the key {self.name(key)} is not in E")
        self.reference(number, stones | key, empty & ~key, loser_moves=True)
        return True

    def reply(self, stones, empty, *numbers):
        common = self.board
        for number in numbers:
            common &= self.reference(number, stones, empty)[2]
        if common:
            raise Refused(f"all claims need {self.name(common)}, where the loser may play")
        return False

    def fill(self, stones, empty, fills, number):
        for fill in fills.split(","):
            first, *pair = map(self.cell, fill.split("+", 1))
            second = pair[0] if pair else 0
            if not self.may_fill(first, second, stones, empty):
                raise Refused(f"{quoted(fill)} is neither a dead cell nor a captured pair")
            stones, empty = stones | first | second, empty & ~(first | second)
        return self.reference(number, stones, empty)[0]

    def may_fill(self, first, second, stones, empty):
        """Returns whether two cells are a captured pair or, if there is no second, the first is a dead cell."""
        if not second:
            return not first & stones and self.is_dead(first, stones, empty)
        are_neighbours = self.near[first.bit_length() - 1] & second
        return (first & empty and second & empty and are_neighbours
                and self.is_dead(first, stones | second, empty & ~second)
                and self.is_dead(second, stones | first, empty & ~first))

    def is_dead(self, cell, stones, empty):
        around = self.near[cell.bit_length() - 1]
        others = self.board & ~(stones | empty | cell)
        for player in (stones | self.own_sides, others | self.other_sides):
            members = around & (player | empty)
            # Chains beside the cell are nearly always enough, and are few.
            if self.is_clique(members, player & around) or self.is_clique(members, player):
                return True
        return False

    def is_clique(self, members, stones):
        """Returns whether any two members are next to each other, or part of or next to the same chain of stones."""
        chains = [cells | near for cells, near in self.chains(stones)]
        for member in each(members):
            reached = member | self.near[member.bit_length() - 1]
            for chain in chains:
                if chain & member:
                    reached |= chain
            if members & ~reached:
                return False
        return True

    def chains(self, stones):
        """Returns the chains of some stones and sides, each with all that is next to it."""
        return functools.reduce(self.joined, each(stones), [])

    def joined(self, chains, stone):
        """Returns the chains after one more stone, which may join some of them."""
        cells, near = stone, self.near[stone.bit_length() - 1]
        for chain in chains:
            if chain[1] & stone:
                cells, near = cells | chain[0], near | chain[1]
        return [chain for chain in chains if not chain[1] & stone] + [(cells, near)]

    def connect(self, stones, empty, text):
        carrier, end = self.expression(text, 0, self.ends, stones, self.chains(stones | self.own_sides), MAX_DEPTH)
        if end != len(text):
            raise Refused(f"the expression goes on: {quoted(text[end:])}")
        if carrier & ~empty:
            raise Refused(f"the expression needs {self.name(carrier & ~empty)}")
        return False

    def expression(self, text, at, ends, stones, chains, depth):
        """Returns the carrier of the expression that begins at an offset of the text, and the offset of its end."""
        if text.startswith("=", at):
            if not any(chain & ends[0] and chain & ends[1] for chain, _ in chains):
                raise Refused(f"character {at + 1} of the expression: the ends are not in one chain")
            return 0, at + 1
        if not depth:
            raise Refused(f"more than {MAX_DEPTH} expressions within each other")
        if text.startswith("|[", at):
            return self.alternatives(text, at + 2, ends, stones, chains, depth)
        match = STONE.match(text, at)
        middle = self.bits.get(match[1], 0) if match else 0
        if not middle & stones:
            raise Refused(f"neither an expression nor one through a stone of the winner: {quoted(text[at:at + 30])}")
        return self.both(text, match.end(), ends, middle, stones, chains, depth)

    def both(self, text, at, ends, middle, stones, chains, depth):
        """Does the same for ``X)(Y)``, which join the ends to a stone in the middle."""
        carrier = 0
        for pair, closing in (((ends[0], middle), ")("), ((middle, ends[1]), ")")):
            part, at = self.expression(text, at, pair, stones, chains, depth - 1)
            if not text.startswith(closing, at):
                raise Refused(f"'{closing}' is expected, not {quoted(text[at:at + 30])}")
            if carrier & part:
                raise Refused(f"both sides of {self.name(middle)} need {self.name(carrier & part)}")
            carrier, at = carrier | part, at + len(closing)
        return carrier, at

    def alternatives(self, text, at, ends, stones, chains, depth):
        """Does the same for the semi connections that follow ``|[``."""
        near = [next(near for chain, near in chains if chain & end) for end in ends]
        common, union = self.board, 0
        while not text.startswith("]", at):
            match = KEY.match(text, at)
            key = self.bits.get(match[1], 0) if match else 0
            if not key & ~stones:
                raise Refused(f"neither ']' nor a key without a stone of the winner: {quoted(text[at:at + 30])}")
            carrier, at = 0, match.end()
            if not match[2]:
                # No carrier can have the key: it is a stone now.
                carrier, at = self.both(text, at, ends, key, stones | key, self.joined(chains, key), depth)
            elif not key & near[0] & near[1]:
                raise Refused(f"{self.name(key)} is not next to both ends")
            common, union = common & (carrier | key), union | carrier | key
        if common:
            raise Refused(f"all semi connections need {self.name(common)}, where the loser may play")
        return union, at + 1


def check(file):
    """Returns as a sentence what a certificate proves, a file open for bytes."""
    number, values, checker = 0, [], None
    try:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b""), 1):
            if len(line) > MAX_LINE:
                raise Refused("too long")
            if not line.isascii():
                raise Refused("not plain text")
            if not line.endswith(b"\n"):
                raise Refused("cut off")
            line = line[:-1].decode("ascii")
            if checker:
                checker.claim(line)
                continue
            pattern = HEADER[number - 1]
            match = re.fullmatch(pattern, line)
            if not match:
                raise Refused(f"{quoted(line)} is not '{pattern.split('(')[0].strip()}' as it should be")
            values += match.groups()
            if number == len(HEADER):
                size, first, second, to_move, winner = values
                checker = Checker(int(size), winner)
                taken = checker.place(first + second)
                own = checker.place(first if winner == "first" else second)
        if not checker or not checker.claims:
            raise Refused("the file ends before the first claim")
        moves, its_stones, its_empty = checker.claims[-1]
        if moves and winner != to_move or its_stones & ~own or its_empty & taken:
            raise Refused("the last claim is not about the position at the top")
    except Refused as problem:
        raise Refused(f"line {number or 1}: {problem}") from None
    told = " and ".join(colour + names for colour, names in zip(COLOURS.values(), (first, second)) if names)
    claims = "1 claim" if len(checker.claims) == 1 else f"{len(checker.claims):,} claims"
    return (f"proven: {COLOURS[winner]} wins on {size}×{size} with {told or 'no stones'}, {COLOURS[to_move]} to move "
            f"({claims})")


def main():
    parser = argparse.ArgumentParser(description="Checks a certificate, which proves who wins a position of Hex.")
    parser.add_argument("file", metavar="FILE")
    path = parser.parse_args().file
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        with open(path, "rb") as file:
            print(check(file))
    except Refused as problem:
        print(f"refused: {problem}")
        return 1
    except OSError as problem:
        parser.error(f"cannot read {path}: {problem.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
