"""A player that has the program ``hexzero`` think for it.

    python -m referee 8 hexzero_player OTHER_PACKAGE

These environment variables say how:

    HEXZERO          the program, if it is not on the PATH under this name
    HEXZERO_GAME     the game, Cachex if not said
    HEXZERO_MODEL    the checkpoint or the run to play with, if not the model that ships with it
    HEXZERO_SECONDS  the time of a game, if not n² seconds
    HEXZERO_MEMORY   mebibytes for its search tree, 32 if not said
"""

from .player import Player

__all__ = ["Player"]
