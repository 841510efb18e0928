"""The network: its inputs, and its judgement of several positions at a time.

Everything is in the mover's frame: the board turned so that the player to move has the first player's sides, own
stones first. Arrays are laid out as [channel, row, column, position], so that the innermost loops of NumPy are
long. Layers are multiplied by einsum, which has no need of the 32 MB that OpenBLAS takes for its buffers; where
there is room for them, by matmul, which is three times as fast.
"""

import numpy as np

from .rules import EXTRA_ACTIONS, GLOBALS, PLANES, grid, windows


def read_arrays(path):
    """The arrays of an ``.npz`` file without compression, by name. NumPy's own way to read one takes a megabyte of
    modules."""
    with open(path, "rb") as file:
        while file.read(4) == b"PK\3\4":
            header = file.read(26)
            name, extra = int.from_bytes(header[22:24], "little"), int.from_bytes(header[24:26], "little")
            name = file.read(name + extra)[:name].decode("ascii")
            yield name[:-len(".npy")], np.lib.format.read_array(file)


class Network:
    """The network for boards of one size, with room for a number of positions."""

    def __init__(self, path, n, batch, blas=False):
        self.grid, self.batch, self.blas = grid(n), batch, blas
        rows, columns = self.grid
        # From [..., inputs, outputs] to [outputs, ..., inputs]; a bias stands beside the outputs.
        self.weights = {name: np.ascontiguousarray(np.moveaxis(value, -1, 0)) if value.ndim > 1 else value[:, None]
                        for name, value in read_arrays(path) if value.dtype == np.float32}
        self.channels = self.weights["stem.bias"].shape[0]
        self.blocks = sum(name.endswith(".first.bias") for name in self.weights)
        self.windows = list(windows(n))
        self.cells = np.zeros((PLANES, rows, columns, batch), np.float32)
        self.globals = np.zeros((GLOBALS, batch), np.float32)
        # What lies beyond the edge is never written and stays zero.
        self.taps = np.zeros((len(self.windows), max(PLANES, self.channels), rows, columns, batch), np.float32)
        size = (self.channels, rows * columns * batch)
        self.x, self.y, self.z = (np.zeros(size, np.float32) for _ in range(3))

    def kibibytes(self):
        """The memory that it takes, with what it needs for a moment."""
        kept = [self.cells, self.taps, self.x, self.y, self.z, self.x] + list(self.weights.values())
        return sum(array.nbytes for array in kept) >> 10

    def times(self, name, x):
        """A layer's weights times its inputs."""
        weight = self.weights[name]
        return np.matmul(weight, x) if self.blas else np.einsum("kj,jp->kp", weight, x)

    def convolve(self, name, x, out):
        taps = self.taps[:, :x.shape[0]]
        for tap, (to, source) in zip(taps, self.windows):
            tap[(slice(None),) + to] = x[(slice(None),) + source]
        weight, taps = self.weights[name + ".weight"], taps.reshape(taps.shape[:2] + (-1,))
        if self.blas:
            np.matmul(weight.reshape(len(weight), -1), taps.reshape(-1, taps.shape[2]), out=out)
        else:
            np.einsum("ktj,tjp->kp", weight, taps, out=out)
        out += self.weights[name + ".bias"]

    def per_cell(self, x):
        return x.reshape((x.shape[0],) + self.grid + (self.batch,))

    def add_to_cells(self, x, addend):
        """Adds to every cell what was found for its position."""
        cells = x.reshape(x.shape[0], -1, self.batch)
        cells += addend[:, None, :]

    def pooled(self, x):
        """The means and the maxima over the board."""
        cells = x.reshape(x.shape[0], -1, self.batch)
        return np.concatenate([cells.mean(axis=1), cells.max(axis=1)])

    def evaluate(self):
        """The logits of what is in ``cells`` and ``globals``: of the cells [cell, position], of the
        actions that are on no cell [action, position], and of win, draw and loss [3, position]."""
        x, y, z = self.x, self.y, self.z
        self.convolve("stem", self.cells, x)
        self.add_to_cells(x, self.times("stem.globals", self.globals))
        np.maximum(x, 0, out=x)
        for block in range(self.blocks):
            name = "blocks.%d" % block
            self.convolve(name + ".first", self.per_cell(x), y)
            np.maximum(y, 0, out=y)
            if name + ".pool.weight" in self.weights:
                pooled = self.times(name + ".pool.weight", self.pooled(y)) + self.weights[name + ".pool.bias"]
                self.add_to_cells(y, pooled)
            self.convolve(name + ".second", self.per_cell(y), z)
            x += z
            np.maximum(x, 0, out=x)

        pooled = self.pooled(x)
        head = self.times("policy.weight", x) + self.weights["policy.bias"]
        self.add_to_cells(head, self.times("policy.pool", pooled))
        np.maximum(head, 0, out=head)
        # The first row of these is the policy, the second that of the reply, which play has no use for.
        logits = self.times("policy.out.weight", head)[0] + self.weights["policy.out.bias"][0]
        hidden = self.times("position.weight", pooled) + self.weights["position.bias"]
        np.maximum(hidden, 0, out=hidden)
        # Win, draw, loss; the length of the game; the actions that are on no cell, and those of the reply.
        position = self.times("position.out.weight", hidden) + self.weights["position.out.bias"]
        return logits.reshape(-1, self.batch), position[4:4 + EXTRA_ACTIONS], position[:3]
