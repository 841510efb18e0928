"""A self-play loop written in Python: many games side by side, whose searches share the batches of one evaluator.

    python self_play_loop.py --game hex --size 5 --games 32 --visits 64

The evaluator is a function of NumPy arrays: put a network of PyTorch or JAX on a GPU in its place. What comes out are arrays to
train with, and the same loop with the better network is AlphaZero.
"""

import argparse

import numpy as np

import hexzero


class Evaluator:
    """Judges a batch in the mover's frame: all moves alike, and nothing known of the result."""

    def __init__(self, game):
        self.game = game

    def __call__(self, planes, numbers):
        """planes: float32 [batch, planes, cells]; numbers: float32 [batch, globals]. Returns logits of all actions,
        [batch, actions], and values to the player to move, [batch] from -1 to 1."""
        return np.zeros((len(planes), self.game.num_actions), np.float32), np.zeros(len(planes), np.float32)


def play(game, search, count, rng, temperature=1.0):
    """Plays games side by side and returns inputs, policies in the mover's frame, and results to the mover."""
    states = [game.start() for _ in range(count)]
    histories = [[] for _ in states]
    while True:
        going = [number for number, state in enumerate(states) if not state.is_terminal]
        if not going:
            break
        for number, found in zip(going, search.run_many([states[number] for number in going])):
            state = states[number]
            policy = np.zeros(game.num_actions, np.float32)
            policy[state.frame] = found.policy
            histories[number].append((*state.encode(), policy, state.to_play))
            shares = found.policy.astype(np.float64) ** (1 / temperature)
            state.play(int(rng.choice(game.num_actions, p=shares / shares.sum())))
    rows = [(planes, numbers, policy, state.returns()[mover])
            for state, history in zip(states, histories) for planes, numbers, policy, mover in history]
    return [np.stack(column) for column in zip(*rows)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="hex", help="a game; hexzero.games() lists them (hex)")
    parser.add_argument("--size", type=int, default=5, help="the board's size (5)")
    parser.add_argument("--games", type=int, default=32, help="games side by side (32)")
    parser.add_argument("--visits", type=int, default=64, help="visits of a search (64)")
    options = parser.parse_args()

    game = hexzero.Game(options.game, options.size)
    search = hexzero.Search(Evaluator(game), options.visits, batch=options.games, noise=0.25)
    planes, numbers, policies, values = play(game, search, options.games, np.random.default_rng(0))
    print("%d positions of %d games: planes %s, globals %s, policies %s, values %s" % (
        len(values), options.games, planes.shape, numbers.shape, policies.shape, values.shape))


if __name__ == "__main__":
    main()
