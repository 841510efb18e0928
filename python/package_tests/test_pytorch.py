"""Networks in PyTorch, and the round trip: train there, play here."""

import os
import re
import subprocess
import tempfile
import unittest

import numpy as np

import hexzero
from support import PROGRAM, has, random_state, run_example


@unittest.skipUnless(has("torch"), "torch is not installed")
class Module(unittest.TestCase):
    def test_the_same_numbers(self):
        import torch

        from hexzero.pytorch import HexNetwork

        for name, size in (("cachex", 5), ("hex", 4), ("y", 5), ("hexifence", 2), ("link", 4)):
            with self.subTest(name):
                game, rng = hexzero.Game(name, size), np.random.default_rng(1)
                network = hexzero.Network.load("shipped", name, precision="f32")
                module = HexNetwork.from_network(network, game)
                states = [random_state(game, plies, rng) for plies in range(8)]
                policies, values = network.evaluate(states)
                with torch.no_grad():
                    logits, outcome = module(*map(torch.from_numpy, hexzero.encode(states)))
                chances = outcome.softmax(1).numpy()
                np.testing.assert_allclose(values, chances[:, 0] - chances[:, 2], atol=1e-4)
                for state, policy, row in zip(states, policies, logits.numpy()):
                    legal = state.legal_actions()
                    shares = np.exp(row[state.frame][legal])
                    np.testing.assert_allclose(policy[legal], shares / shares.sum(), atol=1e-4)
                back = module.to_network(precision="f32")
                np.testing.assert_array_equal(back.evaluate(states)[0], policies)
                # As an evaluator of searches it finds what the network finds.
                def judge(planes, numbers):
                    with torch.no_grad():
                        logits, outcome = module(torch.from_numpy(planes), torch.from_numpy(numbers))
                    return logits, outcome.softmax(1)

                ours = hexzero.Search(network, 30).run(states[1])
                theirs = hexzero.Search(judge, 30, batch=1).run(states[1])
                np.testing.assert_allclose(ours.priors, theirs.priors, atol=1e-4)
                self.assertAlmostEqual(ours.value, theirs.value, delta=0.05)

    def test_a_new_module_learns(self):
        import torch

        from hexzero.pytorch import HexNetwork, loss

        torch.manual_seed(0)
        game = hexzero.Game("hex", 3)
        network = hexzero.Network.random(game, blocks=1, channels=16)
        samples = hexzero.self_play(network, size=3, games=30, visits=8).samples()
        batch = [torch.from_numpy(getattr(samples, name)) for name in ("planes", "globals", "legal", "policy", "value")]
        module = HexNetwork(game, blocks=2, channels=16, pool_every=1)
        optimiser = torch.optim.AdamW(module.parameters(), lr=3e-3)
        losses = []
        for _ in range(30):
            optimiser.zero_grad()
            value = loss(module, *batch)
            value.backward()
            optimiser.step()
            losses.append(value.item())
        self.assertTrue(np.isfinite(losses).all())
        self.assertLess(losses[-1], losses[0] - 0.3)
        self.assertEqual(module.to_network().architecture["pool_every"], 1)


class Examples(unittest.TestCase):
    @unittest.skipUnless(has("torch"), "torch is not installed")
    def test_the_round_trip(self):
        """Trained in PyTorch on hexzero's games, it beats random play in hexzero in every game."""
        printed = run_example("train_in_pytorch.py")
        self.assertRegex(printed, r"100 of 100 won against random")

    @unittest.skipUnless(has("torch") and PROGRAM, "torch is not installed or HEXZERO names no program")
    def test_the_games_of_a_run(self):
        """What PyTorch learns of a run's games plays better in hexzero than a network that has learnt nothing."""
        with tempfile.TemporaryDirectory() as folder:
            run, trained = os.path.join(folder, "run"), os.path.join(folder, "trained.safetensors")
            subprocess.run([PROGRAM, "train", "--game", "hex", "--size", "3", "--games", "400", "--no-matches", "--run", run],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            printed = run_example("train_in_pytorch.py", "--size", "3", "--run", run, "--epochs", "6", "--save", trained)
            self.assertRegex(printed, r"\d{3,} positions")
            fresh = hexzero.Network.random("hex", blocks=2, channels=32)
            result = hexzero.play_match(hexzero.Network.load(trained), fresh, game="hex", size=3, games=100, visits=2)
            self.assertGreater(result.elo_low, 0, printed)
            with self.assertRaisesRegex(AssertionError, "no games of hex on boards of size 5"):
                run_example("train_in_pytorch.py", "--run", run)

    def test_a_self_play_loop(self):
        printed = run_example("self_play_loop.py", "--games", "6", "--visits", "12", "--size", "3")
        found = re.search(r"(\d+) positions of 6 games", printed)
        self.assertGreater(int(found.group(1)), 12, printed)


if __name__ == "__main__":
    unittest.main()
