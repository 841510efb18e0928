"""The checker of certificates against brute force: true certificates made at random, and damaged ones."""

import functools
import io
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

import check_certificate
from check_certificate import Checker, Refused, check

from .fixtures import PROGRAM

PLAYERS = ("first", "second")
BRIDGES = """hexzero certificate 1
game hex-noswap
size 3
first b2
second
to_move second
winner first
v 10 c6 &4(|[1(=)(=)2(=)(=)])(|[6(=)(=)7(=)(=)])
"""
# Claims 0 to 2, the first and the last with a stone on b2.
CLAIMS = """v 10 c6 &4(|[1(=)(=)2(=)(=)])(|[6(=)(=)7(=)(=)])
v 12 c0 &4(=)(|[6(=)(=)7(=)(=)])
m 10 c2 1 1
"""


def members(cells):
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]


class Brute:
    """Values of positions by brute force: the winner's stones, the empty cells, all other cells the loser's."""

    def __init__(self, size, winner):
        self.size, self.cells = size, (1 << size * size) - 1
        lines = PLAYERS.index(winner)
        places = {cell: divmod(cell, size) for cell in range(size * size)}
        steps = {(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)}
        self.near = {cell: {other for other, (r, c) in places.items() if (r - row, c - column) in steps}
                     for cell, (row, column) in places.items()}
        # The sides of each player, as cells beyond the board.
        self.sides = [{-1, -2}, {-3, -4}]
        for axis in range(2):
            for name, line in zip((-1, -2) if axis == lines else (-3, -4), (0, size - 1)):
                self.near[name] = {cell for cell, place in places.items() if place[axis] == line}
                for cell in self.near[name]:
                    self.near[cell].add(name)
        self.joined = functools.cache(lambda stones: -2 in self.reach(-1, set(members(stones)) | self.sides[0]))
        self.wins = functools.cache(self.wins)

    def reach(self, start, stones):
        """Returns all that is next to a cell or to the stones that lead there from it, with the cell."""
        found, edge = {start}, [start]
        while edge:
            for near in self.near[edge.pop()] - found:
                found.add(near)
                if near in stones:
                    edge.append(near)
        return found

    def wins(self, stones, empty, moves):
        if self.joined(stones) or not self.joined(stones | empty):
            return self.joined(stones)
        if moves:
            return any(self.wins(stones | 1 << cell, empty ^ 1 << cell, False) for cell in members(empty))
        return all(self.wins(stones, empty ^ 1 << cell, True) for cell in members(empty))

    def is_dead(self, cell, stones, empty):
        """Returns whether a cell is dead by the rule of the checker."""
        own, may = set(members(stones)), set(members(empty & ~(1 << cell)))
        others = set(members(self.cells & ~(stones | empty | 1 << cell)))
        for stones_and_sides in (own | self.sides[0], others | self.sides[1]):
            around = self.near[cell] & (stones_and_sides | may)
            if all(around <= self.reach(other, stones_and_sides) for other in around):
                return True
        return False

    def matters(self, cell, stones, empty):
        """Returns whether a cell's colour decides who wins in some filling of the other empty cells."""
        rest, filling = empty & ~(1 << cell), empty & ~(1 << cell)
        while True:
            if self.joined(stones | filling) != self.joined(stones | filling | 1 << cell):
                return True
            if not filling:
                return False
            filling = filling - 1 & rest

    def random_position(self, draw, most=16):
        """Stones of the winner and empty cells, at most so many."""
        stones = empty = 0
        for cell in draw.sample(range(self.size ** 2), self.size ** 2):
            kind = draw.randrange(4)
            if kind > 1 and len(members(empty)) < most:
                empty |= 1 << cell
            elif kind:
                stones |= 1 << cell
        return stones, empty


