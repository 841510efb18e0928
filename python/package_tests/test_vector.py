"""Many games at once, by the conventions of Gymnasium."""

import unittest

import numpy as np

import hexzero
from support import SMALL, has


@unittest.skipUnless(has("gymnasium"), "gymnasium is not installed")
class VectorEnv(unittest.TestCase):
    def test_every_game_is_played_as_by_its_states(self):
        from hexzero.vector import VectorEnv

        for name, size in SMALL.items():
            with self.subTest(name):
                environments, rng = VectorEnv(name, size, num_envs=5), np.random.default_rng(1)
                observations, infos = environments.reset(seed=3)
                games = [hexzero.State(name, size) for _ in range(5)]
                finished = 0
                # Some games are long.
                for _ in range(2000):
                    if finished >= 6:
                        break
                    self.assertTrue(environments.observation_space.contains(observations))
                    planes, numbers = hexzero.encode(games)
                    np.testing.assert_array_equal(observations["observation"], planes)
                    np.testing.assert_array_equal(observations["globals"], numbers)
                    self.assertEqual(infos["to_play"].tolist(), [game.to_play for game in games])
                    for game, mask in zip(games, observations["action_mask"]):
                        self.assertEqual(sorted(game.frame[game.legal_actions()]), np.flatnonzero(mask).tolist())
                    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in observations["action_mask"]])
                    self.assertTrue(environments.action_space.contains(actions))
                    names = environments.move_names(actions)
                    observations, rewards, terminations, truncations, infos = environments.step(actions)
                    self.assertFalse(truncations.any())
                    for index, game in enumerate(games):
                        mover = game.to_play
                        game.play(names[index])
                        self.assertEqual(terminations[index], game.is_terminal)
                        self.assertEqual(rewards[index], game.returns()[mover] if game.is_terminal else 0)
                        if game.is_terminal:
                            final = infos["final_obs"][index]
                            self.assertTrue(infos["_final_obs"][index] and not final["action_mask"].any())
                            np.testing.assert_array_equal(final["observation"], game.encode()[0])
                            games[index], finished = hexzero.State(name, size), finished + 1
                    self.assertEqual("final_obs" in infos, bool(terminations.any()))
                self.assertGreaterEqual(finished, 6)

    def test_random_openings_repeat_by_their_seed(self):
        from hexzero.vector import VectorEnv

        def moves(seed):
            environments = VectorEnv("hex", 5, num_envs=20, random_opening=0.6)
            environments.reset(seed=seed)
            return [state.moves for state in environments.states]

        self.assertEqual(moves(1), moves(1))
        self.assertNotEqual(moves(1), moves(2))
        self.assertTrue(any(moves(1)) and not all(moves(1)))

    def test_what_is_refused(self):
        from hexzero.vector import VectorEnv
        import gymnasium

        environments = VectorEnv("hex", 3, num_envs=2)
        with self.assertRaises(gymnasium.error.ResetNeeded):
            environments.step(np.array([0, 1]))
        start = hexzero.State("hex", 3, "b2")
        environments.reset(options={"states": [start, start]})
        # The stone is on the fifth cell of every frame.
        with self.assertRaisesRegex(hexzero.IllegalMove, "action 4 of game 1: b2 is occupied"):
            environments.step(np.array([0, 4]))
        self.assertEqual([state.moves for state in environments.states], [["b2"], ["b2"]], "no game has moved on")
        with self.assertRaisesRegex(hexzero.IllegalMove, "action 99 of game 0"):
            environments.step(np.array([99, 0]))
        with self.assertRaisesRegex(ValueError, "must be 2 integers"):
            environments.step(np.array([0.5, 0.5]))
        with self.assertRaisesRegex(ValueError, "2 positions of"):
            environments.reset(options={"states": [start]})
        with self.assertRaisesRegex(ValueError, "2 positions of"):
            environments.reset(options={"states": [start, hexzero.State("hex", 4)]})
        for arguments in ({"num_envs": 0}, {"random_opening": 1.0}):
            with self.assertRaises(ValueError):
                VectorEnv("hex", 3, **arguments)

    def test_many_states_at_once(self):
        first, second = hexzero.State("hex", 3), hexzero.State("hex", 3, "a1 swap")
        masks = hexzero.legal_masks([first, second])
        for state, mask in zip((first, second), masks):
            np.testing.assert_array_equal(mask[state.frame], state.legal_mask())
        one, two = first.copy(), second.copy()
        self.assertFalse(hexzero.play_each([one, two], np.array([first.frame[5], second.frame[6]])).any())
        self.assertEqual((one.actions, two.actions), ([5], [*second.actions, 6]))
        self.assertEqual((first.plies, second.plies), (0, 2), "copies moved on, not these")
        with self.assertRaisesRegex(ValueError, "twice"):
            hexzero.play_each([one, one], np.array([0, 1]))
        with self.assertRaisesRegex(ValueError, "1 actions for 2 states"):
            hexzero.play_each([one, two], np.array([0]))


@unittest.skipUnless(has("gymnasium"), "gymnasium is not installed")
class Environment(unittest.TestCase):
    def test_gymnasium_knows_every_game_by_name(self):
        import gymnasium
        import hexzero.environment

        for name, size in SMALL.items():
            with self.subTest(name):
                environment = gymnasium.make("hexzero/%s-v0" % name, size=size)
                observation, info = environment.reset(seed=1)
                environment.action_space.seed(1)
                state, over = hexzero.State(name, size), False
                for _ in range(2000):
                    self.assertTrue(environment.observation_space.contains(observation))
                    self.assertEqual(info["to_play"], state.to_play)
                    action = environment.action_space.sample(observation["action_mask"])
                    mover = state.to_play
                    state.play(int(np.flatnonzero(state.frame == action)[0]))
                    observation, reward, over, truncated, info = environment.step(action)
                    np.testing.assert_array_equal(observation["observation"], state.encode()[0])
                    self.assertEqual((over, truncated), (state.is_terminal, False))
                    self.assertEqual(reward, state.returns()[mover] if over else 0)
                    if over:
                        break
                self.assertTrue(over and not observation["action_mask"].any())
                many = gymnasium.make_vec("hexzero/%s-v0" % name, num_envs=3, size=size)
                self.assertEqual(many.reset(seed=1)[0]["observation"].shape[0], 3)

    def test_its_own_checks_find_nothing(self):
        import gymnasium
        from gymnasium.utils.env_checker import check_env
        from hexzero.environment import Env

        environment = Env("hex", 4, render_mode="ansi")
        with self.assertRaises(gymnasium.error.ResetNeeded):
            environment.step(0)
        # A sampled action may be illegal, which the checker takes for a fault; so it is masked.
        environment.action_space.sample = lambda mask=None, **_: next(iter(environment.state.frame[environment.state.legal_actions()]))
        check_env(environment, skip_render_check=True)
        self.assertIn("a", environment.render())


if __name__ == "__main__":
    unittest.main()
