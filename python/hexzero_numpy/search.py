"""A search tree grown by PUCT, with certain results where the game's end can be seen.

The tree is kept in arrays with a number a node, since objects would take several times the memory. A node stands for
a position and for the move that led to it. Its own moves lie in rows of two tables, the likeliest first, and become
nodes in this order, one whenever the search wants to try another.
"""

from array import array
from math import log, sqrt

import numpy as np

from .rules import REPETITION_LIMIT, TURN_LIMIT, Inputs, Position

# The constants of PUCT, as in the engine (docs/search.md of hexzero explains them).
EXPLORATION = 1.25
EXPLORATION_BASE = 19652.0
UNTRIED_REDUCTION = 0.2
DRAW_PENALTY = 0.4
PRIOR_TEMPERATURE = 1.4

# The move to play: the best lower confidence bound of those with a good share of the visits.
DEVIATIONS = 2.5
LEAST_SHARE = 0.15
USUAL_VARIANCE, USUAL_VISITS = 0.16, 2

# What is known of a node. A position that comes back is taken for a draw, but that is no proof.
OPEN, FIRST_WINS, SECOND_WINS, DRAWN, REPEATED = range(5)
WINS = (FIRST_WINS, SECOND_WINS)

NEW, AWAITED, FINISHED = -1, -2, -3

COLUMNS = {
    "visits": "i", "in_flight": "i",
    "value": "f",  # The sum of the results to the player who moved here.
    "own": "f",  # The same to the player to move.
    "squares": "f",  # The sum of the squares of the former.
    "prior": "f",
    "tried": "f",  # The sum of the priors of those moves that are nodes.
    "upcoming": "f",  # The prior of the next move to try, -1 if there is none.
    "parent": "i", "first": "i", "sibling": "i",  # 0 for none: no node has the root as its child.
    "plies": "h",  # Until the end, if that is known.
    "move": "B", "moves": "B", "children": "B", "known": "B",
    "cut": "B",  # Whether it has more moves than are kept.
}


def node_bytes(board):
    """About how much memory a node takes on a board."""
    columns = sum(array(code).itemsize for code in COLUMNS.values())
    return columns + 2 * board.set_bytes + 3 * moves_kept(board)


def moves_kept(board):
    """How many of a position's moves are kept. The others are hardly ever tried."""
    return min(board.cells, 64)


class Leaf:
    """A position that waits to be judged."""

    __slots__ = ("node", "position", "joined", "occurrences", "cells")

    def __init__(self, node, position, joined, occurrences, cells):
        self.node, self.position, self.joined = node, position, joined
        self.occurrences, self.cells = occurrences, cells


