"""A search tree grown by PUCT, with certain results where the game's end can be seen.

A node is a place in arrays, since objects would take several times the memory. It stands for a position and for the move
that led to it. Its moves lie in rows of two tables, the likeliest first, and become nodes in this order.
"""

from array import array
from math import log, sqrt

import numpy as np

from .rules import REPETITION_LIMIT, TURN_LIMIT, Board, Position

# The constants of PUCT, as in the engine.
EXPLORATION, EXPLORATION_BASE, UNTRIED_REDUCTION, DRAW_PENALTY, PRIOR_TEMPERATURE = 1.25, 19652.0, 0.2, 0.4, 1.4
# The move to play: the best lower confidence bound of those with a good share of the visits.
DEVIATIONS, LEAST_SHARE, USUAL_VARIANCE, USUAL_VISITS = 2.5, 0.15, 0.16, 2
# Nodes of a tree at least and at most, and how many of a node's moves are kept: the others are hardly ever tried.
FEWEST_NODES, MOST_NODES, MOST_MOVES = 400, 20000, 64
# The known result of a node. A position that comes back counts as a draw, but that is no proof.
OPEN, FIRST_WINS, SECOND_WINS, DRAWN, REPEATED = range(5)
WINS = (FIRST_WINS, SECOND_WINS)
# Beside its moves a node has: the sums of the results to the player to move (own) and to the other (value), and of the
# squares of the latter; the sum of the priors of the moves that are nodes (tried); the first node below and the next one
# beside, 0 for none; how many moves are kept, whether there are more (cut), and how many are nodes (children); what is
# known, and the plies until the end if it is.
COLUMNS = [(name, code) for code, names in (("i", "visits in_flight first sibling"), ("f", "value own squares prior tried"),
                                            ("h", "plies"), ("B", "move moves children known cut")) for name in names.split()]