class Writer:
    """Writes a certificate of a won position, with rules drawn at random."""

    def __init__(self, brute, draw):
        self.brute, self.draw, self.claims, self.budget = brute, draw, [], 0

    def add(self, rule, stones, needed, empty, *words):
        """Adds a claim, at times with more empty cells than it needs; returns its number and these cells."""
        needed |= empty & self.draw.choice((0, 0, self.draw.getrandbits(16)))
        self.claims.append(" ".join([rule, f"{stones:x}", f"{needed:x}", *map(str, words)]))
        return len(self.claims) - 1, needed

    def pick(self, cells):
        return self.draw.sample(members(cells), len(members(cells)))

    def prove(self, stones, empty, moves):
        fills, more, rest = self.fills(stones, empty)
        if fills and (rest or not moves):
            return self.add("f", stones, empty, empty, ",".join(fills), self.prove(more, rest, moves)[0])
        if moves:
            key = next(key for key in self.pick(empty) if self.brute.wins(stones | 1 << key, empty ^ 1 << key, False))
            number, needed = self.prove(stones | 1 << key, empty ^ 1 << key, False)
            return self.add("m", stones, needed | 1 << key, empty, key, number)
        self.budget = self.draw.choice((0, 1, 200))
        found = self.expression(stones, -1, -2, empty)
        if found:
            return self.add("v", stones, found[1], empty, found[0])
        common, union, numbers = empty, 0, []
        while common:
            number, needed = self.prove(stones, empty ^ 1 << self.pick(common)[0], True)
            common, union, numbers = common & needed, union | needed, numbers + [number]
        return self.add("r", stones, union, empty, *self.draw.sample(numbers, len(numbers)))

    def fills(self, stones, empty):
        """Returns dead cells and captured pairs, and the winner's stones and the empty cells with these filled in."""
        fills, dead = [], self.brute.is_dead
        for cell in self.pick(self.brute.cells & ~stones) if self.draw.random() < 0.3 else []:
            if stones >> cell & 1 or self.draw.random() < 0.5:
                continue
            pairs = [other for other in self.pick(empty) if empty >> cell & 1 and other in self.brute.near[cell]
                     and dead(cell, stones | 1 << other, empty ^ 1 << other)
                     and dead(other, stones | 1 << cell, empty ^ 1 << cell)]
            if dead(cell, stones, empty):
                fills, filled = fills + [str(cell)], 1 << cell
            elif pairs:
                fills, filled = fills + [f"{cell}+{pairs[0]}"], 1 << cell | 1 << pairs[0]
            else:
                continue
            stones, empty = stones | filled, empty & ~filled
        return fills, stones, empty

    def expression(self, stones, u, v, empty):
        """Returns a connection and its carrier, unless none is found."""
        if v in self.brute.reach(u, set(members(stones)) | self.brute.sides[0]) and (
                v < 0 or stones >> v & 1) and (u < 0 or stones >> u & 1):
            return "=", 0
        self.budget -= 1
        if self.budget < 0:
            return None
        for middle in self.pick(stones)[:2] if self.draw.random() < 0.5 else []:
            found = middle not in (u, v) and self.both(stones, u, middle, v, empty)
            if found:
                return f"&{middle}{found[0]}", found[1]
        common, union, text = empty, 0, ""
        while common:
            rest = empty ^ 1 << self.pick(common)[0]
            for key in self.pick(rest):
                found = self.both(stones | 1 << key, u, key, v, rest ^ 1 << key)
                if found:
                    break
            else:
                return None
            common, union, text = common & (found[1] | 1 << key), union | found[1] | 1 << key, f"{text}{key}{found[0]}"
        return (f"|[{text}]", union) if text else None

    def both(self, stones, u, middle, v, empty):
        first = self.expression(stones, u, middle, empty)
        second = first and self.expression(stones, middle, v, empty & ~first[1])
        return second and (f"({first[0]})({second[0]})", first[1] | second[1])