class Search:
    """The search of a game's present position, which follows the game from move to move."""

    def __init__(self, game, network, capacity):
        self.game, self.network, self.capacity = game, network, capacity
        board = game.position.board
        self.inputs = Inputs(board)
        # Where a cell lies in the frame of each player.
        self.in_frame = [np.array(frame) for frame in board.frames]
        for name, code in COLUMNS.items():
            setattr(self, name, array(code, bytes(array(code).itemsize * capacity)))
        self.kept = moves_kept(board)
        self.table = np.zeros((capacity, self.kept), np.uint8)
        self.priors = np.zeros((capacity, self.kept), np.float16)
        self.set_bytes = board.set_bytes
        self.stones = np.zeros((capacity, 2 * self.set_bytes), np.uint8)
        self.restart()

    def restart(self):
        """Begins anew with the game's position."""
        self.count = 0
        self.root = None
        if self.game.over:
            return
        position = self.game.position
        self.add(0, 0, 0.0, position)
        # What was known without a search is not asked here: the root needs moves in any case.
        joined = [position.board.joined(player, position.stones[player]) for player in (0, 1)]
        self.root = Leaf(0, position, joined, self.game.occurrences, 0)
        self.root.cells = self.game.worth_trying(position, joined) or position.empty()

    def add(self, parent, move, prior, position):
        node = self.count
        self.count += 1
        for name in COLUMNS:
            getattr(self, name)[node] = 0
        self.parent[node], self.move[node], self.prior[node] = parent, move, prior
        self.stones[node] = np.frombuffer(self.packed(position.stones), np.uint8)
        self.upcoming[node] = -1.0
        return node

    def packed(self, stones):
        return stones[0].to_bytes(self.set_bytes, "big") + stones[1].to_bytes(self.set_bytes, "big")

    def position(self, node, turns):
        """A node's position; what was captured last is not known any more."""
        both = self.stones[node].tobytes()
        stones = (int.from_bytes(half, "big") for half in (both[:self.set_bytes], both[self.set_bytes:]))
        return Position(self.game.position.board, tuple(stones), turns)

    # Looking at one position after another.

    def judge_root(self):
        """Has the root judged, if it has not been."""
        if self.root is not None:
            self.judge([self.root])
            self.root = None

    def visit(self):
        """Visits as many positions as the network judges at a time."""
        leaves = []
        if self.count + self.network.batch > self.capacity:
            self.make_room()
        for _ in range(4 * self.network.batch):
            if self.known[0] or self.count == self.capacity or len(leaves) == self.network.batch:
                break
            leaf = self.descend()
            if leaf is AWAITED:
                break
            if leaf is not FINISHED:
                leaves.append(leaf)
        if leaves:
            self.judge(leaves)

    def descend(self):
        """Walks down to a position that has not been judged; or to one whose result is known, which counts as a
        visit, or to one that is on its way to be judged."""
        visits, in_flight, value, prior, known = self.visits, self.in_flight, self.value, self.prior, self.known
        node, turns = 0, self.game.position.turns
        while True:
            if known[node]:
                self.back_up(node, *self.result(node, turns))
                return FINISHED
            if not self.moves[node]:
                return AWAITED
            lost = WINS[1 - turns % 2]
            total = visits[node] + in_flight[node]
            explore = (EXPLORATION + log((total + EXPLORATION_BASE + 1) / EXPLORATION_BASE)) * sqrt(total)
            best, best_score = 0, -1e9
            if self.upcoming[node] >= 0:
                untried = self.own[node] / visits[node] - UNTRIED_REDUCTION * sqrt(self.tried[node])
                best, best_score = NEW, untried + explore * self.upcoming[node]
            child = self.first[node]
            while child:
                if known[child] != lost:
                    waiting = in_flight[child]
                    begun = visits[child] + waiting
                    # A leaf on its way counts as lost, so that the next walk goes elsewhere.
                    score = (value[child] - waiting) / begun + explore * prior[child] / (1 + begun)
                    if score > best_score:
                        best, best_score = child, score
                child = self.sibling[child]
            if best == NEW:
                return self.try_another(node, turns)
            if not best:
                # All moves lose that are kept of a position which has more. That is no proof.
                self.back_up(node, -1.0, 1.0)
                return FINISHED
            node = best
            turns += 1

    def try_another(self, parent, turns):
        """Makes a node of the likeliest move that has none."""
        number = self.children[parent]
        move, prior = int(self.table[parent, number]), self.upcoming[parent]
        position = self.position(parent, turns).after(move)
        node = self.add(parent, move, prior, position)
        self.sibling[node], self.first[parent] = self.first[parent], node
        self.children[parent] = number = number + 1
        self.tried[parent] += prior
        self.upcoming[parent] = float(self.priors[parent, number]) if number < self.moves[parent] else -1.0

        leaf = self.look_at(node, position)
        if leaf is None:
            self.prove(node, turns + 1)
            self.back_up(node, *self.result(node, turns + 1))
            return FINISHED
        while True:
            self.in_flight[node] += 1
            if node == 0:
                return leaf
            node = self.parent[node]

    def look_at(self, node, position):
        """The leaf that a new node is, if it can be said without the network how it ends."""
        board, mover = position.board, position.to_move
        earlier = self.game.seen.get(position.stones, 0)
        since = self.since_root(node)
        if earlier + since + 1 >= REPETITION_LIMIT or position.turns >= TURN_LIMIT:
            self.known[node] = DRAWN
            return None
        joined = [board.joined(player, position.stones[player]) for player in (0, 1)]
        if board.completing(mover, joined[mover], position.empty()):
            self.known[node], self.plies[node] = WINS[mover], 1
            return None
        if since or earlier >= 2:
            self.known[node] = REPEATED
            return None
        cells = self.game.worth_trying(position, joined)
        if not cells:
            self.known[node], self.plies[node] = WINS[1 - mover], 2
            return None
        return Leaf(node, position, joined, earlier + 1, cells)

    def since_root(self, node):
        """How often a node's stones have been on the board between the root and the node."""
        stones, count = self.stones[node].tobytes(), 0
        # The root is one of the game's positions.
        while self.parent[node]:
            node = self.parent[node]
            count += self.stones[node].tobytes() == stones
        return count

    def judge(self, leaves):
        """Has the network judge some leaves, and takes what it says into the tree."""
        network = self.network
        for place, leaf in enumerate(leaves):
            self.inputs.write(leaf.position, leaf.joined, leaf.occurrences, network.cells[..., place],
                              network.globals[:, place])
        cell_logits, extra_logits, outcomes = network.evaluate()
        for place, leaf in enumerate(leaves):
            node, position = leaf.node, leaf.position
            board = position.board
            actions = board.cells_of(leaf.cells)
            logits = cell_logits[self.in_frame[position.to_move][actions], place]
            for action in position.extra_actions():
                actions.append(action)
                logits = np.append(logits, extra_logits[action - board.cells, place])
            priors = np.exp((logits - logits.max()) / PRIOR_TEMPERATURE)
            priors /= priors.sum()
            order = np.argsort(-priors)[:self.kept]
            count = len(order)
            self.moves[node], self.cut[node] = count, len(actions) > count
            self.table[node, :count] = np.array(actions)[order]
            self.priors[node, :count] = priors[order]
            self.upcoming[node] = float(self.priors[node, 0])
            chances = np.exp(outcomes[:, place] - outcomes[:, place].max())
            win, draw, loss = (chances / chances.sum()).tolist()
            self.back_up(node, win - loss - DRAW_PENALTY * draw, loss - win - DRAW_PENALTY * draw, leaf is not self.root)

    def result(self, node, turns):
        """The value of a known result to the player to move, and to the other."""
        known = self.known[node]
        if known >= DRAWN:
            return -DRAW_PENALTY, -DRAW_PENALTY
        value = 1.0 if known == WINS[turns % 2] else -1.0
        return value, -value

    def back_up(self, node, mine, theirs, was_in_flight=False):
        """Counts a visit on the path from the root to a node, with its value to the player to move there, and
        to the other."""
        while True:
            self.visits[node] += 1
            self.own[node] += mine
            self.value[node] += theirs
            self.squares[node] += theirs * theirs
            if was_in_flight:
                self.in_flight[node] -= 1
            if node == 0:
                return
            node = self.parent[node]
            mine, theirs = theirs, mine

    def prove(self, node, turns):
        """Takes a known result as far up as it decides anything."""
        known = self.known
        while node and known[node] != REPEATED:
            child, node = node, self.parent[node]
            turns -= 1
            mover = turns % 2
            if known[child] == WINS[mover]:
                known[node], self.plies[node] = WINS[mover], self.plies[child] + 1
                continue
            if self.children[node] < self.moves[node] or self.cut[node]:
                return
            best, plies, child = WINS[1 - mover], 0, self.first[node]
            while child:
                if known[child] in (OPEN, REPEATED):
                    return
                best = DRAWN if known[child] == DRAWN else best
                plies = max(plies, self.plies[child])
                child = self.sibling[child]
            known[node], self.plies[node] = best, plies + 1

    # What was found.

    def children_of_root(self):
        child = self.first[0]
        while child:
            yield child
            child = self.sibling[child]

    def bound(self, node):
        """The lower confidence bound of a move's value."""
        visits, value = self.visits[node], self.value[node]
        around_mean = max(0.0, self.squares[node] - value * value / visits)
        variance = (around_mean + USUAL_VARIANCE * USUAL_VISITS) / (visits + USUAL_VISITS)
        return value / visits - DEVIATIONS * sqrt(variance / visits)

    def best(self):
        """The action to play, and whether it is beyond doubt the best so far."""
        mover = self.game.position.to_move
        children = [child for child in self.children_of_root() if self.visits[child]]
        if not children:
            return int(self.table[0, 0]), True
        won = [child for child in children if self.known[child] == WINS[mover]]
        if won:
            return self.move[min(won, key=lambda child: self.plies[child])], True
        undecided = [child for child in children if self.known[child] != WINS[1 - mover]]
        if not undecided:
            if self.children[0] < self.moves[0]:
                return int(self.table[0, self.children[0]]), False
            return self.move[max(children, key=lambda child: self.plies[child])], True
        most = max(undecided, key=lambda child: self.visits[child])
        enough = LEAST_SHARE * self.visits[most]
        best = max((child for child in undecided if self.visits[child] >= enough), key=self.bound)
        return self.move[best], best == most

    def lead(self):
        """By how many visits the most visited move is ahead."""
        visits = sorted(self.visits[child] for child in self.children_of_root())
        return visits[-1] - visits[-2] if len(visits) > 1 else 0

    def win_chance(self):
        """From -1 for lost to 1 for won, as the player to move sees it."""
        return self.own[0] / self.visits[0] if self.visits[0] else 0.0

    # Following the game.

    def advance(self, action):
        """Plays a move, and keeps what is known of the position after it."""
        kept = 0
        for child in self.children_of_root() if self.count else ():
            if self.move[child] == action and self.moves[child] and not self.known[child]:
                kept = child
        self.game.play(action)
        if kept and not self.game.over:
            self.keep(kept)
        else:
            self.restart()

    def make_room(self):
        """Forgets what lies below positions with few visits, until half of the memory is free."""
        least = 2
        while self.count > self.capacity // 2:
            self.keep(0, least)
            least *= 2

    def keep(self, root, least=0):
        """Gives the memory of all nodes back that are not below one, which becomes the root, or that are below others
        with fewer visits than ``least``."""
        kept = [root]
        for node in kept:
            if node and self.visits[node] < least and self.children[node]:
                self.first[node] = self.children[node] = 0
                self.tried[node], self.upcoming[node] = 0.0, self.priors[node, 0]
            child = self.first[node]
            while child:
                kept.append(child)
                child = self.sibling[child]
        # Parents have lower numbers than their children. In this order nothing is overwritten that is still needed.
        kept.sort()
        number = {node: place for place, node in enumerate(kept)}
        for name in COLUMNS:
            column = getattr(self, name)
            if name in ("parent", "first", "sibling"):
                # The root's own parent and sibling are gone.
                moved = [number.get(column[node], 0) for node in kept]
            else:
                moved = [column[node] for node in kept]
            column[:len(kept)] = array(column.typecode, moved)
        for begin in range(0, len(kept), 256):
            rows = kept[begin:begin + 256]
            for table in (self.table, self.priors, self.stones):
                table[begin:begin + len(rows)] = table[rows]
        self.count = len(kept)
