"""Random games of the reference rules (``refgames``), move for move through the program: as many legal actions before each
ply, the same player to move, the same result. ``HEXZERO_ORACLE_GAMES`` says how many games of each kind (default 20)."""

import json
import os
import random
import subprocess
import unittest

from . import refgames
from .fixtures import PROGRAM, hexzero

GAMES = int(os.environ.get("HEXZERO_ORACLE_GAMES", "20"))

# The sizes to play on.
SIZES = {
    "cachex": (3, 5, 8), "hex": (2, 5, 11), "hex-noswap": (3, 6), "y": (3, 5, 8), "tack": (3, 5, 8), "fan": (3, 5, 7),
    "link": (3, 4, 6), "vex": (3, 5, 7), "chameleon": (3, 6, 10), "imnyss": (3, 5, 9), "dozer": (3, 5, 8),
    "dozer-noswap": (3, 5), "12star": (4, 7, 11), "3connection": (5,), "quickwin": (4, 7, 9), "gale": (2, 4, 5),
    "hexifence": (2, 3), "infexion": (3, 5, 7), "infexion-spec": (3, 7),
}


def playout(game, rng):
    """Returns a random game: its actions, the legal actions before each, who made each, and the result."""
    state, moves, legal, movers = game.initial(), [], [], []
    while game.result(state) is None:
        actions = game.legal(state)
        moves.append(rng.choice(actions))
        legal.append(len(actions))
        movers.append(game.to_move(state))
        state = game.apply(state, moves[-1])
    return moves, legal, movers, game.result(state)


class RandomGames(unittest.TestCase):
    def compare(self, name, seats):
        sizes, reference, rng = SIZES[name], refgames.GAMES[name], random.Random(name)
        lines, expected = [], []
        for number in range(GAMES):
            size = sizes[number % len(sizes)]
            moves, *told = playout(reference(size), rng)
            lines.append(json.dumps({"game": name, "size": size, "moves": moves}))
            expected.append(told)
        replay = [PROGRAM, "replay", "--legal", "-"]
        found = subprocess.run(replay, input="\n".join(lines), stdout=subprocess.PIPE, check=True, text=True).stdout
        results = {1: seats[0], -1: seats[1], 0: "draw"}
        for line, played, (legal, movers, result) in zip(found.splitlines(), lines, expected, strict=True):
            told = json.loads(line)
            self.assertEqual(told["legal"], legal, played)
            self.assertEqual(told["movers"], movers, played)
            self.assertEqual(told["result"], results[result], played)

    def test_every_game(self):
        for game in json.loads(hexzero("games", "--json")):
            with self.subTest(game["id"]):
                # A variant without a reference of its own has the moves of the game whose networks play it, and more.
                if game["id"] in SIZES:
                    self.compare(game["id"], [seat["name"] for seat in game["seats"]])
