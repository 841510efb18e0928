"""The round trip: a network is trained in PyTorch on games of hexzero's self-play, and plays in hexzero.

    pip install torch
    python train_in_pytorch.py

plays 5×5 Hex with the network that ships, trains another one from nothing on what the searches found, saves it as a checkpoint
for hexzero, and plays a match against random moves. Takes two or three minutes on two cores.

    hexzero train --game hex --size 5 --minutes 5 --run runs/mine
    python train_in_pytorch.py --run runs/mine

learns from the games of a training run instead.
"""

import argparse
import time

import numpy as np
import torch

import hexzero
from hexzero.pytorch import HexNetwork, loss


NAMES = ("planes", "globals", "legal", "policy", "value")


def augmented(board, arrays, rng):
    """Turns each position by a symmetry of the board drawn at random: more positions from the same games."""
    parts = board.symmetries()
    planes, numbers, legal, policy, value = arrays
    drawn = rng.integers(0, len(parts["cells"]), len(value))
    turned = [array.copy() for array in (planes, numbers, legal, policy)]
    for s in range(1, len(parts["cells"])):
        rows = np.flatnonzero(drawn == s)
        turned[0][rows] = planes[rows][:, parts["planes"][s]][:, :, parts["cells"][s]]
        turned[1][rows] = numbers[rows][:, parts["globals"][s]]
        turned[2][rows] = legal[rows][:, parts["actions"][s]]
        turned[3][rows] = policy[rows][:, parts["actions"][s]]
    return [torch.from_numpy(array) for array in (*turned, value)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", default="hex", help="a game; hexzero.games() lists them (hex)")
    parser.add_argument("--size", type=int, default=5, help="the board's size (5)")
    parser.add_argument("--run", help="learn from the games of this training run, those on boards of the size")
    parser.add_argument("--games", type=int, default=400, help="games of self-play (400)")
    parser.add_argument("--visits", type=int, default=48, help="visits of a search (48)")
    parser.add_argument("--epochs", type=int, default=12, help="passes over the positions (12)")
    parser.add_argument("--save", default="trained.safetensors", help="the checkpoint to write")
    options = parser.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    begun = time.time()

    game = hexzero.Game(options.game, options.size)
    if options.run:
        parts = list(hexzero.shards(options.run, size=game.size))
        if not parts or parts[0].board != game:
            raise SystemExit("%s has no games of %s on boards of size %d" % (options.run, game.name, game.size))
    else:
        teacher = hexzero.Network.load("shipped", game)
        parts = [hexzero.self_play(teacher, game=game, games=options.games, visits=options.visits).samples()]
    arrays = [np.concatenate([getattr(part, name) for part in parts]) for name in NAMES]
    positions = len(arrays[-1])
    print("%.0f s: %d positions" % (time.time() - begun, positions))

    module = HexNetwork(game, blocks=2, channels=32)
    optimiser = torch.optim.AdamW(module.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(options.epochs):
        tensors, total, steps = augmented(game, arrays, rng), 0.0, 0
        for rows in torch.randperm(positions).split(128):
            optimiser.zero_grad()
            value = loss(module, *(tensor[rows] for tensor in tensors))
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
