"""Searches with networks and with evaluators written in Python."""

import signal
import threading
import time
import unittest

import numpy as np

import hexzero
from support import Checks, small

# Priors are kept to one part in 4096, and normalised before that.
PRECISION = 1e-3


class Judge:
    """An evaluator that prefers high numbers in the mover's frame, and counts what it is asked."""

    def __init__(self, outcome=False):
        self.batches, self.outcome = [], outcome

    def __call__(self, planes, numbers):
        self.batches.append(planes.shape)
        assert numbers.shape[0] == planes.shape[0]
        cells = planes.shape[2]
        logits = np.tile(np.arange(cells + 1) / 4, (len(planes), 1))
        values = np.sin(planes.sum((1, 2)))
        return logits, np.stack([(1 + values) / 2, 0 * values, (1 - values) / 2], 1) if self.outcome else values


class WithANetwork(unittest.TestCase):
    def test_a_win_is_found_and_proven(self):
        found = hexzero.Search(hexzero.Network.load("shipped", "hex"), 100).run(hexzero.State("hex", 3, "b2 a1 b1 c1"))
        self.assertIn(found.best_move, ("a3", "b3"))
        self.assertTrue(found.proven)
        self.assertEqual((found.value, found.outcome), (1.0, (1.0, 0.0, 0.0)))
        self.assertEqual(found.policy[found.best_action], 1)

    def test_what_a_search_finds(self):
        network, state = small(precision="f32"), hexzero.State("hex", 4, "b2 c3")
        found = hexzero.Search(network, 64).run(state)
        self.assertEqual(found.total_visits, 64)
        # One visit is the root's own.
        self.assertEqual(found.visits.sum(), 63)
        legal = state.legal_mask()
        self.assertEqual(found.visits[~legal].sum(), 0)
        self.assertAlmostEqual(found.policy.sum(), 1, places=5)
        self.assertAlmostEqual(found.priors.sum(), 1, places=5)
        np.testing.assert_allclose(found.priors, network.evaluate([state])[0][0], rtol=PRECISION)
        self.assertTrue(np.isnan(found.values[found.visits == 0]).all())
        self.assertTrue((np.abs(found.values[found.visits > 0]) <= 1).all())
        self.assertAlmostEqual(sum(found.outcome), 1, places=5)
        self.assertAlmostEqual(found.value, found.outcome[0] - found.outcome[2], places=5)
        self.assertEqual(found.principal_variation[0], found.best_action)
        self.assertEqual(found.principal_variation_moves[0], found.best_move)
        after = state.apply(*found.principal_variation)
        self.assertEqual(after.moves[2:], found.principal_variation_moves)

    def test_searches_repeat_and_do_not_depend_on_company(self):
        network = small(precision="f32")
        states = [hexzero.State("hex", 4, moves) for moves in ("", "a1", "a1 b2", "a1 b2 c3")]
        alone = [hexzero.Search(network, 40).run(state).visits for state in states]
        for threads in (1, 3):
            together = hexzero.Search(network, 40).run_many(states, threads=threads)
            np.testing.assert_array_equal([found.visits for found in together], alone)
            single = hexzero.Search(network, 40).run_many(states[:1], threads=threads)
            np.testing.assert_array_equal(single[0].visits, alone[0])

    def test_noise_depends_on_the_seed(self):
        network, state = small(precision="f32"), hexzero.State("hex", 4)
        visits = [hexzero.Search(network, 60, noise=0.5, seed=seed).run(state).priors for seed in (1, 1, 2)]
        np.testing.assert_array_equal(visits[0], visits[1])
        self.assertFalse(np.array_equal(visits[0], visits[2]))

    def test_constants(self):
        network, state = hexzero.Network.load("shipped", "hex"), hexzero.State("hex", 5)
        usual = hexzero.Search(network, 60).run(state).visits
        wide = hexzero.Search(network, 60, init=20.0).run(state).visits
        self.assertLess(wide.max(), usual.max())

    def test_time_and_threads(self):
        found = hexzero.Search(small(precision="f32"), time=0.1, threads=2).run(hexzero.State("hex", 5))
        self.assertGreater(found.total_visits, 1)

    def test_an_interrupt_ends_a_search(self):
        search, state = hexzero.Search(small(precision="f32"), time=600), hexzero.State("hex", 11)
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            search.run(state)
        timer.join()


