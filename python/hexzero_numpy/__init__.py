"""A player that needs NumPy and nothing else, of the game whose rules are in ``rules.py``.

``hexzero export --numpy`` writes such a package.

    python -m referee 8 THIS_PACKAGE OTHER_PACKAGE
"""

import os

# Before NumPy is imported: each further thread would take memory, and the CPU time of all threads counts.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from .player import Player  # noqa: E402

__all__ = ["Player"]
