"""Rules and states: against reference rules, and as Python objects. tests/rules compares the same rules with recorded games."""

import copy
import pickle
import random
import unittest

import numpy as np

import hexzero
from support import SMALL, Checks, reference_games


class ReferenceRules(unittest.TestCase):
    """Random games of reference rules: the same moves before each ply, the same mover, the same result."""

    def test_random_games(self):
        for name, reference in reference_games().items():
            rng, size = random.Random(name), max(hexzero.Game(name).sizes[0], min(SMALL[name], 4))
            game = reference(size)
            for _ in range(4):
                state, expected = hexzero.State(name, size), game.initial()
                while game.result(expected) is None:
                    moves = game.legal(expected)
                    self.assertEqual({state.action(move) for move in moves}, set(state.legal_actions()), repr(state))
                    self.assertEqual((state.to_play, state.ending), (game.to_move(expected), None), repr(state))
                    move = rng.choice(moves)
                    state.play(move)
                    expected = game.apply(expected, move)
                self.assertTrue(state.is_terminal)
                result = game.result(expected)
                self.assertEqual((state.returns()[0], state.winner), (result, {1: 0, -1: 1}.get(result)), repr(state))


    def test_repetition_of_cachex(self):
        circle = ["b4", "a2", "a3", "a4", "a1", "b3", "b2", "b1"] * 6
        moves = "a4 a1 a2 c2 c4 c3 b1 a3 c1 b2 b3 b4 a4 b2 d2 c4 b3 c2 b3 c1 b1".split() + circle[:47]
        state = hexzero.State("cachex", 4, " ".join(moves[:-1]))
        self.assertFalse(state.is_terminal)
        state.play(moves[-1])
        self.assertEqual((state.ending, state.winner), ("repetition", None))


class EveryGame(unittest.TestCase):
    def games(self):
        return [hexzero.Game(name, size) for name, size in SMALL.items()]

    def test_playing_and_taking_back(self):
        for game in self.games():
            rng, state, path = random.Random(game.name), game.start(), []
            while not state.is_terminal:
                legal = state.legal_actions()
                self.assertEqual(legal.dtype, np.int64)
                self.assertTrue((np.diff(legal) > 0).all())
                np.testing.assert_array_equal(np.flatnonzero(state.legal_mask()), legal)
                self.assertEqual([state.action_name(action) for action in legal], state.legal_moves())
                self.assertEqual([state.action(text) for text in state.legal_moves()], legal.tolist())
                path.append((str(state), state.to_play, legal.tolist()))
                state.play(rng.choice(legal))
            self.assertLessEqual(state.plies, game.max_plies)
            self.assertTrue(state.ending)
            self.assertEqual(state.returns().sum(), 0)
            self.assertEqual(state.legal_mask().sum(), 0)
            for drawing, mover, legal in reversed(path):
                state.undo()
                self.assertEqual((str(state), state.to_play, state.legal_actions().tolist()), (drawing, mover, legal))
            self.assertEqual(state, game.start())
        self.assertEqual(hexzero.State("hex", 2, "a1 b1 a2").ending, "connection")

    def test_every_number_has_a_name_or_is_refused(self):
        for game in self.games():
            state, named = game.start(), 0
            for action in range(game.num_actions):
                try:
                    name = state.action_name(action)
                except hexzero.IllegalMove as error:
                    self.assertIn(str(action), str(error))
                    with self.assertRaises(hexzero.IllegalMove):
                        state.play(action)
                else:
                    self.assertEqual(state.action(name), action)
                    named += 1
            self.assertGreaterEqual(named, len(state.legal_actions()))
            for wrong in (-1, game.num_actions, 65535, 65536, 2**62, -(2**63)):
                for use in (state.play, state.apply, state.action_name):
                    with self.assertRaises(hexzero.IllegalMove):
                        use(wrong)
            self.assertEqual(state, game.start())

    def test_written_and_read(self):
        for game in self.games():
            rng, state = random.Random(game.name), game.start()
            for _ in range(5):
                if not state.is_terminal:
                    state.play(rng.choice(state.legal_actions()))
            for copied in (hexzero.State.from_json(state.to_json()), pickle.loads(pickle.dumps(state)), copy.copy(state),
                           copy.deepcopy(state), eval(repr(state), {"State": hexzero.State})):
                self.assertEqual(copied, state)
                self.assertEqual(str(copied), str(state))
            self.assertEqual(pickle.loads(pickle.dumps(game)), game)
            self.assertEqual(str(hexzero.State.from_sgf(state.to_sgf())), str(state))

    def test_shapes(self):
        for game in self.games():
            rng, state = random.Random(game.name), game.start()
            while not state.is_terminal:
                planes, numbers = state.encode()
                self.assertEqual((planes.shape, numbers.shape), ((game.num_planes, game.num_cells), (game.num_globals,)))
                self.assertEqual((planes.dtype, numbers.dtype), (np.float32, np.float32))
                self.assertTrue(np.isfinite(planes).all() and np.isfinite(numbers).all())
                self.assertEqual(sorted(state.frame), list(range(game.num_actions)))
                both = hexzero.encode([state, state])
                np.testing.assert_array_equal(both[0][1], planes)
                np.testing.assert_array_equal(both[1][0], numbers)
                state.play(rng.choice(state.legal_actions()))
            self.assertEqual((len(game.plane_names), len(game.global_names)), (game.num_planes, game.num_globals))
            self.assertEqual(game.num_actions, game.policy_planes * game.num_cells + len(game.global_actions))
            neighbours = game.neighbours()
            self.assertEqual(neighbours.shape, (game.num_cells, 6))
            for cell, slots in enumerate(neighbours):
                for other in slots[slots >= 0]:
                    self.assertIn(cell, neighbours[other])