class WithAFunction(unittest.TestCase):
    def test_priors_are_those_of_the_function(self):
        """In the mover's frame: the second player's actions are those of the exchanged board."""
        state = hexzero.State("hex", 3, "a1 swap b1 c1 b3")
        self.assertEqual(state.to_play, 1)
        found = hexzero.Search(Judge(), 1).run(state)
        logits, legal = (np.arange(10) / 4)[state.frame], state.legal_mask()
        expected = np.where(legal, np.exp(logits), 0)
        np.testing.assert_allclose(found.priors, expected / expected.sum(), rtol=PRECISION)
        self.assertFalse(np.array_equal(state.frame, np.arange(10)))
        np.testing.assert_allclose(found.value, np.sin(state.encode()[0].sum()), atol=1e-5)

    def test_batches_and_forms_of_the_value(self):
        states = [hexzero.State("hex", 4, moves) for moves in ("", "a1", "a1 b2")]
        judge, chances = Judge(), Judge(outcome=True)
        found = hexzero.Search(judge, 30, batch=3).run_many(states)
        again = hexzero.Search(chances, 30, batch=3).run_many(states)
        self.assertEqual(judge.batches, chances.batches)
        self.assertEqual(judge.batches[0], (3, 13, 16))
        self.assertTrue(all(shape[0] <= 3 for shape in judge.batches))
        for state, one, other in zip(states, found, again):
            np.testing.assert_array_equal(one.visits, other.visits)
            # A search side by side with others finds the same as alone, one leaf at a time.
            np.testing.assert_array_equal(hexzero.Search(Judge(), 30, batch=1).run(state).visits, one.visits)
        single = Judge()
        hexzero.Search(single, 200, batch=16).run(states[0])
        self.assertEqual(max(shape[0] for shape in single.batches), 16)

    def test_exceptions_and_wrong_answers(self):
        state = hexzero.State("hex", 3)

        def error(judge):
            with self.assertRaises(Exception) as caught:
                hexzero.Search(judge, 20).run(state)
            return caught.exception

        self.assertIsInstance(error(lambda planes, numbers: 1 / 0), ZeroDivisionError)
        wrong = {
            "expected a pair (policy, value)": lambda p, g: 3,
            "policy of shape [1, 9], expected [1, 10]": lambda p, g: (np.zeros((len(p), 9)), np.zeros(len(p))),
            "not numbers or infinite": lambda p, g: (np.full((len(p), 10), np.nan), np.zeros(len(p))),
            "a value of 2; accepted: -1 to 1": lambda p, g: (np.zeros((len(p), 10)), np.full(len(p), 2)),
            "a value of shape [1, 2]": lambda p, g: (np.zeros((len(p), 10)), np.zeros((len(p), 2))),
            "that add up to 1": lambda p, g: (np.zeros((len(p), 10)), np.ones((len(p), 3))),
            "policy is no array of numbers": lambda p, g: ("policy", 0),
        }
        for text, judge in wrong.items():
            self.assertIn(text, str(error(judge)))
        # Minus infinity leaves a move out.
        logits = np.zeros((1, 10))
        logits[0, :8] = -np.inf
        self.assertIn(hexzero.Search(lambda p, g: (logits, [0.0]), 1).run(state).best_move, ("c3",))

    def test_an_interrupt_comes_through(self):
        def judge(planes, numbers):
            if planes.shape[0]:
                signal.raise_signal(signal.SIGINT)
            return np.zeros((len(planes), 10)), np.zeros(len(planes))

        with self.assertRaises(KeyboardInterrupt):
            hexzero.Search(judge, 20).run(hexzero.State("hex", 3))


class Errors(Checks, unittest.TestCase):
    def test_what_is_named(self):
        network = small(precision="f32")
        for text, arguments, options in (
            ("visits = 0; accepted: 1 to 10000000", (0,), {}),
            ("time = -1; accepted: a number of seconds greater than 0", (), {"time": -1}),
            ("threads = 256; accepted: 0 to 255", (), {"threads": 256}),
            ("noise = 2; accepted: 0 to 1", (), {"noise": 2}),
            ("concentration = 0; accepted", (), {"concentration": 0}),
            ("batch = 0; accepted: 1 to", (), {"batch": 0}),
            ("there is no option 'speed'", (), {"speed": 3}),
            ("fpu_reduction", (), {"fpu_reduction": "much"}),
        ):
            self.check(ValueError, text, hexzero.Search, network, *arguments, **options)
        with self.assertRaisesRegex(TypeError, "of type 'int', expected a hexzero.Network or a callable"):
            hexzero.Search(3)
        for name, value in [("level", "casual"), ("stop", "likely"), ("vis", 400)]:
            with self.assertRaisesRegex(TypeError, "'%s' is not a constant" % name):
                hexzero.Search(network, **{name: value})
        search = hexzero.Search(network)
        self.assertEqual((search.visits, search.time), (200, None))
        with self.assertRaisesRegex(ValueError, "the state is over"):
            search.run(hexzero.State("hex", 2, "a1 b1 a2"))
        with self.assertRaisesRegex(hexzero.CheckpointError, "plays hex"):
            search.run(hexzero.State("cachex", 3))
        with self.assertRaisesRegex(ValueError, "one board"):
            search.run_many([hexzero.State("hex", 3), hexzero.State("hex", 4)])


if __name__ == "__main__":
    unittest.main()
