"""Whole games under the referee, each player inside its limits."""

import os
import subprocess
import sys
import unittest
from unittest import mock

from referee.match import Match, NoPlayer

from . import fixtures

MEBIBYTES = 100
# Python and NumPy alone take up to 97 MiB; where they take even more, a player may add this much to that.
OWN_MEBIBYTES = 4


def python(*words, **options):
    """Runs Python and returns the finished process, with its output in ``stdout``."""
    environment = fixtures.environment(HEXZERO_SECONDS="1")
    return subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, env=environment, **options)


def address_space_of_numpy():
    """Returns the address space of a process that imports NumPy alone, in mebibytes; 0 if it is not reported."""
    return float(python("-c", "import numpy, referee.seat; print(referee.seat.peak() / 1024)", check=True).stdout)


def game(n, red, blue, seconds):
    space = max(MEBIBYTES, address_space_of_numpy() + OWN_MEBIBYTES)
    with mock.patch.dict(os.environ, fixtures.environment(HEXZERO_SECONDS=str(seconds))):
        match = Match(n, (red, blue), seconds, space)
        match.play()
    for player, seat in match.seats.items():
        print("%d: %s %s: %d moves, %.1f of %g s, %.1f MB" % (n, player, seat.module, len(match.moves), seat.used,
                                                             seat.seconds, seat.peak / 1024))
    print("%d: %s" % (n, match.result))
    return match


class WholeGames(unittest.TestCase):
    def check(self, n, red, blue, seconds):
        match = game(n, red, blue, seconds)
        self.assertNotIn("forfeit", match.result)
        self.assertRegex(match.result, "wins: connection|draw")

    def test_short_clocks(self):
        self.check(3, "exported_player", "hexzero_player", 3)
        self.check(3, "hexzero_player", "exported_player", 3)
        self.check(8, "hexzero_player", "exported_player", 8)
        self.check(15, "exported_player", "hexzero_player", 25)

    @unittest.skipIf(os.environ.get("HEXZERO_QUICK"), "HEXZERO_QUICK is set")
    def test_the_clock_of_the_rules(self):
        self.check(8, "exported_player", "hexzero_player", 64)


class Faults(unittest.TestCase):
    """What a player forfeits a game for."""

    def result(self, body, seconds=2, patience=None):
        """Returns the result of a game whose second player does this on its move."""
        folder = os.path.dirname(fixtures.exported("exported_player", "--numpy", "FILE"))
        source = "class Player:\n    def __init__(self, player, n):\n        self.calls = []\n" \
                 "    def turn(self, player, action):\n        self.calls.append(player)\n    def action(self):\n"
        for name, text in (("first", "k = len(self.calls) // 2; return ('PLACE', k // 4 * 3, k % 4)"), ("second", body)):
            with open(os.path.join(folder, name + ".py"), "w") as file:
                file.write(source + "        " + text + "\n")
        with mock.patch.dict(os.environ, {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}):
            return Match(4, ("first", "second"), seconds, patience=patience).play()

    def test_faults(self):
        for body, words in (
            ("return ('PLACE', 0, 0)", "illegal move 'PLACE 0 0': there is a stone"),
            ("return ('PLACE', 9, 0)", "not on the board"),
            ("return None", "is no action"),
            ("return ('PLACE', 1.0, 0)", "is no action"),
            ("return 1 // 0", "ZeroDivisionError"),
            ("import os; os._exit(3)", "its process has ended"),
            ("while True: pass", "no answer"),
            ("[0] * 50000000; return ('PLACE', 1, 1)", "MB of 100.0 MB"),
            ("sum(range(60000000)); return ('PLACE', 1, 1)", "s of 0.20 s"),
        ):
            found = self.result(body, 0.2 if "sum(" in body else 2, 1 if "while" in body else None)
            self.assertTrue(found.startswith("red wins: blue forfeits"), found)
            self.assertIn(words, found)

    def test_no_player(self):
        with self.assertRaisesRegex(NoPlayer, "'no_such_module' cannot be loaded: ModuleNotFoundError"):
            Match(3, ("no_such_module", "json")).play()
        with self.assertRaisesRegex(ValueError, "no game 'chess'"):
            Match(3, ("json", "json"), game="chess")

    def test_a_steal(self):
        found = self.result("k = len(self.calls) // 2; return ('STEAL',) if k == 0 else ('PLACE', 1, k - 1)")
        self.assertEqual(found, "blue wins: connection")


