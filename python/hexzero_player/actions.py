"""Players and actions as the course's referee writes them, and as the program does.

They fit every game of two colours whose places have a column's letter and a row's number.
"""

from .program import ProgramError

PLAYERS = ("red", "blue")
# The colours that the program knows in every game.
COLOURS = {"red": "b", "blue": "w"}


def vertex_of(action):
    """What the program calls an action: ``("PLACE", r, q)`` or ``("STEAL",)``."""
    if action[0] == "STEAL":
        return "swap"
    return "%s%d" % (chr(ord("a") + action[2]), action[1] + 1)


def action_of(vertex):
    """The action that the program calls so."""
    if vertex in ("swap", "swap-pieces"):
        return ("STEAL",)
    try:
        return ("PLACE", int(vertex[1:]) - 1, ord(vertex[0]) - ord("a"))
    except (ValueError, IndexError):
        raise ProgramError("the program wants to play '%s', which is no move" % vertex) from None
