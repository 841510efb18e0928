"""The round trip: a network is trained in PyTorch on games of hexzero's self-play, and plays in hexzero.

    pip install torch
    python train_in_pytorch.py

plays 5×5 Hex with the network that ships, trains another one from nothing on what the searches found, saves it as a checkpoint
for hexzero, and plays a match against random moves. Takes two or three minutes on two cores.
"""

import argparse
import time

import numpy as np
import torch

import hexzero
from hexzero.pytorch import HexNetwork, loss


def augmented(samples, rng):
    """Turns each position by a symmetry of the board drawn at random: more positions from the same games."""
    parts = samples.board.symmetries()
    drawn = rng.integers(0, len(parts["cells"]), len(samples))
    planes, numbers, legal, policy = samples.planes.copy(), samples.globals.copy(), samples.legal.copy(), samples.policy.copy()
    for s in range(1, len(parts["cells"])):
        rows = np.flatnonzero(drawn == s)
        planes[rows] = samples.planes[rows][:, parts["planes"][s]][:, :, parts["cells"][s]]
        numbers[rows] = samples.globals[rows][:, parts["globals"][s]]
        legal[rows] = samples.legal[rows][:, parts["actions"][s]]
        policy[rows] = samples.policy[rows][:, parts["actions"][s]]
    return [torch.from_numpy(array) for array in (planes, numbers, legal, policy, samples.value)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="hex", help="a game; hexzero.games() lists them (hex)")
    parser.add_argument("--size", type=int, default=5, help="the board's size (5)")
    parser.add_argument("--games", type=int, default=400, help="games of self-play (400)")
    parser.add_argument("--visits", type=int, default=48, help="visits of a search (48)")
    parser.add_argument("--epochs", type=int, default=12, help="passes over the positions (12)")
    parser.add_argument("--save", default="trained.safetensors", help="the checkpoint to write")
    options = parser.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    begun = time.time()

    game = hexzero.Game(options.game, options.size)
    teacher = hexzero.Network.load("shipped", game)
    games = hexzero.self_play(teacher, game=game, games=options.games, visits=options.visits)
    samples = games.samples()
    print("%.0f s: %d positions of %d games" % (time.time() - begun, len(samples), len(games)))

    module = HexNetwork(game, blocks=2, channels=32)
    optimiser = torch.optim.AdamW(module.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(options.epochs):
        arrays, total, steps = augmented(samples, rng), 0.0, 0
        for rows in torch.randperm(len(samples)).split(128):
            optimiser.zero_grad()
            value = loss(module, *(array[rows] for array in arrays))
            value.backward()
            optimiser.step()
            total, steps = total + value.item(), steps + 1
        print("%.0f s: epoch %d, loss %.3f" % (time.time() - begun, epoch + 1, total / steps))

    network = module.to_network(step=options.epochs, name="trained")
    network.save(options.save)
    result = hexzero.play_match(hexzero.Network.load(options.save), "random", game=game, games=100, visits=50)
    print("%.0f s: %d of %d won against random" % (time.time() - begun, result.wins, result.games))


if __name__ == "__main__":
    main()
