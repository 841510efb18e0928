"""A player of Cachex that needs NumPy and nothing else, written by ``hexzero export --numpy``."""

import os

# Before NumPy is imported: each further thread would take memory, and the CPU time of all threads counts.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

from .player import Player  # noqa: E402,F401
