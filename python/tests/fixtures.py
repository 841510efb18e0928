"""What the tests share: the program, and what it exports."""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get("HEXZERO") or os.path.join(ROOT, "target", "release", "hexzero"))
SIZES = (3, 8, 15)

_folder = tempfile.mkdtemp(prefix="hexzero-python-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
_exported = {}


def hexzero(*arguments):
    """Runs the program and returns what it prints."""
    return subprocess.run([PROGRAM] + list(arguments), stdout=subprocess.PIPE, check=True).stdout.decode()


def exported(name, *arguments):
    """Returns the path of an export of the program, which is made only once."""
    path = os.path.join(_folder, name)
    if name not in _exported:
        hexzero("export", *[argument.replace("FILE", path) for argument in arguments])
        _exported[name] = path
    return path


def numpy_player():
    """Returns the folder of an exported player, which can be imported as ``exported_player``."""
    path = exported("exported_player", "--numpy", "FILE")
    if _folder not in sys.path:
        sys.path.insert(0, _folder)
    return path


def environment(**variables):
    """Returns the variables of a process that can import the exported player and the packages of this folder."""
    paths = [os.path.dirname(numpy_player()), os.path.join(ROOT, "python")]
    return dict(os.environ, HEXZERO=PROGRAM, OPENBLAS_NUM_THREADS="1", PYTHONPATH=os.pathsep.join(paths), **variables)


def samples(game):
    return exported(game + ".npz", "--samples", "FILE", "--game", game, "--sizes", ",".join(map(str, SIZES)))


def onnx_file(game):
    return exported(game + ".onnx", "--onnx", "FILE", "--game", game)
