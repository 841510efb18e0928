"""Exported networks answer as the engine does, to a ten-thousandth."""

import json
import unittest
from collections import Counter

import numpy as np
import onnxruntime

from hexzero_numpy.network import Network
from hexzero_numpy.rules import Board, Position

from .fixtures import SIZES, hexzero, numpy_player, onnx_file, samples

TOLERANCE = 1e-4
HEADS = ("cell_policy", "global_policy", "outcome", "ownership", "moves_left")


class Onnx(unittest.TestCase):
    """The ONNX file in ONNX Runtime."""

    def test_agreement(self):
        for game in ("cachex", "hex"):
            expected = np.load(samples(game))
            session = onnxruntime.InferenceSession(onnx_file(game), providers=["CPUExecutionProvider"])
            self.assertEqual({output.name for output in session.get_outputs()}, set(HEADS))
            for n in SIZES:
                inputs = {name: expected["%d.%s" % (n, name)] for name in ("cells", "globals")}
                self.assertGreater(len(inputs["cells"]), 1)
                for batch in (slice(0, 1), slice(None)):
                    found = session.run(HEADS, {name: value[batch] for name, value in inputs.items()})
                    for name, values in zip(HEADS, found):
                        wanted = expected["%d.%s" % (n, name)][batch]
                        self.assertEqual(values.shape, wanted.shape, name)
                        np.testing.assert_allclose(values, wanted, atol=TOLERANCE, err_msg="%s %d %s" % (game, n, name))

    def test_description(self):
        session = onnxruntime.InferenceSession(onnx_file("cachex"), providers=["CPUExecutionProvider"])
        about = session.get_modelmeta()
        self.assertEqual(about.custom_metadata_map["game"], "cachex")
        names = json.loads(about.custom_metadata_map["cell_inputs"])
        self.assertEqual(len(names), session.get_inputs()[0].shape[1])
        self.assertEqual(session.get_inputs()[0].shape[2:], ["rows", "columns"])
        expected = np.load(samples("cachex"))
        cells = expected["8.cells"]
        own, enemy, empty = (cells[:, names.index(name)] for name in ("own", "enemy", "empty"))
        np.testing.assert_array_equal(own + enemy + empty, 1)


class NumPy(unittest.TestCase):
    """The network of the NumPy player."""

    def see(self, network, n, moves, place=0):
        """Gives the network the position after some moves."""
        position, seen = Position(Board(n)), Counter()
        for move in [None, *moves]:
            position = position if move is None else position.after(int(move))
            seen[position.stones] += 1
        network.cells[..., place], network.globals[:, place] = position.inputs(seen[position.stones])

    def test_agreement(self):
        samples_of_all, batch = np.load(samples("cachex")), 4
        for n in SIZES:
            expected = {name.split(".")[1]: values for name, values in samples_of_all.items() if name.startswith("%d." % n)}
            network = Network(numpy_player() + "/weights.npz", n, batch)
            for first in range(0, len(expected["moves"]), batch):
                rows = slice(first, first + batch)
                for place, moves in enumerate(expected["moves"][rows]):
                    self.see(network, n, moves[moves >= 0], place)
                np.testing.assert_array_equal(network.cells, np.moveaxis(expected["cells"][rows], 0, -1))
                np.testing.assert_allclose(network.globals, expected["globals"][rows].T, atol=1e-7)
                policy, outcome = network.evaluate()
                wanted = np.concatenate([expected["cell_policy"][rows].reshape(batch, -1), expected["global_policy"][rows]], 1)
                np.testing.assert_allclose(policy, wanted.T, atol=TOLERANCE)
                np.testing.assert_allclose(outcome, expected["outcome"][rows].T, atol=TOLERANCE)

    def test_engine_says_the_same_at_the_command_line(self):
        """The chances of a position after a single visit are the network's own."""
        told = json.loads(hexzero("analyze", "--size", "5", "--visits", "1", "--json", "d2", "b2").splitlines()[-1])
        network = Network(numpy_player() + "/weights.npz", 5, 1)
        self.see(network, 5, (8, 6))
        outcome = network.evaluate()[1][:, 0]
        chances = np.exp(outcome) / np.exp(outcome).sum()
        # The engine may compute in int8, and prints four digits.
        np.testing.assert_allclose(chances, [told["win"], told["draw"], told["loss"]], atol=0.02)


if __name__ == "__main__":
    unittest.main()
