"""The network as a PyTorch module: the same layers, names and numbers as in hexzero's checkpoints.

    module = HexNetwork(hexzero.Game("hex", size=5))
    logits, outcome = module(planes, globals)         # train as you like, then
    network = module.to_network()                     # a hexzero.Network, to play with

A module serves boards of one size; its parameters fit every size (``HexNetwork.from_network(network, other_game)``).
"""

import torch
from torch import nn
from torch.nn import functional

from ._hexzero import Game, Network

#: The cell itself and its six neighbours.
TAPS = 7


def _normal(gain, inputs, *shape):
    """Returns a parameter with variance ``gain² / inputs``; zeros if the gain is 0."""
    return nn.Parameter(torch.randn(*shape) * (gain / inputs ** 0.5))


class _Dense(nn.Module):
    """``x @ weight + bias``, the weights as ``[inputs, outputs]``."""

    def __init__(self, inputs, outputs, gain):
        super().__init__()
        self.weight = _normal(gain, inputs, inputs, outputs)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class _HexConv(nn.Module):
    """A hexagonal convolution, the weights as ``[7, inputs, outputs]``."""

    def __init__(self, inputs, outputs, gain):
        super().__init__()
        self.weight = _normal(gain, TAPS * inputs, TAPS, inputs, outputs)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x, taps):
        # A row of zeros at the end stands for what lies off the board.
        x = functional.pad(x, (0, 0, 0, 1))
        return x[:, taps].flatten(2) @ self.weight.flatten(0, 1) + self.bias


class _Block(nn.Module):
    def __init__(self, channels, blocks, pools):
        super().__init__()
        # The last layer of a branch begins at zero, the first is scaled by the depth (Fixup).
        self.first = _HexConv(channels, channels, (2 / blocks) ** 0.5)
        self.pool = _Dense(2 * channels, channels, 0.5) if pools else None
        self.second = _HexConv(channels, channels, 0.0)

    def forward(self, x, taps):
        y = functional.relu(self.first(x, taps))
        if self.pool is not None:
            y = y + self.pool(_pooled(y))[:, None]
        return functional.relu(x + self.second(y, taps))


def _pooled(x):
    """Returns means and maxima over the cells: ``[positions, 2 * channels]``."""
    return torch.cat([x.mean(1), x.amax(1)], 1)


class HexNetwork(nn.Module):
    """A policy and value network for a game on a board of one size.

    ``forward(planes, globals)`` takes what ``State.encode`` and ``Samples`` give, ``[positions, planes, cells]`` and
    ``[positions, globals]``, and returns logits of all actions in the mover's frame, ``[positions, actions]``, and logits of
    win, draw and loss for the mover, ``[positions, 3]``.

    ``channels``, ``policy_channels`` and ``value_channels`` must be multiples of 16. Every ``pool_every``-th block looks at
    the whole board; 0 for none.
    """

    def __init__(self, game: Game, blocks=4, channels=32, pool_every=2, policy_channels=16, value_channels=32):
        super().__init__()
        self.game = game
        gain = 2 ** 0.5
        self.stem = _HexConv(game.num_planes, channels, gain)
        self.stem.globals = _normal(1.0, game.num_globals, game.num_globals, channels)
        pools = [pool_every > 0 and (block + 1) % pool_every == 0 for block in range(blocks)]
        self.blocks = nn.ModuleList(_Block(channels, blocks, pool) for pool in pools)
        self.policy = _Dense(channels, policy_channels, gain)
        self.policy.pool = _normal(0.5, 2 * channels, 2 * channels, policy_channels)
        self.policy.out = _Dense(policy_channels, game.policy_planes, 0.5)
        self.position = _Dense(2 * channels, value_channels, gain)
        # Win, draw, loss; plies left; the global actions.
        self.position.out = _Dense(value_channels, 4 + len(game.global_actions), 0.5)
        self.ownership = _Dense(channels, 3, 0.5)
        neighbours = torch.from_numpy(game.neighbours()).long()
        own = torch.arange(game.num_cells)[:, None]
        missing = torch.full_like(neighbours, game.num_cells)
        taps = torch.cat([own, torch.where(neighbours < 0, missing, neighbours)], 1)
        self.register_buffer("taps", taps, persistent=False)

    def forward(self, planes, globals):
        x = self.stem(planes.transpose(1, 2), self.taps)
        x = functional.relu(x + (globals @ self.stem.globals)[:, None])
        for block in self.blocks:
            x = block(x, self.taps)
        pooled = _pooled(x)
        head = functional.relu(self.policy(x) + (pooled @ self.policy.pool)[:, None])
        on_cells = self.policy.out(head).transpose(1, 2).flatten(1)
        position = self.position.out(functional.relu(self.position(pooled)))
        return torch.cat([on_cells, position[:, 4:]], 1), position[:, :3]

    def to_network(self, **options) -> Network:
        """Returns a ``hexzero.Network`` with these parameters; ``options`` are those of ``Network.from_dict``."""
        tensors = {name: value.detach().cpu().float().numpy() for name, value in self.state_dict().items()}
        return Network.from_dict(tensors, self.game, **options)

    @classmethod
    def from_network(cls, network: Network, game: Game) -> "HexNetwork":
        """Returns a module with the parameters of a network, for a board of this game."""
        module = cls(game, **network.architecture)
        # Networks of earlier versions have outputs for the opponent's reply after those that are used.
        kept = {"policy.out": game.policy_planes, "position.out": 4 + len(game.global_actions)}
        tensors = {name: torch.from_numpy(value) for name, value in network.to_dict().items()}
        module.load_state_dict({
            name: value[..., :kept.get(name.rpartition(".")[0])].contiguous() for name, value in tensors.items()
        })
        return module


def loss(module, planes, globals, legal, policy, value):
    """Returns the usual loss of a batch of ``Samples`` (as tensors): cross entropy of the policy over the legal actions,
    and of the result. ``value`` is 1 for a win of the mover, 0 for a draw, -1 for a loss."""
    logits, outcome = module(planes, globals)
    logits = logits.masked_fill(~legal, float("-inf"))
    of_policy = -(policy * functional.log_softmax(logits, 1).masked_fill(~legal, 0.0)).sum(1).mean()
    of_result = functional.cross_entropy(outcome, (1 - value).round().long())
    return of_policy + of_result
