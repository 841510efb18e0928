"""The NumPy player's search and clock."""

import unittest

from hexzero_numpy.network import Network
from hexzero_numpy.player import Clock
from hexzero_numpy.search import DRAWN, FIRST_WINS, OPEN, REPEATED, Search

from .fixtures import numpy_player


def cell(name, n):
    return (int(name[1:]) - 1) * n + ord(name[0]) - ord("a")


def search_after(n, moves, memory=500000):
    search = Search(n, Network(numpy_player() + "/weights.npz", n, 4), memory)
    for move in moves.split():
        search.advance(cell(move, n))
    search.visit()
    return search


class Results(unittest.TestCase):
    def assert_legal(self, search):
        self.assertIn(search.best()[0], search.position.actions(search.position.empty))

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
        for _ in range(20):
            search.visit()
        self.assertEqual(search.known[0], FIRST_WINS)
        self.assert_legal(search)

    def test_all_moves_that_are_kept_lose(self):
        search = search_after(4, "b1 d1 b2 d2 b3 d3")
        search.kept = 2
        search.advance(cell("c1", 4))
        search.visit()
        self.assertEqual((search.moves[0], search.cut[0]), (2, 1))
        for _ in range(5):
            search.visit()
        self.assertEqual((search.known[0], search.children[0]), (OPEN, 2))
        self.assertLess(search.own[0] / search.visits[0], -0.9)
        self.assert_legal(search)

    def test_a_position_that_comes_back_is_taken_for_a_draw(self):
        search = search_after(5, "a1 e5")
        first = search.position.after(int(search.table[0, 0]))
        search.seen[first.stones] = 2
        search.visit()
        node = list(search.below(0))[-1]
        self.assertEqual((search.known[node], search.known[0]), (REPEATED, OPEN))
        search.prove([0, node], first.turns)
        self.assertEqual(search.known[0], OPEN)
        self.assertFalse(search.look_at(node, first, 7, False))
        self.assertEqual(search.known[node], DRAWN)


class Tree(unittest.TestCase):
    def check(self, search):
        """Checks that the links, the sums and the priors fit together."""
        seen, waiting = set(), [0]
        while waiting:
            node = waiting.pop()
            self.assertNotIn(node, seen)
            seen.add(node)
            self.assertEqual(search.in_flight[node], 0)
            children = list(search.below(node))
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
            for _ in range(30):
                search.visit()
            self.check(search)
            action = search.best()[0]
            child = next(child for child in search.below(0) if search.move[child] == action)
            visits, value = search.visits[child], search.own[child]
            search.advance(action)
            self.check(search)
            self.assertIn((search.visits[0], search.own[0]), ((visits, value), (0, 0.0)))

    def test_room_is_made(self):
        search = search_after(6, "", memory=0)
        self.assertEqual(search.capacity, 400)
        for _ in range(200):
            search.visit()
            self.assertLessEqual(search.count, 400)
        self.check(search)
        # All visits are remembered, those of forgotten positions too.
        self.assertGreater(search.visits[0], 600)


class Time(unittest.TestCase):
    def test_the_plan_never_exceeds_the_time(self):
        for n in (3, 8, 15):
            clock = Clock(n * n)
            clock.move_cost = 0.01
            for turns in range(0, 343, 2):
                with clock:
                    left, planned = clock.left(turns), clock.planned(n * n, turns)
                self.assertLess(2 * planned, max(left, 1e-9) + 1e-6)
                # As if it had been used up to the longest that is permitted, and more by the network's last look.
                clock.used += min(2 * planned, max(left, 0)) + (clock.move_cost if left > clock.move_cost else 0)
            self.assertLess(clock.used, n * n)

    def test_the_middle_of_the_game_gets_most(self):
        clock, plans = Clock(64), []
        for turns in range(0, 60, 2):
            with clock:
                plans.append(clock.planned(64, turns))
            clock.used += plans[-1]
        self.assertGreater(min(plans[4:16]), max(plans[:3]))


if __name__ == "__main__":
    unittest.main()
