"""What the tests share."""

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import tempfile

import hexzero

# A shell that starts the tests in the background has them ignore Ctrl-C, which is tested.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(ROOT, "python", "examples")
PROGRAM = os.environ.get("HEXZERO") and os.path.abspath(os.environ["HEXZERO"])

#: A size of each game that is quick to play.
SMALL = {name: max(hexzero.Game(name).sizes[0], min(5, hexzero.Game(name).sizes[1])) for name in hexzero.games()}


def has(module):
    return importlib.util.find_spec(module) is not None


def reference_games():
    """Returns the games of the reference rules in ``python/tests``, which share nothing with the package."""
    path = os.path.join(ROOT, "python", "tests", "refgames.py")
    specification = importlib.util.spec_from_file_location("refgames", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.GAMES


def small(game="hex", **options):
    """Returns a network that is quick to make and to evaluate."""
    return hexzero.Network.random(game, blocks=1, channels=16, value_channels=16, **options)


class Checks:
    """Mixed into a test case."""

    def check(self, kind, text, call, *arguments, **options):
        """Asserts that a call raises an exception of this kind with this text in its message."""
        with self.assertRaises(kind) as caught:
            call(*arguments, **options)
        self.assertIn(text, str(caught.exception))


@contextlib.contextmanager
def empty_folder():
    """Runs a block in an empty folder."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def run_example(name, *arguments):
    """Runs a script of ``python/examples`` and returns what it prints."""
    script = [sys.executable, os.path.join(EXAMPLES, name), *arguments]
    with tempfile.TemporaryDirectory() as folder:
        finished = subprocess.run(script, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if finished.returncode:
        raise AssertionError("%s failed:\n%s" % (name, finished.stdout))
    return finished.stdout


def random_state(game, plies, rng):
    """Returns the position after random moves, before the end of the game."""
    state = game.start()
    for _ in range(plies):
        after = state.apply(int(rng.choice(state.legal_actions())))
        if after.is_terminal:
            break
        state = after
    return state