def certificate(brutes, draw):
    """Returns the lines of a true certificate, drawn at random."""
    while True:
        size, winner, moves = draw.choice((3, 3, 4)), draw.choice(PLAYERS), draw.random() < 0.5
        brute = brutes[size, winner]
        stones, empty = brute.random_position(draw, 9)
        if (empty or not moves) and brute.wins(stones, empty, moves):
            break
    writer = Writer(brute, draw)
    _, needed = writer.prove(stones, empty, moves)
    # What the proof does not need may be anything.
    spare = brute.cells & ~(stones | needed)
    own, empty = stones | spare & draw.getrandbits(16), needed | spare & draw.getrandbits(16)
    own &= ~empty | stones
    other = brute.cells & ~(own | empty)
    mover = winner if moves else PLAYERS[winner == "first"]
    return header(size, (own, other) if winner == "first" else (other, own), mover, winner) + writer.claims


def header(size, stones, mover, winner):
    name = lambda cell: " " + chr(ord("a") + cell % size) + str(cell // size + 1)
    told = [player + "".join(map(name, members(cells))) for player, cells in zip(PLAYERS, stones)]
    return ["hexzero certificate 1", "game hex-noswap", f"size {size}", *told, f"to_move {mover}", f"winner {winner}"]


def file_of(lines):
    return io.BytesIO("".join(line + "\n" for line in lines).encode())


def fields(lines):
    """Returns what the header of a certificate says: the size, the stones as sets, the mover, the winner."""
    size = int(lines[2].split()[1])
    cell = lambda name: (int(name[1:]) - 1) * size + ord(name[0]) - ord("a")
    stones = [sum(1 << cell(name) for name in line.split()[1:]) for line in lines[3:5]]
    return size, stones, lines[5].split()[1], lines[6].split()[1]


def damaged(lines, draw):
    """Returns a certificate with one thing changed."""
    lines = list(lines)
    size, stones, mover, winner = fields(lines)
    rule = draw.choice([line[0] for line in lines[7:]])
    at = draw.choice([number for number, line in enumerate(lines) if number >= 7 and line[0] == rule])
    kind = draw.choice(("line", "word", "header", "set", "sets", "all", "number", "number", "number", "part", "part"))
    bit = 1 << draw.randrange(size * size)
    if kind == "header":
        changed = draw.randrange(2)
        stones[changed], stones[1 - changed] = stones[changed] ^ bit, stones[1 - changed] & ~bit
        sides = (mover, winner) if draw.random() < 0.7 else (draw.choice(PLAYERS), draw.choice(PLAYERS))
        return header(size, stones, *sides) + lines[7:]
    if kind == "line":
        change = draw.choice(("remove", "repeat", "remove last"))
        if change == "repeat":
            lines.insert(at, draw.choice(lines[7:]))
        else:
            lines.pop(at if change == "remove" else -1)
    elif kind == "all":
        # The same cell changes in all claims.
        which = draw.choice((1, 2))
        lines[7:] = [with_cell_changed(line, which, bit) for line in lines[7:]]
    elif kind == "word":
        lines[at] = with_word_changed(lines[at], draw)
    elif kind in ("set", "sets"):
        for which in (1, 2) if kind == "sets" else (draw.choice((1, 2)),):
            lines[at] = with_cell_changed(lines[at], which, bit)
    elif kind == "number":
        lines[at] = with_number_changed(lines[at], (size * size, at), draw)
    else:
        lines[at] = with_part_changed(lines[at], draw)
    return lines


def with_cell_changed(line, which, bit):
    """Returns a claim with one cell added or removed in A (1) or E (2)."""
    words = line.split(" ")
    words[which] = f"{int(words[which], 16) ^ bit:x}"
    return " ".join(words)


def with_word_changed(line, draw):
    """Returns a claim with a word added, removed or replaced, or with another rule."""
    words = line.split(" ")
    a, b = draw.randrange(len(words)), draw.randrange(len(words))
    change = draw.choice(("remove", "repeat", "replace", "other rule"))
    if change == "remove":
        words.pop(a)
    elif change == "repeat":
        words.insert(a, words[b])
    elif change == "replace":
        words[a] = words[b]
    else:
        words[0] = draw.choice("mrfv")
    return " ".join(words)


def with_number_changed(line, ends, draw):
    """Returns a claim with another cell or reference, often one that occurs already, or one below either limit."""
    *words, rest = line.split(" ", 3)
    number = draw.choice(list(re.finditer("[0-9]+", rest)) or [re.match("", rest)])
    other = draw.choice(re.findall("[0-9]+", rest) + [str(draw.randrange(end)) for end in ends])
    return " ".join([*words, rest[:number.start()] + other + rest[number.end():]])


def with_part_changed(line, draw):
    """Returns a claim without one of its references, some of its fills, or a part of its expression replaced."""
    words = line.split(" ")
    if words[0] == "r":
        del words[draw.randrange(3, len(words))]
    elif words[0] == "f":
        words[3] = ",".join(draw.sample(words[3].split(","), draw.randint(1, words[3].count(",") + 1)))
        words[3] = re.sub(r"(\+[0-9]+)", draw.choice((r"\1", "")), words[3])
    else:
        parts = list(re.finditer(r"[0-9]+\(=\)\(=\)|\|\[[^][]*\]|&[0-9]+\(=\)\(=\)", words[3])) or [re.match("", words[3])]
        part = draw.choice(parts)
        words[3] = words[3][:part.start()] + draw.choice(("", "=", draw.choice(parts)[0])) + words[3][part.end():]
    return " ".join(words)


class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.brutes = {(size, winner): Brute(size, winner) for size in (3, 4) for winner in PLAYERS}

    def claims_are_true(self, lines):
        """Checks by brute force all claims that the checker finds proven, also those before a fault."""
        size, _, _, winner = fields(lines)
        checker = Checker(size, winner)
        try:
            for line in lines[7:]:
                checker.claim(line)
        except Refused:
            pass
        for moves, stones, empty in checker.claims:
            self.assertTrue(self.brutes[size, winner].wins(stones, empty, moves), lines)

    def is_proven(self, lines):
        """Returns whether the checker finds a certificate proven; brute force must then agree."""
        try:
            check(file_of(lines))
        except Refused:
            return False
        size, stones, mover, winner = fields(lines)
        own = stones[PLAYERS.index(winner)]
        empty = self.brutes[size, winner].cells & ~sum(stones)
        self.assertTrue(self.brutes[size, winner].wins(own, empty, mover == winner), lines)
        return True

    def test_true_certificates_are_proven(self):
        draw, rules = random.Random(1), Counter()
        for _ in range(600):
            lines = certificate(self.brutes, draw)
            size, stones, mover, winner = fields(lines)
            said = check(file_of(lines))
            self.assertIn(f"proven: {'black' if winner == 'first' else 'white'} wins on {size}×{size} with ", said)
            self.assertIn(f", {'black' if mover == 'first' else 'white'} to move ({len(lines) - 7} claim", said)
            self.claims_are_true(lines)
            rules.update(line[0] for line in lines[7:])
            rules.update(re.findall("[&+]", "".join(lines[7:])))
        self.assertTrue(all(rules[rule] > 50 for rule in "mrfv&+"), rules)

    def test_damaged_certificates_prove_nothing_false(self):
        draw, results = random.Random(2), Counter()
        for _ in range(500):
            lines = certificate(self.brutes, draw)
            for _ in range(12):
                changed = damaged(lines, draw)
                well_formed = all(re.fullmatch("[mrfv]( [0-9a-f]+){2} .+", line) for line in changed[7:])
                if draw.random() < 0.3 and well_formed and len(changed) > 7:
                    changed = damaged(changed, draw)
                self.claims_are_true(changed)
                results[self.is_proven(changed)] += 1
        self.assertTrue(results[False] > 3000 and results[True] > 300, results)

    def test_certificates_of_the_engine(self):
        draw, results = random.Random(5), Counter()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate.txt")
            for size in (3, 4, 5, 6):
                cells = [chr(ord("a") + cell % size) + str(cell // size + 1) for cell in range(size * size)]
                for moves in [[cell] for cell in cells[:size * 2]] + [draw.sample(cells, 2) for _ in range(4)]:
                    subprocess.run([PROGRAM, "prove", "--size", str(size), *moves, "--certificate", path], check=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    with open(path, "rb") as file:
                        lines = file.read().decode().splitlines()
                    self.assertIn("proven: ", check(file_of(lines)))
                    if size > 4:
                        continue
                    results.update(map(self.is_proven, [lines] + [damaged(lines, draw) for _ in range(70)]))
        self.assertGreater(results[False], 1000)

    def test_dead_cells_decide_nothing(self):
        draw, found = random.Random(3), Counter()
        for _ in range(3000):
            (size, winner), brute = draw.choice(list(self.brutes.items()))
            checker = Checker(size, winner)
            stones, empty = brute.random_position(draw, 8)
            for cell in members(brute.cells & ~stones):
                dead = checker.is_dead(1 << cell, stones, empty)
                self.assertEqual(dead, brute.is_dead(cell, stones, empty), (size, winner, cell, stones, empty))
                self.assertFalse(dead and brute.matters(cell, stones, empty), (size, winner, cell, stones, empty))
                found[dead] += 1
        self.assertGreater(min(found.values()), 1000)

    def test_faults_are_named(self):
        for place, line, problem in (
                (1, "hexzero certificate 2", "line 1: 'hexzero certificate 2' is not 'hexzero certificate 1'"),
                (2, "game y", "'game y' is not 'game hex-noswap'"), (3, "size 20", "'size 20' is not 'size'"),
                (3, "size 07", "'size 07'"), (4, "first b2 ", "'first b2 ' is not 'first'"),
                (4, "first b2 b2", "line 7: the stone b2 "), (5, "second d1", "line 7: the stone d1 is beyond"),
                (5, "second b2", "the stone b2 is beyond the board, or on another"), (6, "to_move black", "not 'to_move'"),
                (7, "winner second", "line 8: b1 is not next to both ends"), (7, "", "line 7: '' is not 'winner'"),
                (8, CLAIMS + "m 10 c2 1 1", "line 11: the last claim is not about the position"),
                (4, "first b1", "the last claim is not about the position"),
                (5, "second b1", "the last claim is not about the position"),
                (8, "", "line 8: no claim: ''"), (8, "v 10 c6", "no claim"), (8, "v 10 c6  =", "no claim"),
                (8, "w 10 c6 =", "no claim: 'w 10 c6 ='"), (8, "v 0x10 c6 =", "'0x10' is no set of cells"),
                (8, "v 10 C6 =", "'C6' is no set of cells"), (8, "v 10 2c6 =", "'2c6' is no set of cells of this board"),
                (8, "v 10 d6 =", "b2 is in A and in E"), (8, "v 10 c6 =", "the ends are not in one chain"),
                (8, "v 10 c6 &3(=)(=)", "one through a stone of the winner: '&3(=)(=)'"),
                (8, "v 10 c6 &4(=)(=", "the ends are not in one chain"), (8, "v 10 c6 |[]", "all semi connections need a1"),
                (8, "v 10 c6 |[4(=)(=)]", "a key without a stone of the winner: '4(=)(=)]'"),
                (8, "v 10 c6 &4(|[1(=)(=)2(=)(=)])(|[6(=)(=)])", "all semi connections need a3"),
                (8, "v 10 c6 &4(|[1(=)(=)3(=)(=)])(=)", "a2 is not next to both ends"),
                (8, "v 10 46 &4(|[1(=)(=)2(=)(=)])(|[6(=)(=)7(=)(=)])", "the expression needs b3"),
                (8, "v 10 c6 &4(|[1(=)(=)2(=)(=)])(|[6(=)(=)7(=)(=)])=", "the expression goes on: '='"),
                (8, "m 10 c6 5 0", "the key c2 is not in E"), (8, "m 10 c6 9 0", "'9' is no cell"),
                (8, "m 10 c6 1 0", "'0' is no earlier claim"), (8, "r 10 c6 ", "'' is no earlier claim"),
                (8, "f 10 c6 1+2 1", "'1' is no earlier claim"), (8, "f 10 c6 1+7 0", "'1+7' is neither"),
                (8, "f 10 c6 4 0", "'4' is neither"), (8, "f 10 c6 1+2+3 0", "'2+3' is no cell"),
                (8, "v 10 c6 &4(|[1(=)(=)2(=)(=)])(&4(|[1(=)(=)2(=)(=)])(|[6(=)(=)7(=)(=)]))", "both sides of b2 need b1"),
                (8, "f 92 101 0+8 0", "'0+8' is neither"), (8, "f 2 1fd 0+3 0", "'0+3' is neither"),
                (8, "f 2 1fd 3+0 0", "'3+0' is neither"), (8, "f 2 1fd 3+3 0", "'3+3' is neither"),
                (8, CLAIMS + "r 10 c6 2", "line 11: all claims need b1, where the loser may play"),
                (8, CLAIMS + "r 10 c6 0", "line 11: all claims need b1"), (8, CLAIMS + "r 10 c6 3", "'3' is no earlier"),
                (8, CLAIMS + "m 0 d6 4 2", "claim 2 has the winner to move"), (8, CLAIMS + "r 10 c6 02", "'02' is no earlier"),
                (8, CLAIMS + "r 14 c2 2", "claim 2 does not fit: c1 differs"), (8, CLAIMS + "r 10 c0 2", "fit: b1 differs"),
                (8, CLAIMS + "r 0 d2 2", "claim 2 does not fit: b2 differs"), (8, "v 10 c6 é", "not plain text"),
                (7, "winner first\r", "'winner first\\r' is not 'winner'")):
            lines = BRIDGES.splitlines()
            lines[place - 1] = line
            with self.assertRaises(Refused, msg=line) as caught:
                check(file_of(lines))
            self.assertIn(problem, str(caught.exception))
        for text, problem in ((BRIDGES[:-1], "line 8: cut off"), (BRIDGES[:47], "line 4: cut off"), ("", "line 1: the file"),
                              ("".join(BRIDGES.splitlines(True)[:7]), "line 7: the file ends before the first claim")):
            with self.assertRaisesRegex(Refused, problem):
                check(io.BytesIO(text.encode()))

    def test_hostile_files_are_refused(self):
        start = BRIDGES[:BRIDGES.index("v ")] + "v 10 c6 "
        deep = "&4(" * 100_000, "|[1(" * 100_000, "&4(=)(" * 100_000, "&4(" * 400 + "=" + ")(=)" * 400, "|[" * 100_000, "("
        for text in (*deep, "1" * 100_000, "&" + "9" * 100_000, "f" * check_certificate.MAX_LINE):
            with self.assertRaises(Refused):
                check(io.BytesIO((start + text + "\n").encode()))
        draw = random.Random(4)
        seeds = [file_of(certificate(self.brutes, draw)).getvalue() for _ in range(40)] + [BRIDGES.encode()]
        for _ in range(6000):
            data = bytearray(draw.choice(seeds))
            for _ in range(draw.choice((1, 2, 8))):
                at = draw.randrange(len(data))
                data[at:at + draw.randrange(3)] = draw.choice((b"", b"0", b"1", b" ", b"=", b"(", b")", b"&", b"|[", b"]",
                                                               b"+", b",", b"\n", b"-", b"_", bytes([draw.randrange(256)])))
            try:
                check(io.BytesIO(bytes(data)))
            except Refused:
                pass

    def test_program(self):
        def run(*arguments):
            done = subprocess.run([sys.executable, check_certificate.__file__, *arguments], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=dict(os.environ, PYTHONIOENCODING="ascii"))
            return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode().splitlines()[-1:]

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate.txt")
            for text, code, said in (
                    (BRIDGES, 0, "proven: black wins on 3×3 with black b2, white to move (1 claim)\n"),
                    (BRIDGES.replace("c6", "46"), 1, "refused: line 8: the expression needs b3\n")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertEqual(run(path), (code, said, []))
            for wrong, problem in (((), "required"), ((path, path), "unrecognized"), ((folder,), "cannot read"),
                                   ((path + "x",), "cannot read")):
                code, said, problems = run(*wrong)
                self.assertEqual((code, said), (2, ""))
                self.assertIn(problem, problems[0])


if __name__ == "__main__":
    unittest.main()
