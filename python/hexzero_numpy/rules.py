"""The game that is played: ``hexzero export --numpy`` puts the file of the network's game in the place of this one."""

from .cachex import *  # noqa: F401,F403
