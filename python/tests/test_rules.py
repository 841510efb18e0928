"""Both implementations of the rules against recorded games (tests/data/README.md tells where these come from)."""

import gzip
import json
import os
import unittest
from collections import Counter

from hexzero_numpy.rules import REPETITION_LIMIT, TURN_LIMIT, Board, Position
from referee.games import DEFAULT, IllegalMove, game_named, names
from referee.games import cachex

from .fixtures import ROOT


def recorded_games():
    with gzip.open(os.path.join(ROOT, "tests", "data", "cachex.jsonl.gz"), "rt") as lines:
        return [json.loads(line) for line in lines]


class PlayersRules(unittest.TestCase):
    """Those of the NumPy player."""

    def replay(self, recorded):
        n, seen = recorded["n"], Counter()
        position = Position(Board(n))
        for turn, text in enumerate(recorded["actions"]):
            place = "game %d, ply %d" % (recorded["id"], turn + 1)
            legal = position.actions(position.empty)
            self.assertEqual(len(legal), recorded["legal"][turn], place)
            action = n * n if text == "STEAL" else sum(int(x) * y for x, y in zip(text.split(","), (n, 1)))
            self.assertIn(action, legal, place)
            # Games are recorded to their end: only the last move wins, and only if somebody has won.
            winner = recorded["result"] if turn + 1 == len(recorded["actions"]) else ""
            won = action in position.board.cells_of(position.wins(position.to_move))
            self.assertEqual(won, winner == ("red", "blue")[position.to_move], place)
            position = position.after(action)
            red, blue = position.stones
            found = "".join("R" if red & bit else "B" if blue & bit else "." for bit in position.board.bits)
            self.assertEqual(found, recorded["states"][turn], place)
            seen[position.stones] += 1
            self.assertEqual(seen[position.stones], recorded["rep"].get(str(turn + 1), 1), place)
        draw = {"draw: repetition": seen[position.stones] >= REPETITION_LIMIT, "draw: turns": position.turns == TURN_LIMIT}
        self.assertTrue(draw.get(recorded["result"], True))

    def test_recorded_games(self):
        games = recorded_games()
        self.assertEqual(len(games), 604)
        for game in games:
            self.replay(game)


class RefereesRules(unittest.TestCase):
    """Those of the referee, which share nothing with the former."""

    def replay(self, recorded):
        board = cachex.Board(recorded["n"])
        probes = list(recorded["probes"])
        for turn, text in enumerate(recorded["actions"]):
            place = "game %d, ply %d" % (recorded["id"], turn + 1)
            self.assertIsNone(board.result, place)
            while probes and probes[0][0] == turn + 1:
                _, probe, expected = probes.pop(0)
                self.assertEqual(self.is_legal(board, self.action(probe)), expected, place + ": " + probe)
            board.play(self.action(text))
            cells = [(r, q) for r in range(board.n) for q in range(board.n)]
            found = "".join({"red": "R", "blue": "B", None: "."}[board.stones.get(cell)] for cell in cells)
            self.assertEqual(found, recorded["states"][turn], place)
        self.assertEqual(board.result.replace(" wins: connection", ""), recorded["result"])

    @staticmethod
    def action(text):
        return ("STEAL",) if text == "STEAL" else ("PLACE",) + tuple(int(number) for number in text.split(","))

    @staticmethod
    def is_legal(board, action):
        try:
            board.check(action)
        except IllegalMove:
            return False
        return True

    def test_recorded_games(self):
        # All endings and all sizes are among them.
        for game in recorded_games()[::5]:
            self.replay(game)

    def test_what_is_no_action(self):
        board = cachex.Board(5)
        for action in (None, (), "PLACE", ("PLACE", 1), ("PLACE", 1.0, 1), ("PLACE", True, 1), ("PLACE", 5, 0),
                       ("PLACE", 2, 2), ("STEAL",), ("PASS",)):
            self.assertFalse(self.is_legal(board, action), action)
        self.assertTrue(self.is_legal(board, ("PLACE", 0, 4)))

    def test_actions_as_text(self):
        for text, told in (("a1", ("PLACE", 0, 0)), ("d2", ("PLACE", 1, 3)), ("o15", ("PLACE", 14, 14)),
                           ("swap", ("STEAL",))):
            self.assertEqual((cachex.action(text), cachex.vertex(told)), (told, text))
        self.assertEqual(cachex.action("SWAP-PIECES"), ("STEAL",))

    def test_games_by_name(self):
        self.assertIn(DEFAULT, names())
        for name in names():
            game = game_named(name)
            self.assertEqual(game.Board(game.SIZES[0]).to_move, game.PLAYERS[0])
            self.assertEqual([game.OPPONENT[player] for player in game.PLAYERS], list(reversed(game.PLAYERS)))
        with self.assertRaisesRegex(ValueError, "no game 'chess'"):
            game_named("chess")


if __name__ == "__main__":
    unittest.main()
