"""Matches, self-play and the games of runs."""

import json
import os
import random
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import hexzero
from support import Checks, small


class Matches(Checks, unittest.TestCase):
    def test_named_players(self):
        result = hexzero.play_match("alphabeta:2", "random", game="hex", size=4, games=20)
        self.assertEqual((result.a, result.b, result.game, result.size, result.games),
                         ("alphabeta:2", "random", "hex", 4, 20))
        self.assertEqual(result.wins + result.losses + result.draws, 20)
        self.assertGreater(result.wins, 15)
        self.assertAlmostEqual(result.score, (result.wins + result.draws / 2) / 20)
        self.assertTrue(result.elo_low <= result.elo <= result.elo_high)
        first = [json.loads(record)["a_is_first"] for record in result.records]
        self.assertEqual(sum(first), 10)
        for record, a_is_first in zip(result.records, first):
            state = hexzero.State.from_json(record)
            self.assertTrue(state.is_terminal)
            self.assertIn(state.winner, (0, 1))

    def test_players_in_python(self):
        network, seen = small(), []

        def first_legal(state):
            seen.append(state)
            return state.legal_actions()[0]

        def by_name(state):
            return state.legal_moves()[-1]

        result = hexzero.play_match(first_legal, by_name, game="hex", size=3, games=4)
        self.assertEqual((result.a, result.b, result.games), ("first_legal", "by_name", 4))
        # The states have the whole game, its opening included.
        for state in seen:
            self.assertEqual(hexzero.State("hex", 3, " ".join(state.moves)), state)
        search = hexzero.Search(network, 10)
        function = hexzero.Search(lambda p, g: (np.zeros((len(p), 10)), np.zeros(len(p))), 10)
        for a, b in ((network, "random"), (search, function), (function, first_legal), ("random", search)):
            self.assertEqual(hexzero.play_match(a, b, game="hex", size=3, games=2, visits=5).games, 2)
        self.assertEqual(hexzero.play_match(network, "random", size=3, games=2, visits=5).game, "hex")

    def test_a_resignation(self):
        result = hexzero.play_match(lambda state: None, "random", game="hex", size=3, games=2)
        self.assertEqual((result.wins, result.losses), (0, 2))
        self.assertIn("resigned", result.records[0])

    def test_matches_repeat(self):
        once = [hexzero.play_match(small(), small(seed=1), size=3, games=6, visits=5, seed=seed).records
                for seed in (1, 1, 2)]
        self.assertEqual(once[0], once[1])
        self.assertNotEqual(once[0], once[2])

    def test_errors(self):
        play = hexzero.play_match
        for kind, text, arguments, options in (
            (ValueError, "'rnd' is neither a built-in player nor a file", ("rnd", "random"), {}),
            (TypeError, "a player is of type 'int'", (3, "random"), {}),
            (ValueError, "games = 0; accepted: 1 to", ("random", "random"), {"games": 0}),
            (ValueError, "visits = 0", ("random", "random"), {"visits": 0}),
            (ValueError, "boards of size", ("random", "random"), {"size": 1}),
            (hexzero.CheckpointError, "plays hex", (small(), "random"), {"game": "cachex"}),
            (hexzero.CheckpointError, "plays hex", (hexzero.Search(small()), "random"), {}),
            (ZeroDivisionError, "division", (lambda state: 1 / 0, "random"), {}),
            (hexzero.IllegalMove, "there is no action number 99999", (lambda state: 99999, "random"), {}),
            (TypeError, "of type 'float'", (lambda state: 1.5, "random"), {}),
            (RuntimeError, "gtp:false failed in game", ("gtp:false", "random"), {}),
        ):
            self.check(kind, text, play, *arguments, **{"size": 3, "games": 2, **options})

        def broken(planes, numbers):
            raise KeyError("broken")

        with self.assertRaisesRegex(KeyError, "broken"):
            play("random", hexzero.Search(broken), size=3, games=2)


