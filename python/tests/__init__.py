"""Tests of the Python packages and of what ``hexzero export`` writes.

    HEXZERO=target/release/hexzero python -m unittest discover -t python -s python/tests

They need NumPy and ONNX Runtime. Games have short clocks, but for one on 8 × 8 with that of the rules, which takes
about two minutes; HEXZERO_QUICK=1 leaves it out.
"""
