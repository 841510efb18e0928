"""The package as such: what it exports, describes and weighs."""

import ast
import functools
import importlib.metadata
import inspect
import os
import subprocess
import sys
import unittest
import zipfile

import hexzero

#: The most that the wheel may weigh, in bytes.
LARGEST_WHEEL = 15_000_000
#: Members that Python gives a class, or that need no words.
USUAL = {"__new__", "__init__", "__module__", "__doc__", "__hash__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
         "__repr__", "__str__", "__reduce__", "__weakref__", "__dict__", "__qualname__"}


def stub():
    path = os.path.join(os.path.dirname(hexzero.__file__), "_hexzero.pyi")
    with open(path) as file:
        return ast.parse(file.read())


class Stubs(unittest.TestCase):
    def test_the_types_are_those_of_the_package(self):
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(hexzero.__file__), "py.typed")))
        public = {node.name: node for node in stub().body
                  if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")}
        # The last two are written in Python.
        self.assertEqual(set(public) | {"__version__", "history", "train"}, set(hexzero.__all__))
        for name, node in public.items():
            thing = getattr(hexzero, name)
            if isinstance(node, ast.FunctionDef):
                self.compare(name, node, thing)
            elif not issubclass(thing, Exception):
                members = {member for member in vars(thing) if member not in USUAL}
                described = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
                data = {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)}
                self.assertEqual((set(described) | data) - USUAL, members, name)
                for member, function in described.items():
                    whole = "%s.%s" % (name, member)
                    if member == "__new__":
                        self.compare(whole, function, thing, skip=1)
                    elif not any(getattr(d, "id", "") == "property" for d in function.decorator_list):
                        static = any(getattr(d, "id", "") == "staticmethod" for d in function.decorator_list)
                        if not member.startswith("__"):
                            self.compare(whole, function, getattr(thing, member), skip=0 if static else 1, bound=not static)

    def compare(self, name, function, thing, skip=0, bound=False):
        arguments = function.args
        described = [argument.arg for argument in (arguments.args[skip:] + arguments.kwonlyargs)]
        described += [argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument]
        found = list(inspect.signature(thing).parameters)
        self.assertEqual(sorted(described), sorted(found[1:] if bound else found), name)

    def test_everything_has_words(self):
        for name in hexzero.__all__:
            thing = getattr(hexzero, name)
            if name == "__version__":
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing) and not issubclass(thing, Exception):
                for member, value in vars(thing).items():
                    if member not in USUAL and not member.startswith("__"):
                        self.assertTrue(inspect.getdoc(value), "%s.%s" % (name, member))


class Junk(unittest.TestCase):
    """Whatever is given, an ``Exception`` comes back. (A panic would be a ``BaseException``, which the tests do not catch.)"""

    JUNK = (None, -1, 0, 2**70, 1.5, float("nan"), "", "x", "cachex", b"", [], [None], {}, {"stem.bias": 3}, object(), int)

    def test_arguments(self):
        network = hexzero.Network.random("hex", blocks=1, channels=16)
        state, game = hexzero.State("hex", 3, "a1"), hexzero.Game("hex", 3)
        search, games = hexzero.Search(network, 2), hexzero.self_play(network, size=3, games=1, visits=2)
        calls = [hexzero.Game, hexzero.State, hexzero.Search, hexzero.encode, hexzero.shards, hexzero.self_play,
                 hexzero.Network.load, hexzero.Network.from_dict, hexzero.Network.from_bytes, hexzero.Network.random,
                 hexzero.Games.read, hexzero.State.from_json, hexzero.State.from_sgf, network.evaluate, search.run,
                 search.run_many, games.samples, state.play, state.apply, state.undo, state.action, state.action_name,
                 functools.partial(hexzero.Search, network), functools.partial(hexzero.play_match, "random", games=1),
                 functools.partial(hexzero.self_play, network, games=1, visits=2)]
        names = ("size", "visits", "games", "threads", "seed", "time", "batch", "noise", "game", "precision", "channels")
        refused = 0
        for call in calls:
            for junk in self.JUNK:
                attempts = [((junk,), {}), ((junk, junk), {})] + [((), {name: junk}) for name in names]
                for arguments, options in attempts:
                    try:
                        call(*arguments, **options)
                    except Exception as error:
                        self.assertTrue(str(error) or isinstance(error, KeyError), call)
                        refused += 1
        self.assertGreater(refused, 1000)
        self.assertEqual((state, game), (hexzero.State("hex", 3, "a1"), hexzero.Game("hex", 3)))


class Wheel(unittest.TestCase):
    def test_the_version(self):
        self.assertEqual(importlib.metadata.version("hexzero"), hexzero.__version__)
        needs = [need for need in importlib.metadata.requires("hexzero") if "extra ==" not in need]
        self.assertEqual([need[:5] for need in needs], ["numpy"])

    @unittest.skipUnless(os.environ.get("HEXZERO_WHEEL"), "HEXZERO_WHEEL names no wheel")
    def test_size_and_contents(self):
        path = os.environ["HEXZERO_WHEEL"]
        self.assertIn("-abi3-", os.path.basename(path))
        self.assertLess(os.path.getsize(path), LARGEST_WHEEL)
        names = zipfile.ZipFile(path).namelist()
        for name in ("hexzero/__init__.py", "hexzero/_hexzero.pyi", "hexzero/py.typed", "hexzero/pytorch.py",
                     "hexzero/pettingzoo.py", "hexzero/openspiel.py", "hexzero_numpy/player.py",
                     "hexzero_player/player.py", "referee/match.py"):
            self.assertIn(name, names)
        self.assertFalse([name for name in names if "test" in name or name.endswith(".rs")])

    def test_what_is_imported(self):
        """Only NumPy comes with the package; the players and the referee need no more."""
        program = ("import sys, hexzero, hexzero.openspiel, hexzero_numpy.search, hexzero_player.player, referee.match\n"
                   "print([n for n in ('torch', 'pettingzoo', 'gymnasium', 'pyspiel') if n in sys.modules])")
        found = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(found.stdout.strip(), "[]")


if __name__ == "__main__":
    unittest.main()
