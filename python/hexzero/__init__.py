"""Games on hexagonal boards, AlphaZero networks, search, self-play, training and matches.

The classes are compiled; ``help(hexzero.State)`` and the stubs in ``_hexzero.pyi`` describe them. Imported on demand, because
they need or imitate other packages:

``hexzero.pytorch``
    The network as a PyTorch module, to train and to hand back.
``hexzero.pettingzoo``
    A PettingZoo ``AECEnv``.
``hexzero.environment``, ``hexzero.vector``
    A game, or many at once, for Gymnasium, which knows them by names such as ``hexzero/hex-v0``.
``hexzero.openspiel``
    Games and states with the methods of OpenSpiel's.

Arrays over cells are ``[planes, cells]``: on boards with rows and columns (``Game.grid``), ``planes.reshape(-1, rows,
columns)`` makes pictures of them. A network's inputs and outputs are in the *mover's frame*, the board as the player to move
sees it; ``State.frame`` converts actions. Everything else uses the board's own numbers.
"""

import importlib as _importlib

from ._hexzero import (
    CheckpointError,
    Game,
    Games,
    IllegalMove,
    MatchResult,
    Network,
    Samples,
    Search,
    SearchResult,
    Shards,
    State,
    __version__,
    encode,
    games,
    legal_masks,
    play_each,
    play_match,
    self_play,
    shards,
)
from .training import history, train

__all__ = [
    "CheckpointError",
    "Game",
    "Games",
    "IllegalMove",
    "MatchResult",
    "Network",
    "Samples",
    "Search",
    "SearchResult",
    "Shards",
    "State",
    "__version__",
    "encode",
    "games",
    "history",
    "legal_masks",
    "play_each",
    "play_match",
    "self_play",
    "shards",
    "train",
]


def __getattr__(name):
    """Imports ``hexzero.pytorch`` and its like when they are first asked for."""
    if name in ("environment", "pytorch", "pettingzoo", "openspiel", "vector"):
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
