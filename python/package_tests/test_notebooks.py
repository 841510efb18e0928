"""The notebooks run from the first cell to the last, shortened by their variables."""

import contextlib
import glob
import io
import json
import os
import unittest
from unittest import mock

from support import ROOT, empty_folder, has

SHORT = {"MINUTES": "0.4", "GAMES": "20", "EPOCHS": "1", "MPLBACKEND": "agg"}


class Notebooks(unittest.TestCase):
    def test_notebooks_run(self):
        paths = sorted(glob.glob(os.path.join(ROOT, "python", "notebooks", "*.ipynb")))
        self.assertEqual(len(paths), 3)
        for path in paths:
            with open(path) as file:
                cells = json.load(file)["cells"]
            code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
            missing = [name for name in ("matplotlib", "pandas", "torch") if "import %s" % name in code[0] and not has(name)]
            with self.subTest(os.path.basename(path)):
                if missing:
                    self.skipTest("%s is not installed" % missing[0])
                self.run_cells(path, code)

    def run_cells(self, path, code):
        names = {}
        with empty_folder(), mock.patch.dict(os.environ, SHORT):
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                for cell in code:
                    exec(compile(cell, path, "exec"), names)


if __name__ == "__main__":
    unittest.main()
