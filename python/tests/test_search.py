"""The NumPy player's search and clock."""

import unittest

from hexzero_numpy.clock import Clock
from hexzero_numpy.network import Network
from hexzero_numpy.rules import Game
from hexzero_numpy.search import COLUMNS, FIRST_WINS, OPEN, REPEATED, SECOND_WINS, Search

from .fixtures import numpy_player


def cell(name, n):
    return (int(name[1:]) - 1) * n + ord(name[0]) - ord("a")


def search_after(n, moves, capacity=2000):
    game = Game(n)
    for move in moves.split():
        game.play(n * n if move == "swap" else cell(move, n))
    search = Search(game, Network(numpy_player() + "/weights.npz", n, 4), capacity)
    search.judge_root()
    return search


class Results(unittest.TestCase):
    def test_a_forced_win_is_proven(self):
        # Red has b2 and b3 in the middle of column b, free at both ends; blue is elsewhere.
        search = search_after(4, "b2 d1 b3 d4")
        for _ in range(50):
            search.visit()
        self.assertEqual(search.known[0], FIRST_WINS)
        self.assertGreaterEqual(search.plies[0], 3)

    def test_the_only_defence_is_found(self):
        # Red threatens to join with b4 alone, so blue's one move is there: it can capture nothing.
        search = search_after(4, "b1 a4 b2 d1 b3")
        self.assertEqual((search.moves[0], search.best()[0]), (1, cell("b4", 4)))

    def test_a_lost_position_still_has_a_move(self):
        # Red can join at a4 and at b4: whatever blue plays loses.
        search = search_after(4, "b1 d1 b2 d2 b3 d3")
        search.advance(cell("c1", 4))
        search.judge_root()
        for _ in range(20):
            search.visit()
        self.assertEqual(search.known[0], FIRST_WINS)
        self.assertIn(search.best()[0], search.game.position.legal())

    def test_all_moves_that_are_kept_lose(self):
        search = search_after(4, "b1 d1 b2 d2 b3 d3")
        search.kept = 2
        search.advance(cell("c1", 4))
        search.judge_root()
        self.assertEqual((search.moves[0], search.cut[0]), (2, 1))
        for _ in range(5):
            search.visit()
        self.assertEqual((search.known[0], search.children[0]), (OPEN, 2))
        self.assertLess(search.win_chance(), -0.9)
        self.assertIn(search.best()[0], search.game.position.legal())

    def test_a_position_that_comes_back_is_taken_for_a_draw(self):
        search = search_after(5, "a1 e5")
        position = search.game.position.after(cell("c3", 5))
        search.game.seen[position.stones] = 2
        node = search.add(0, cell("c3", 5), 0.1, position)
        self.assertIsNone(search.look_at(node, position))
        self.assertEqual(search.known[node], REPEATED)
        search.prove(node, position.turns)
        self.assertEqual(search.known[0], OPEN)
        search.game.seen[position.stones] = 6
        search.look_at(node, position)
        self.assertNotEqual(search.known[node], REPEATED)


class Tree(unittest.TestCase):
    def check(self, search):
        """Whether the links, the sums and the priors fit together."""
        seen, waiting = set(), [0]
        while waiting:
            node = waiting.pop()
            self.assertNotIn(node, seen)
            seen.add(node)
            self.assertEqual(search.in_flight[node], 0)
            children, child = [], search.first[node]
            while child:
                self.assertEqual(search.parent[child], node)
                children.append(child)
                child = search.sibling[child]
            self.assertEqual(len(children), search.children[node])
            tried = {search.move[child] for child in children}
            self.assertEqual(tried, {int(move) for move in search.table[node, :len(children)]})
            self.assertAlmostEqual(search.tried[node], sum(search.prior[child] for child in children), places=3)
            self.assertLessEqual(sum(search.visits[child] for child in children), search.visits[node])
            waiting += children
        self.assertEqual(seen, set(range(search.count)))

    def test_following_a_game(self):
        search = search_after(6, "")
        for _ in range(8):
            search.judge_root()
            for _ in range(30):
                search.visit()
            self.check(search)
            action = search.best()[0]
            child = next(child for child in search.children_of_root() if search.move[child] == action)
            visits, value = search.visits[child], search.own[child]
            search.advance(action)
            self.check(search)
            if not search.root:
                self.assertEqual((search.visits[0], search.own[0]), (visits, value))
                self.assertEqual(search.position(0, 0).stones, search.game.position.stones)

    def test_room_is_made(self):
        search = search_after(6, "", capacity=300)
        for _ in range(200):
            search.visit()
            self.assertLessEqual(search.count, 300)
        self.check(search)
        # All visits are remembered, those of forgotten positions too.
        self.assertGreater(search.visits[0], 600)

    def test_columns_have_room_for_their_values(self):
        self.assertEqual(set(COLUMNS.values()), {"i", "f", "h", "B"})
        self.assertEqual((FIRST_WINS, SECOND_WINS), (1, 2))


class Time(unittest.TestCase):
    def test_the_plan_never_exceeds_the_time(self):
        for n in (3, 8, 15):
            clock = Clock(n * n)
            clock.move_cost = 0.01
            for turns in range(0, 343, 2):
                clock.start()
                left, planned = clock.left(turns), clock.planned(n * n, turns)
                clock.stop()
                self.assertLess(2 * planned, max(left, 1e-9) + 1e-6)
                # As if it had been used up to the longest that is permitted, and more by the network's last look.
                clock.used += min(2 * planned, max(left, 0)) + (clock.move_cost if left > clock.move_cost else 0)
            self.assertLess(clock.used, n * n)

    def test_the_middle_of_the_game_gets_most(self):
        clock, plans = Clock(64), []
        for turns in range(0, 60, 2):
            clock.start()
            plans.append(clock.planned(64, turns))
            clock.stop()
            clock.used += plans[-1]
        self.assertGreater(min(plans[4:16]), max(plans[:3]))


if __name__ == "__main__":
    unittest.main()
