"""Networks: reading, writing, and evaluation that agrees with the program."""

import os
import pickle
import signal
import subprocess
import tempfile
import threading
import types
import unittest

import numpy as np

import hexzero
from hexzero_numpy.network import Network
from support import PROGRAM, Checks, random_state, small

TOLERANCE = 1e-4


def random_states(game, count, seed=0):
    rng = np.random.default_rng(seed)
    return [random_state(game, int(rng.integers(0, 2 * game.size)), rng) for _ in range(count)]


def softmax(logits):
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


@unittest.skipUnless(PROGRAM, "HEXZERO names no program")
class Program(unittest.TestCase):
    """The program's own samples: inputs of random positions and the outputs of the network in candle."""

    def test_agreement(self):
        for name in ("cachex", "hex"):
            network = hexzero.Network.load("shipped", name, precision="f32")
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "samples.npz")
                subprocess.run([PROGRAM, "export", "--samples", path, "--game", name, "--sizes", "5,8"], check=True,
                               stdout=subprocess.DEVNULL)
                samples = dict(np.load(path))
            for size in (5, 8):
                states = []
                for moves in samples["%d.moves" % size]:
                    state = hexzero.State(name, size)
                    state.play(*moves[moves >= 0])
                    states.append(state)
                self.assertGreater(len(states), 5)
                planes, numbers = hexzero.encode(states)
                np.testing.assert_array_equal(planes, samples["%d.cells" % size].reshape(planes.shape))
                np.testing.assert_array_equal(numbers, samples["%d.globals" % size])
                policies, values = network.evaluate(states)
                rows = zip(states, policies, values, samples["%d.cell_policy" % size],
                           samples["%d.global_policy" % size], samples["%d.outcome" % size])
                for state, policy, value, cells, extra, outcome in rows:
                    logits, legal = np.concatenate([cells.ravel(), extra])[state.frame], state.legal_actions()
                    np.testing.assert_allclose(policy[legal], softmax(logits[legal]), atol=TOLERANCE)
                    self.assertEqual(policy[~state.legal_mask()].sum(), 0)
                    chances = softmax(outcome)
                    self.assertAlmostEqual(value, chances[0] - chances[2], delta=TOLERANCE)


class Evaluation(unittest.TestCase):
    def test_threads_and_batches_do_not_matter(self):
        network = small(seed=5)
        states = random_states(hexzero.Game("hex", 4), 50)
        policy, value = network.evaluate(states)
        self.assertEqual((policy.shape, value.shape, policy.dtype, value.dtype), ((50, 17), (50,), np.float32, np.float32))
        self.assertGreater(value.std(), 0)
        for threads in (1, 2, 7):
            again = network.evaluate(states, threads=threads)
            np.testing.assert_array_equal(again[0], policy)
            np.testing.assert_array_equal(again[1], value)
        for state, row, number in zip(states, policy, value):
            alone = network.evaluate([state])
            np.testing.assert_array_equal(alone[0][0], row)
            self.assertEqual(alone[1][0], number)

    def test_the_lock_is_released(self):
        """Another thread goes on counting while one evaluates."""
        network = hexzero.Network.random("hex", blocks=10, channels=128)
        states = [hexzero.State("hex", 11)] * 200
        done, counted, seen = threading.Event(), [], []

        def evaluate():
            seen.append(len(counted))
            network.evaluate(states, threads=1)
            seen.append(len(counted))
            done.set()

        worker = threading.Thread(target=evaluate)
        worker.start()
        while not done.is_set():
            counted.append(None)
        worker.join()
        before, after = seen
        self.assertGreater(after, before)

    def test_an_interrupt_ends_an_evaluation(self):
        """The positions would take minutes."""
        network = hexzero.Network.random("hex", blocks=20, channels=256)
        timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            network.evaluate([hexzero.State("hex", 11)] * 4000)
        timer.join()

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_evaluation_after_a_fork(self):
        network = small()
        states = random_states(hexzero.Game("hex", 4), 40)
        expected = network.evaluate(states)[1]
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(network.evaluate(states)[1], expected) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_errors(self):
        network = small()
        over = hexzero.State("hex", 2, "a1 b1 a2")
        with self.assertRaisesRegex(ValueError, r"states\[1\] is over"):
            network.evaluate([hexzero.State("hex", 2), over])
        with self.assertRaisesRegex(ValueError, "threads = 256; accepted: 0"):
            network.evaluate([hexzero.State("hex", 2)], threads=256)
        with self.assertRaisesRegex(hexzero.CheckpointError, "plays hex, but cachex is to be played"):
            network.evaluate([hexzero.State("cachex", 3)])
        # A variant with the same network.
        network.evaluate([hexzero.State("hex-noswap", 3), hexzero.State("hex", 3)])


