"""The interfaces of PettingZoo and OpenSpiel, in every game."""

import contextlib
import io
import random
import unittest
import warnings

import numpy as np

import hexzero
from hexzero.openspiel import load_game, registered_names
from support import SMALL, has


class OpenSpiel(unittest.TestCase):
    def test_every_game(self):
        self.assertEqual(registered_names(), hexzero.games())
        for name, size in SMALL.items():
            with self.subTest(name):
                game, rng = load_game("%s(size=%d)" % (name, size)), random.Random(name)
                self.assertEqual(game, load_game(name, {"size": size}))
                state, states = game.new_initial_state(), []
                while not state.is_terminal():
                    self.assertIn(state.current_player(), (0, 1))
                    legal = state.legal_actions()
                    self.assertEqual(legal, [a for a, ok in enumerate(state.legal_actions_mask()) if ok])
                    self.assertEqual(state.legal_actions(1 - state.current_player()), [])
                    self.assertEqual(len(state.observation_tensor()), game.observation_tensor_size())
                    action = rng.choice(legal)
                    text = state.action_to_string(state.current_player(), action)
                    self.assertEqual(state.string_to_action(text), action)
                    child, clone = state.child(action), state.clone()
                    states.append((str(state), action))
                    mover = state.current_player()
                    state.apply_action(action)
                    self.assertEqual(str(child), str(state))
                    clone.apply_action(action)
                    clone.undo_action(mover, action)
                    self.assertEqual(str(clone), states[-1][0])
                self.assertEqual(state.current_player(), -4)
                self.assertEqual(state.history(), [action for _, action in states])
                self.assertEqual(sum(state.returns()), game.utility_sum())
                self.assertLessEqual(state.move_number(), game.max_game_length())
                self.assertEqual(str(game.new_initial_state(state.serialize())), str(state))

    def test_errors(self):
        for name, text in (("go", "unknown game 'go'"), ("hex(size=x)", "size must be a whole number"),
                           ("hex(komi=3)", "no parameter 'komi'"), ("hex(", "names no game"), ("hex(size=99)", "not 99")):
            with self.assertRaisesRegex(ValueError, text.replace("(", r"\(")):
                load_game(name)


class Modules(unittest.TestCase):
    def test_parts_are_imported_on_demand(self):
        self.assertTrue(callable(hexzero.openspiel.load_game))
        with self.assertRaisesRegex(AttributeError, "no attribute 'nonsense'"):
            hexzero.nonsense


@unittest.skipUnless(has("pettingzoo"), "pettingzoo is not installed")
class PettingZoo(unittest.TestCase):
    def test_the_packages_own_test(self):
        from pettingzoo.test import api_test

        from hexzero.pettingzoo import env

        for name, size in SMALL.items():
            with self.subTest(name), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                api_test(env(name, size), num_cycles=30)

    def test_a_game(self):
        from hexzero.pettingzoo import env

        for name, size in SMALL.items():
            with self.subTest(name):
                environment, rng = env(name, size, render_mode="ansi"), np.random.default_rng(1)
                environment.reset()
                for agent in environment.agent_iter():
                    observation, reward, terminated, truncated, _ = environment.last()
                    if terminated or truncated:
                        position = environment.unwrapped.position
                        self.assertEqual(reward, position.returns()[int(agent[-1])])
                        environment.step(None)
                        continue
                    position = environment.unwrapped.position
                    self.assertEqual(position.to_play, int(agent[-1]))
                    legal = np.flatnonzero(observation["action_mask"])
                    self.assertEqual(sorted(position.frame[position.legal_actions()]), legal.tolist())
                    action = int(rng.choice(legal))
                    move = environment.unwrapped.move_name(action)
                    environment.step(action)
                    self.assertEqual(environment.unwrapped.position.moves[-1], move)
                    self.assertEqual(environment.render(), str(environment.unwrapped.position))

    def test_illegal_moves(self):
        from hexzero.pettingzoo import env

        environment = env("hex", 3)
        environment.reset(options={"state": hexzero.State("hex", 3, "b2")})
        with self.assertRaises(hexzero.IllegalMove):
            environment.step(4)
        with self.assertRaisesRegex(ValueError, "no action 99"):
            environment.step(99)
        with self.assertRaisesRegex(ValueError, "the environment's board is"):
            environment.reset(options={"state": hexzero.State("hex", 4)})
        with self.assertRaisesRegex(ValueError, "render_mode"):
            env("hex", render_mode="film")


if __name__ == "__main__":
    unittest.main()
