"""Training runs in Python, in the same folders as those of the program."""

import json
import os
import subprocess
import tempfile
import unittest
import warnings

import hexzero
from support import PROGRAM

#: A network and games that take a second or two.
TINY = {
    "network": {"blocks": 1, "channels": 16},
    "selfplay": {"full_visits": 8},
    "training": {"games_per_iteration": 20, "batch": 32, "window_least": 100},
}


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.run_folder = os.path.join(folder.name, "run")

    def train(self, **options):
        options = {"game": "hex", "size": 3, "changes": TINY, "games": 40, "threads": 1, "progress": False, **options}
        return hexzero.train(self.run_folder, **options)

    def test_a_run_begins_goes_on_and_tells_its_figures(self):
        seen = []
        first = self.train(progress=seen.append)
        self.assertEqual(([row["games"] for row in first], seen), ([20, 40], first))
        self.assertIn("losses/policy", first[0])
        self.assertTrue(all(isinstance(value, (int, float, str, type(None))) for value in first[0].values()))
        more = hexzero.train(self.run_folder, games=60, threads=1, progress=False)
        self.assertEqual([row["games"] for row in more], [60])
        self.assertEqual([row["games"] for row in hexzero.history(self.run_folder)], [20, 40, 60])
        network = hexzero.Network.load(self.run_folder, game="hex")
        self.assertEqual(len(network.evaluate([hexzero.State("hex", 3)])[1]), 1)

    def test_equal_seeds_repeat(self):
        first = self.train(seed=3)
        self.run_folder += "-again"
        self.assertEqual([row["losses/total"] for row in self.train(seed=3)], [row["losses/total"] for row in first])
        self.run_folder += "-other"
        self.assertNotEqual([row["losses/total"] for row in self.train(seed=4)], [row["losses/total"] for row in first])

    @unittest.skipUnless(PROGRAM, "HEXZERO names no program")
    def test_the_program_goes_on_with_it(self):
        self.train()
        command = [PROGRAM, "train", "--resume", "--run", self.run_folder, "--games", "60", "--no-matches", "--rate", "0"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(hexzero.history(self.run_folder)[-1]["games"], 60)

    def test_what_is_refused(self):
        self.train()
        for options, said in (
            ({"size": 4}, "leave out size"),
            ({"game": "hex", "seed": 2}, "leave out game, seed"),
            ({"games": 3, "steps": 3}, "give one of"),
            ({"minutes": -1}, "above 0"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, said):
                hexzero.train(self.run_folder, progress=False, **options)
        self.run_folder += "-new"
        for options, said in (
            ({"recipe": "no such recipe"}, "no such recipe"),
            ({"recipe": "cachex"}, "for the game cachex, not for hex"),
            ({"changes": {"selfplay": {"full_visit": 8}}}, "recipe changes: unknown field `full_visit`"),
            ({"changes": {"selfplay": {"full_visits": -8}}}, "full_visits"),
            ({"size": 99}, "99"),
            ({"seed": 1 << 63}, "seed = 9223372036854775808; accepted: 0 to"),
        ):
            with self.subTest(options), self.assertRaisesRegex(ValueError, said):
                self.train(**options)
            self.assertFalse(os.path.exists(self.run_folder))

    def test_an_exception_of_the_callback_ends_it(self):
        def fail(figures):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            self.train(progress=fail, games=1000)
        self.assertEqual(len(hexzero.history(self.run_folder)), 1)

    def test_figures_are_those_of_the_file(self):
        rows = self.train()
        with open(os.path.join(self.run_folder, "metrics.jsonl")) as file:
            written = [json.loads(line) for line in file]
        self.assertEqual([row["losses/policy"] for row in rows], [row["losses"]["policy"] for row in written])
        self.assertEqual(hexzero.history(self.run_folder), rows)

    def test_history_skips_damaged_lines(self):
        rows = self.train()
        path = os.path.join(self.run_folder, "metrics.jsonl")
        with open(path) as file:
            first, *others = file
        with open(path, "w") as file:
            damaged = [first[:20] + "\n", "7\n", first.replace('"games":20', '"games":21')]
            file.writelines([first, *damaged, *others])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(hexzero.history(self.run_folder), rows)
        texts = [str(warning.message) for warning in caught]
        self.assertEqual(len(texts), 3, texts)
        for number, text in enumerate(texts, 2):
            self.assertRegex(text, f"line {number}: .*; skipped")
        self.assertIn("not a JSON object", texts[1])
        self.assertIn("checksum", texts[2])

    def test_a_bar_shows_how_far_it_is(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for options in ({"games": 20}, {"steps": 1}, {"minutes": 0.02}):
                self.run_folder += "-more"
                self.assertTrue(self.train(**{"games": None, **options}, progress=True) or "minutes" in options)


if __name__ == "__main__":
    unittest.main()