class TheProgramsPlayer(unittest.TestCase):
    """The player that the program thinks for."""

    def test_clear_errors(self):
        from hexzero_player import Player
        from hexzero_player.program import ProgramError

        with mock.patch.dict(os.environ, {"HEXZERO": "/nowhere/hexzero"}):
            with self.assertRaisesRegex(ProgramError, "cannot start '/nowhere/hexzero'.*HEXZERO"):
                Player("red", 5)
        with mock.patch.dict(os.environ, {"HEXZERO": fixtures.PROGRAM}):
            with self.assertRaisesRegex(ValueError, "'red' or 'blue'"):
                Player("green", 5)
            player = Player("red", 5)
            player.program.process.kill()
            for _ in range(2):
                with self.assertRaisesRegex(ProgramError, r"ended \(exit code -9\)"):
                    player.action()

    def test_what_the_referee_says_counts(self):
        from hexzero_player import Player

        with mock.patch.dict(os.environ, {"HEXZERO": fixtures.PROGRAM, "HEXZERO_SECONDS": "3"}):
            player = Player("red", 4)
        made = player.action()
        other = next(action for action in (("PLACE", 0, 1), ("PLACE", 3, 2)) if action != made)
        player.turn("red", other)
        player.turn("blue", ("STEAL",))
        board = player.program.ask("showboard")
        self.assertIn("red to move, turn 3", board)
        self.assertEqual(sum(board.count(stone) for stone in (" R", " B")), 1)
        player.program.close()

    def test_another_game(self):
        from hexzero_player import Player

        with mock.patch.dict(os.environ, {"HEXZERO": fixtures.PROGRAM, "HEXZERO_SECONDS": "3", "HEXZERO_GAME": "hex"}):
            by_setting, by_argument = Player("red", 4), Player("blue", 5, "hex")
        for player in (by_setting, by_argument):
            self.assertIn("hex", player.program.words)
            player.turn("red", ("PLACE", 1, 1))
        by_argument.turn("blue", by_argument.action())
        for player in (by_setting, by_argument):
            player.program.close()


class ProtocolPlayer(unittest.TestCase):
    def test_a_game_over_the_protocol(self):
        sent = b"boardsize 4\n1 undo\nplay b a1\nplay blue swap\n2 play w b2\n3 play green b2\nplay\ngenmove red\nquit\n"
        replies = (r"=", r"\?1 cannot undo", r"=", r"=", r"\?2 it is red's turn",
                   r"\?3 there is no colour 'green', but b, black, red, w, white, blue",
                   r"\? syntax error: too few arguments", r"= [a-d][1-4]", r"=")
        for words in ([], ["4"], ["4", "cachex"]):
            told = python("-m", "referee.gtp", "exported_player", *words, check=True, input=sent).stdout.decode()
            self.assertRegex(told, r"^%s\n\n$" % r"\n\n".join(replies))

    def test_what_cannot_be_read_is_said_without_a_traceback(self):
        for words, code, said in ((["--help"], 0, "usage: "), (["nowhere"], 2, "No module named 'nowhere'"),
                                  (["os", "x"], 2, "invalid int value"), (["os", "8", "chess"], 2, "chess"), ([], 2, "MODULE")):
            told = python("-m", "referee.gtp", *words, stderr=subprocess.STDOUT)
            self.assertEqual(told.returncode, code)
            self.assertIn(said, told.stdout.decode())
            self.assertNotIn("Traceback", told.stdout.decode())


class NoThreads(unittest.TestCase):
    def test_the_player_needs_nothing_but_numpy(self):
        program = ("import sys, exported_player; from exported_player import Player; p = Player('red', 3); p.action();"
                   "import threading; print(threading.active_count(), 'onnxruntime' in sys.modules)")
        self.assertEqual(python("-c", program, check=True).stdout.split(), [b"1", b"False"])


if __name__ == "__main__":
    unittest.main()