class Symmetries(unittest.TestCase):
    def test_a_turned_game_has_turned_inputs(self):
        """Hex turned by half a turn: cells and actions move together, planes change places with their sides."""
        game = hexzero.Game("hex", 5)
        parts = game.symmetries()
        self.assertEqual({key: len(rows) for key, rows in parts.items()},
                         dict.fromkeys(("cells", "planes", "globals", "actions"), 2))
        np.testing.assert_array_equal(parts["cells"][0], np.arange(25))
        moves = [1, 17, 8, 3]
        turned = [int(np.flatnonzero(parts["actions"][1] == move)[0]) for move in moves]
        self.assertEqual(turned, [24 - move for move in moves])
        one, other = game.start(), game.start()
        one.play(*moves)
        other.play(*turned)
        (planes, numbers), (expected, expected_numbers) = one.encode(), other.encode()
        self.assertFalse(np.array_equal(planes, expected))
        own = planes[parts["planes"][1]][:, parts["cells"][1]]
        # The planes of the sides are constant on the board and need not be turned to be right.
        np.testing.assert_array_equal(own[:3], expected[:3])
        np.testing.assert_array_equal(numbers[parts["globals"][1]], expected_numbers)


class Errors(Checks, unittest.TestCase):
    def test_what_is_named(self):
        state = hexzero.State("cachex", 5, "d2")
        self.check(ValueError, "unknown game 'go'; known are: cachex, hex", hexzero.Game, "go")
        self.check(ValueError, "boards of size 2 to 19, not 99", hexzero.Game, "hex", 99)
        self.check(ValueError, "boards of size 2 to 19, not -1", hexzero.Game, "hex", -1)
        self.check(hexzero.IllegalMove, "'z9' is not on this board", state.play, "z9")
        self.check(hexzero.IllegalMove, "move 2 'd2': d2 is occupied", state.play, "d2")
        self.check(hexzero.IllegalMove, "there is no action number 99; this board has 26 actions", state.play, 99)
        self.check(hexzero.IllegalMove, "there is no action number 1000000", state.play, 10**30)
        self.check(TypeError, "not of type 'float'", state.play, 3.5)
        self.check(ValueError, "cannot take back 2 plies; 1 were played", state.undo, 2)
        self.check(ValueError, "cannot take back -1 plies; 1 were played", state.undo, -1)
        self.check(ValueError, "not a game in JSON", hexzero.State.from_json, "{")
        self.check(ValueError, "the text holds no game", hexzero.State.from_json, "")
        self.check(ValueError, "states[1] is cachex of size 4, but states[0] is cachex of size 5", hexzero.encode,
                   [state, hexzero.State("cachex", 4)])
        self.check(TypeError, "states[0] is not a hexzero.State but of type 'int'", hexzero.encode, [3])
        # Its length is greater than any memory.
        self.check(TypeError, "states[0] is not a hexzero.State but of type 'int'", hexzero.encode, range(10**18))
        self.check(TypeError, "give a list of states", hexzero.encode, state)
        self.check(ValueError, "at least one", hexzero.encode, [])

    def test_a_state_cannot_be_pickled_while_it_plays(self):
        """An object may try that when it is asked for its number."""
        state = hexzero.State("cachex", 5)

        class Number:
            def __index__(self):
                pickle.dumps(state)
                return 0

        self.check(TypeError, "not of type 'Number'", state.play, Number())
        self.assertEqual(state.plies, 0)

    def test_nothing_is_played_if_one_move_is_wrong(self):
        state = hexzero.State("cachex", 5)
        self.check(hexzero.IllegalMove, "move 3 'a1'", state.play, "a1", 5, "a1")
        self.assertEqual(state.plies, 0)
        state.play("a1 b2", np.int32(7))
        self.assertEqual(state.moves, ["a1", "b2", "c2"])
        self.assertEqual(state.actions, [0, 6, 7])

    def test_set_up_positions(self):
        line = '{"game":"hex","size":3,"setup":{"first":["a1"],"second":["c3"],"to_move":"second"},"moves":["b2"]}'
        state = hexzero.State.from_json(line)
        self.assertEqual((state.to_play, state.moves), (0, ["b2"]))
        self.assertEqual(hexzero.State.from_json(state.to_json()), state)
        state.undo()
        self.assertEqual(state.to_play, 1)


if __name__ == "__main__":
    unittest.main()