class Files(Checks, unittest.TestCase):
    def test_round_trips(self):
        network = hexzero.Network.random("y", blocks=3, channels=16, pool_every=3, policy_channels=32, seed=7)
        tensors, states = network.to_dict(), random_states(hexzero.Game("y", 5), 8)
        expected = network.evaluate(states)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "network.safetensors")
            network.save(path)
            read = hexzero.Network.load(path)
        made = hexzero.Network.from_dict({name: value.astype(np.float64) for name, value in tensors.items()}, "y", step=9)
        self.assertEqual(made.metadata["step"], 9)
        mapped = hexzero.Network.from_dict(types.MappingProxyType(tensors), "y")
        for other in (read, made, mapped, pickle.loads(pickle.dumps(network)), hexzero.Network.from_bytes(network.to_bytes())):
            self.assertEqual((other.game, other.architecture), ("y", network.architecture))
            for name, value in other.to_dict().items():
                np.testing.assert_array_equal(value, tensors[name])
            np.testing.assert_array_equal(other.evaluate(states)[0], expected[0])
        # Changed arrays make another network.
        tensors["position.out.bias"][0] += 3
        self.assertGreater(hexzero.Network.from_dict(tensors, "y").evaluate(states)[1].min(), expected[1].min())
        np.testing.assert_array_equal(network.evaluate(states)[0], expected[0])

    def test_the_numpy_player_is_written(self):
        """What it answers is compared in python/tests."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "player")
            hexzero.Network.load("shipped", "cachex").export_numpy(path)
            self.assertIn("player.py", os.listdir(path))
            network = Network(os.path.join(path, "weights.npz"), 3, 1)
        self.assertEqual(network.evaluate()[0].shape, (10, 1))

    def test_every_game_that_ships(self):
        for name in hexzero.games():
            network = hexzero.Network.load("shipped", name)
            policy, value = network.evaluate([hexzero.Game(name).start()])
            self.assertAlmostEqual(policy.sum(), 1, places=4)
            self.assertLess(abs(value[0]), 1)

    def test_errors(self):
        load, make = hexzero.Network.load, hexzero.Network.from_dict
        self.check(FileNotFoundError, "/no/such/file", load, "/no/such/file")
        self.check(hexzero.CheckpointError, "not a hexzero checkpoint", load, __file__)
        self.check(hexzero.CheckpointError, "holds no run", load, os.path.dirname(__file__))
        self.check(ValueError, "unknown game 'go'", load, "shipped", "go")
        self.check(ValueError, "f16", load, precision="f16")
        tensors = hexzero.Network.random("hex", blocks=1, channels=16).to_dict()
        self.check(hexzero.CheckpointError, "'stem.bias'", make, {}, "hex")
        self.check(hexzero.CheckpointError, "tensor 'ownership.bias' is missing", make,
                   {name: value for name, value in tensors.items() if name != "ownership.bias"}, "hex")
        self.check(hexzero.CheckpointError, "'extra' is not part", make, dict(tensors, extra=[1.0]), "hex")
        self.check(hexzero.CheckpointError, "has shape [4], expected [3]", make,
                   dict(tensors, **{"ownership.bias": np.zeros(4)}), "hex")
        self.check(hexzero.CheckpointError, "tensor 'ownership.bias' holds NaN", make,
                   dict(tensors, **{"ownership.bias": [0, np.nan, 0]}), "hex")
        self.check(ValueError, "tensor 'ownership.bias' is no array of numbers", make,
                   dict(tensors, **{"ownership.bias": "three"}), "hex")
        self.check(hexzero.CheckpointError, "stem.weight", make, tensors, "cachex")
        self.check(ValueError, "channels = 40; accepted: a multiple of 16", hexzero.Network.random, "hex", channels=40)
        network = make(tensors, "hex")
        self.check(OSError, "/no/such", network.save, "/no/such/folder/network.safetensors")
        self.check(ValueError, "the NumPy player plays cachex only", network.export_numpy, "player")


if __name__ == "__main__":
    unittest.main()
