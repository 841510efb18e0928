"""The Python in the documents runs as it is printed."""

import contextlib
import io
import os
import re
import unittest

from support import ROOT, empty_folder, has

DOCUMENTS = ("docs/python.md", "python/README.md")


class Documents(unittest.TestCase):
    def test_examples_run(self):
        for document in DOCUMENTS:
            with open(os.path.join(ROOT, document)) as file:
                text = file.read()
            blocks = re.findall(r"^```python(?: (\w+))?\n(.*?)^```$", text, re.M | re.S)
            self.assertTrue(blocks, document)
            names = {}
            with empty_folder():
                for needed, block in blocks:
                    if needed and not has(needed):
                        continue
                    with self.subTest(document, block=block), contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(block, document, "exec"), names)


if __name__ == "__main__":
    unittest.main()