class SelfPlay(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.network = small()
        cls.games = hexzero.self_play(cls.network, size=4, games=12, visits=8, seed=3)

    def test_games(self):
        self.assertEqual((len(self.games), self.games.game, self.games.sizes), (12, "hex", [4]))
        again = hexzero.self_play(self.network, size=4, games=12, visits=8, seed=3, threads=1)
        self.assertEqual(again.to_json(), self.games.to_json())
        rest = hexzero.self_play(self.network, size=4, games=2, first=10, visits=8, seed=3)
        self.assertEqual(rest.to_json(), self.games.to_json()[10:])
        for line in self.games.to_json():
            self.assertTrue(hexzero.State.from_json(line).is_terminal)

    def test_games_in_either_precision(self):
        # Blocks of new networks add nothing, in either precision; these add something.
        draw = np.random.default_rng(0)
        tensors = {name: values + draw.normal(0, 0.2, values.shape).astype(values.dtype)
                   for name, values in self.network.to_dict().items()}
        played = [hexzero.self_play(hexzero.Network.from_dict(tensors, game="hex", precision=precision),
                                    size=4, games=40, visits=16, seed=3).to_json() for precision in ("f32", "int8")]
        self.assertNotEqual(*played)

    def check(self, samples):
        """Compares each row with the game that it comes from, played again."""
        games = [json.loads(line) for line in self.games.to_json()]
        self.assertGreater(len(samples), 12)
        for row in range(len(samples)):
            game = games[samples.game[row]]
            state = hexzero.State("hex", 4, " ".join(game["moves"][:samples.ply[row]]))
            planes, numbers = state.encode()
            np.testing.assert_array_equal(samples.planes[row], planes)
            np.testing.assert_array_equal(samples.globals[row], numbers)
            np.testing.assert_array_equal(samples.legal[row][state.frame], state.legal_mask())
            policy = samples.policy[row][state.frame]
            self.assertAlmostEqual(policy.sum(), 1, places=5)
            self.assertEqual(policy[~state.legal_mask()].sum(), 0)
            result = hexzero.State("hex", 4, " ".join(game["moves"])).returns()
            self.assertEqual(samples.value[row], result[state.to_play])
            self.assertLessEqual(abs(samples.search_value[row]), 1)

    def test_samples(self):
        samples = self.games.samples()
        self.check(samples)
        arrays = samples.as_dict()
        self.assertEqual(samples.board, hexzero.Game("hex", 4))
        for name, array in arrays.items():
            self.assertIs(array, getattr(samples, name))
            self.assertEqual(len(array), len(samples))
        few, all_of_them = (hexzero.self_play(self.network, size=4, games=8, visits=8, full_share=share, seed=1).samples()
                            for share in (0.2, 1.0))
        self.assertLess(len(few), len(all_of_them))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "000000.games")
            self.games.save(path)
            self.assertEqual(hexzero.Games.read(path).to_json(), self.games.to_json())
            self.assertEqual([len(samples) for samples in hexzero.shards([path, path])], [len(self.games.samples())] * 2)
            self.check(next(hexzero.shards(path)))
            self.assertEqual(list(hexzero.shards(path, size=5)), [])
            with ThreadPoolExecutor(4) as threads:
                shards = hexzero.shards([path] * 200)
                found = [thread.result() for thread in [threads.submit(list, shards) for _ in range(4)]]
            self.assertEqual(sum(map(len, found)), 200)
            with open(path, "r+b") as file:
                file.seek(40)
                file.write(b"x")
            with self.assertRaisesRegex(ValueError, "damaged"):
                list(hexzero.shards(path))
            with self.assertRaisesRegex(ValueError, "holds no run"):
                hexzero.shards(folder)
        with self.assertRaisesRegex(FileNotFoundError, "no such file"):
            hexzero.shards(path)

    def test_errors(self):
        for text, options in (("visits = 1; accepted: 2 to", {"visits": 1}), ("full_share = 0", {"full_share": 0}),
                              ("random_opening = 1", {"random_opening": 1}), ("boards of size", {"size": 1})):
            with self.assertRaises(ValueError) as caught:
                hexzero.self_play(self.network, **{"size": 3, "games": 1, **options})
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