class Search:
    """A game and the search of its present position."""

    def __init__(self, n, network, memory):
        self.position, self.network = Position(Board(n)), network
        # How often each position has been on the board.
        self.seen = {self.position.stones: 1}
        self.kept = min(n * n, MOST_MOVES)
        # Both tables, and a copy of the larger one while nodes are moved.
        size = 5 * self.kept + sum(array(code).itemsize for _, code in COLUMNS)
        self.capacity = capacity = max(FEWEST_NODES, min(MOST_NODES, memory // size))
        self.table, self.priors = np.zeros((capacity, self.kept), np.uint8), np.zeros((capacity, self.kept), np.float16)
        self.rows = {"table": self.table, "priors": self.priors}
        for name, code in COLUMNS:
            # A number of an array is read faster than one of NumPy's, which are a view of the former.
            setattr(self, name, array(code, [0]) * capacity)
            self.rows[name] = np.frombuffer(getattr(self, name), code)
        # The root is the first node; it has no moves until the network has judged it.
        self.count = 1

    def below(self, node):
        """Yields the nodes of a node's moves, the latest first."""
        child = self.first[node]
        while child:
            yield child
            child = self.sibling[child]

    def visit(self):
        """Visits as many positions as the network judges at a time; at first the root."""
        batch, leaves, least = self.network.globals.shape[1], [], 1
        if not self.moves[0]:
            cells = self.worth_trying(self.position) or self.position.empty
            leaves.append(([0], self.position, self.seen[self.position.stones], cells))
        # What lies below positions with few visits is forgotten, until half of the memory is free.
        while self.count > (self.capacity - batch if least == 1 else self.capacity // 2):
            least *= 2
            self.keep([0], least)
        for _ in range(4 * batch):
            if self.known[0] or self.count == self.capacity or len(leaves) == batch or not self.descend(leaves):
                break
        if leaves:
            self.judge(leaves)

    def descend(self, leaves):
        """Walks down to a new position, which joins the leaves for the network; or to one whose result is known, which
        counts as a visit. False if it comes to a leaf again."""
        path, position, past = [0], self.position, []
        while not self.known[path[-1]]:
            if not self.moves[path[-1]]:
                return False
            child = self.select(path[-1], WINS[1 - position.to_move])
            if not child:
                # All moves lose that are kept of a position which has more. That is no proof.
                self.back_up(path, -1.0, 1.0)
                return True
            path.append(child)
            position = position.after(self.move[child])
            if not self.visits[child] + self.in_flight[child]:
                occurrences = self.seen.get(position.stones, 0) + past.count(position.stones) + 1
                cells = self.look_at(child, position, occurrences, position.stones in past)
                if cells:
                    leaves.append((path, position, occurrences, cells))
                    for node in path:
                        self.in_flight[node] += 1
                    return True
                self.prove(path, position.turns)
            past.append(position.stones)
        known = self.known[path[-1]]
        if known >= DRAWN:
            self.back_up(path, -DRAW_PENALTY, -DRAW_PENALTY)
        elif known == WINS[position.to_move]:
            self.back_up(path, 1.0, -1.0)
        else:
            self.back_up(path, -1.0, 1.0)
        return True

    def select(self, node, lost):
        """Returns the node to go on to, perhaps a new one, none whose known result is ``lost``; 0 if there is no other."""
        visits, in_flight, value, prior, known = self.visits, self.in_flight, self.value, self.prior, self.known
        total, number, best, best_score = visits[node] + in_flight[node], self.children[node], 0, -1e9
        explore = (EXPLORATION + log((total + EXPLORATION_BASE + 1) / EXPLORATION_BASE)) * sqrt(total)
        if number < self.moves[node]:
            untried = self.own[node] / visits[node] - UNTRIED_REDUCTION * sqrt(self.tried[node])
            best, best_score = self.count, untried + explore * float(self.priors[node, number])
        for child in self.below(node):
            if known[child] != lost:
                # A leaf on its way counts as lost, so that the next walk goes elsewhere.
                begun = visits[child] + in_flight[child]
                score = (value[child] - in_flight[child]) / begun + explore * prior[child] / (1 + begun)
                if score > best_score:
                    best, best_score = child, score
        if best == self.count:
            # The likeliest move that has no node gets one.
            self.count += 1
            self.move[best], prior[best] = self.table[node, number], self.priors[node, number]
            self.sibling[best], self.first[node], self.children[node] = self.first[node], best, number + 1
            self.tried[node] += prior[best]
        return best

    def worth_trying(self, position):
        """Returns the empty cells where a stone does not lose at once: if the other side can win with its next move, a
        stone must take that cell, or capture something."""
        threats = position.wins(1 - position.to_move)
        if not threats or position.turns + 2 > TURN_LIMIT or max(self.seen.values()) >= REPETITION_LIMIT - 2:
            return position.empty
        captures = position.captures(position.to_move)
        return captures | threats if threats & (threats - 1) == 0 else captures

    def look_at(self, node, position, occurrences, came_back):
        """Returns the cells to try in the position of a new node; none if its result is known without the network."""
        mover, cells = position.to_move, 0
        if occurrences >= REPETITION_LIMIT or position.turns >= TURN_LIMIT:
            self.known[node] = DRAWN
        elif position.wins(mover):
            self.known[node], self.plies[node] = WINS[mover], 1
        elif came_back or occurrences > 2:
            self.known[node] = REPEATED
        else:
            cells = self.worth_trying(position)
            if not cells:
                self.known[node], self.plies[node] = WINS[1 - mover], 2
        return cells

    def judge(self, leaves):
        """Evaluates some leaves with the network, and adds the answers to the tree."""
        for place, (_, position, occurrences, _) in enumerate(leaves):
            self.network.cells[..., place], self.network.globals[:, place] = position.inputs(occurrences)
        logits, outcomes = self.network.evaluate()
        for place, (path, position, _, cells) in enumerate(leaves):
            node, actions = path[-1], np.array(position.actions(cells))
            priors = logits[position.board.frames[position.to_move][actions], place]
            priors = np.exp((priors - priors.max()) / PRIOR_TEMPERATURE)
            order = np.argsort(-priors)[:self.kept]
            self.moves[node], self.cut[node] = len(order), len(actions) > len(order)
            self.table[node, :len(order)], self.priors[node, :len(order)] = actions[order], (priors / priors.sum())[order]
            chances = np.exp(outcomes[:, place] - outcomes[:, place].max())
            win, draw, loss = (chances / chances.sum()).tolist()
            self.back_up(path, win - loss - DRAW_PENALTY * draw, loss - win - DRAW_PENALTY * draw, 1 if node else 0)

    def back_up(self, path, mine, theirs, arrived=0):
        """Counts a visit on a path from the root, with its value to the player to move at its end, and to the other."""
        for node in reversed(path):
            self.visits[node] += 1
            self.in_flight[node] -= arrived
            self.own[node] += mine
            self.value[node] += theirs
            self.squares[node] += theirs * theirs
            mine, theirs = theirs, mine

    def prove(self, path, turns):
        """Propagates a known result from the end of a path up as far as it decides anything."""
        known, plies = self.known, self.plies
        for child, node in zip(path[::-1], path[-2::-1]):
            turns -= 1
            if known[child] == WINS[turns % 2]:
                known[node], plies[node] = known[child], plies[child] + 1
                continue
            results = [known[child] for child in self.below(node)]
            if len(results) < self.moves[node] or self.cut[node] or OPEN in results or REPEATED in results:
                return
            known[node] = DRAWN if DRAWN in results else WINS[1 - turns % 2]
            plies[node] = 1 + max(plies[child] for child in self.below(node))

    def bound(self, node):
        """Returns the lower confidence bound of a move's value."""
        visits, value = self.visits[node], self.value[node]
        around_mean = max(0.0, self.squares[node] - value * value / visits)
        variance = (around_mean + USUAL_VARIANCE * USUAL_VISITS) / (visits + USUAL_VISITS)
        return value / visits - DEVIATIONS * sqrt(variance / visits)

    def best(self):
        """Returns the action to play, and whether it is beyond doubt the best so far."""
        mover, known, visits, children = self.position.to_move, self.known, self.visits, list(self.below(0))
        won = [child for child in children if known[child] == WINS[mover]]
        if won:
            return self.move[min(won, key=self.plies.__getitem__)], True
        undecided = [child for child in children if known[child] != WINS[1 - mover]]
        if undecided:
            most = max(undecided, key=visits.__getitem__)
            best = max((child for child in undecided if visits[child] >= LEAST_SHARE * visits[most]), key=self.bound)
            return self.move[best], best == most
        if len(children) < self.moves[0]:
            return int(self.table[0, len(children)]), not children
        return self.move[max(children, key=self.plies.__getitem__)], True

    def advance(self, action):
        """Plays a move, and keeps what is known of the position after it."""
        self.keep([child for child in self.below(0)
                   if self.move[child] == action and self.moves[child] and not self.known[child]])
        self.position = self.position.after(action)
        self.seen[self.position.stones] = self.seen.get(self.position.stones, 0) + 1

    def keep(self, kept, least=0):
        """Frees the memory of all nodes that are not below the one in ``kept``, which becomes the root, or that are below
        nodes with fewer visits than ``least``. If ``kept`` is empty, a new root is begun."""
        for node in kept:
            if node and self.visits[node] < least:
                self.first[node] = self.children[node] = self.tried[node] = 0
            kept += self.below(node)
        number = np.zeros(self.capacity, np.int32)
        number[kept] = np.arange(len(kept))
        for name, table in self.rows.items():
            # Whatever is not kept has the number 0, as the root's sibling.
            rows = table[kept]
            table[:len(kept)] = number[rows] if name in ("first", "sibling") else rows
            table[len(kept):self.count] = 0
        self.count = max(1, len(kept))
