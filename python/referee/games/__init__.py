"""The games of the referee, a module each: to add one, add its file here.

Such a module has ``SIZES``, the boards' sizes; ``PLAYERS``, the names of the first player and the second; ``OPPONENT``,
who plays against whom; ``ACTIONS``, which says what an action may look like; ``vertex(action)`` and ``action(vertex)``
for the Go Text Protocol; and ``Board(n)``, a game in progress, with ``n``, ``to_move``, ``check(action)``,
``play(action)`` and ``result``.
"""

import os
from importlib import import_module

DEFAULT = "cachex"


class IllegalMove(Exception):
    """A move that the rules do not allow."""


def names():
    """Returns the names of the games."""
    files = os.listdir(os.path.dirname(os.path.abspath(__file__)))
    return sorted(file[:-len(".py")] for file in files if file.endswith(".py") and not file.startswith("_"))


def game_named(name):
    """Returns a game's module; raises ValueError if there is none."""
    if name not in names():
        raise ValueError("there is no game '%s', but %s" % (name, ", ".join(names())))
    return import_module("." + name, __name__)
