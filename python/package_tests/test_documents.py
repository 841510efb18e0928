"""The Python in the documents runs as it is printed."""

import contextlib
import io
import os
import re
import tempfile
import unittest

from support import ROOT, has

DOCUMENTS = ("docs/python.md", "python/README.md")


class Documents(unittest.TestCase):
    def test_examples_run(self):
        for document in DOCUMENTS:
            with open(os.path.join(ROOT, document)) as file:
                text = file.read()
            blocks = re.findall(r"^```python(?: (\w+))?\n(.*?)^```$", text, re.M | re.S)
            self.assertTrue(blocks, document)
            names, before = {}, os.getcwd()
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    for needed, block in blocks:
                        if needed and not has(needed):
                            continue
                        with self.subTest(document, block=block), contextlib.redirect_stdout(io.StringIO()):
                            exec(compile(block, document, "exec"), names)
                finally:
                    os.chdir(before)


if __name__ == "__main__":
    unittest.main()
