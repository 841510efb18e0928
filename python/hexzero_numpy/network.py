"""The network's judgement of several positions at a time, as their movers see them.

Arrays are laid out as [channel, cell, position], so that the innermost loops of NumPy are long. Layers are multiplied by
einsum, which has no need of the 32 MB that OpenBLAS takes for its buffers.
"""

import numpy as np

from .rules import GLOBALS, PLANES, STEPS


def read_arrays(path):
    """Yields the arrays of an ``.npz`` file without compression, by name. NumPy's own way takes megabytes of modules."""
    with open(path, "rb") as file:
        while file.read(4) == b"PK\3\4":
            header = file.read(26)
            name, extra = int.from_bytes(header[22:24], "little"), int.from_bytes(header[24:26], "little")
            name = file.read(name + extra)[:name].decode("ascii")
            yield name[:-len(".npy")], np.lib.format.read_array(file)


def relu(x):
    return np.maximum(x, 0, out=x)


def pooled(x):
    """Returns the means and the maxima over the board."""
    return np.concatenate([x.mean(axis=1, keepdims=True), x.max(axis=1, keepdims=True)])


class Network:
    """The network for boards of one size, with room for a number of positions."""

    def __init__(self, path, n, batch):
        # From [..., inputs, outputs] to [outputs, ..., inputs]; a bias stands beside the outputs.
        self.weights = {name: np.ascontiguousarray(np.moveaxis(value, -1, 0)) if value.ndim > 1 else value[:, None, None]
                        for name, value in read_arrays(path) if value.dtype == np.float32}
        self.cells, self.globals = np.zeros((PLANES, n, n, batch), np.float32), np.zeros((GLOBALS, batch), np.float32)

    def layer(self, name, x):
        """Applies a dense layer to each cell."""
        return np.einsum("kj,jcp->kcp", self.weights[name + ".weight"], x) + self.weights[name + ".bias"]

    def convolution(self, name, x):
        """Applies a hexagonal convolution: a layer on each cell and the six around it."""
        _, n, _, batch = self.cells.shape
        padded = np.zeros((len(x), n + 2, n + 2, batch), np.float32)
        padded[:, 1:-1, 1:-1] = x.reshape(-1, n, n, batch)
        taps = np.stack([padded[:, 1 + r:1 + r + n, 1 + q:1 + q + n] for r, q in ((0, 0),) + STEPS])
        taps = taps.reshape(len(taps), len(x), n * n, batch)
        return np.einsum("ktj,tjcp->kcp", self.weights[name + ".weight"], taps) + self.weights[name + ".bias"]

    def evaluate(self):
        """Returns logits for ``cells`` and ``globals``: of actions [action, position], of win, draw, loss [3, position]."""
        x = self.convolution("stem", self.cells)
        x = relu(x + np.einsum("kj,jcp->kcp", self.weights["stem.globals"], self.globals[:, None]))
        for name in map("blocks.{}.".format, range(sum(".first.bias" in name for name in self.weights))):
            y = relu(self.convolution(name + "first", x))
            if name + "pool.weight" in self.weights:
                y += self.layer(name + "pool", pooled(y))
            x = relu(x + self.convolution(name + "second", y))
        board = pooled(x)
        head = relu(self.layer("policy", x) + np.einsum("kj,jcp->kcp", self.weights["policy.pool"], board))
        # Win, draw, loss; the length of the game; the swap; and what earlier versions had.
        position = self.layer("position.out", relu(self.layer("position", board)))[:, 0]
        return np.concatenate([self.layer("policy.out", head)[0], position[4:5]]), position[:3]
