"""A player whose moves the program ``hexzero`` chooses.

    python -m referee 8 hexzero_player OTHER_PACKAGE

Environment variables, with their defaults in brackets:

    HEXZERO          the program (``hexzero`` on the PATH)
    HEXZERO_GAME     the game (Cachex)
    HEXZERO_MODEL    the checkpoint or the run to play with (the model that ships)
    HEXZERO_SECONDS  the time of a game (n² seconds)
    HEXZERO_MEMORY   mebibytes for its search tree (32)
"""

from .player import Player

__all__ = ["Player"]
