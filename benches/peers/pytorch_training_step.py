"""Peer figure for the training step: PyTorch with the same network, losses, optimiser and batch.

    python3 -m venv .venv && .venv/bin/pip install numpy torch --index-url https://download.pytorch.org/whl/cpu
    .venv/bin/python benches/peers/pytorch_training_step.py --blocks 6 --channels 64 --size 9 --threads 1

PyPI's `torch` and Debian's `python3-torch` do as well. `--device cuda` uses a card, `--evaluate` measures evaluation
alone. Prints samples per second of each variant asked for: precision (f32, or bf16 by autocast), memory format
(`contiguous` or `channels_last`), with or without `torch.compile` (which needs a C++ compiler). After some steps that are
not timed: the median of the timed ones, the fastest of them, and the processor time of one, which other programs on the
machine disturb least. Inputs and targets are random and made before the clock starts, so this is forward, backward and
AdamW alone.

The network is that of crates/graph/src/model.rs with square 3x3 convolutions in place of the hexagonal ones, as a general
library has to do it. Run it in turn with `cargo bench --bench training`, several times each, and quote ratios.
"""
import argparse
import itertools
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

CELL_INPUTS, GLOBAL_INPUTS, OWNERSHIP_CLASSES = 16, 5, 3


def pool(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Block(nn.Module):
    def __init__(self, channels: int, pools: bool):
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.pool = nn.Linear(2 * channels, channels) if pools else None
        self.second = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.first(x), inplace=True)
        if self.pool is not None:
            y = y + self.pool(pool(y))[:, :, None, None]
        return F.relu_(x + self.second(y))


class Network(nn.Module):
    def __init__(self, blocks: int, channels: int, policy_channels: int = 32, value_channels: int = 64):
        super().__init__()
        self.stem = nn.Conv2d(CELL_INPUTS, channels, 3, padding=1)
        self.stem_globals = nn.Linear(GLOBAL_INPUTS, channels, bias=False)
        self.blocks = nn.Sequential(*(Block(channels, block % 2 == 1) for block in range(blocks)))
        self.policy = nn.Conv2d(channels, policy_channels, 1)
        self.policy_pool = nn.Linear(2 * channels, policy_channels, bias=False)
        self.policy_out = nn.Conv2d(policy_channels, 1, 1)
        self.hidden = nn.Linear(2 * channels, value_channels)
        self.position_out = nn.Linear(value_channels, 5)
        self.ownership = nn.Conv2d(channels, OWNERSHIP_CLASSES, 1)

    def forward(self, cells: torch.Tensor, globals_: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = F.relu_(self.stem(cells) + self.stem_globals(globals_)[:, :, None, None])
        x = self.blocks(x)
        pooled = pool(x)
        policy = F.relu_(self.policy(x) + self.policy_pool(pooled)[:, :, None, None])
        policy = self.policy_out(policy).flatten(2)
        position = self.position_out(F.relu(self.hidden(pooled)))
        logits = torch.cat([policy[:, 0], position[:, 4:5]], 1)
        return logits, position[:, :3], self.ownership(x), position[:, 3]


def losses(heads: tuple[torch.Tensor, ...], targets: tuple[torch.Tensor, ...]) -> torch.Tensor:
    weights = (1.0, 1.5, 0.3)
    total = sum(w * F.cross_entropy(h, t) for w, h, t in zip(weights, heads[:3], targets[:3]))
    return total + 0.1 * F.mse_loss(heads[3], targets[3])


def measure(arguments: argparse.Namespace, precision: str, memory_format: str, compiled: bool) -> tuple[list[float], float]:
    """Returns seconds of each step, and seconds of processor time of a step."""
    torch.manual_seed(1)
    batch, size, device = arguments.batch, arguments.size, torch.device(arguments.device)
    layout = torch.channels_last if memory_format == "channels_last" else torch.contiguous_format
    network = Network(arguments.blocks, arguments.channels).to(device, memory_format=layout)
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, betas=(0.9, 0.99), weight_decay=0.03, fused=True)
    cells = torch.rand(batch, CELL_INPUTS, size, size).to(device, memory_format=layout)
    globals_ = torch.rand(batch, GLOBAL_INPUTS, device=device)
    targets = tuple(target.to(device) for target in (
        torch.rand(batch, size * size + 1).softmax(1),
        torch.rand(batch, 3).softmax(1),
        torch.randint(OWNERSHIP_CLASSES, (batch, size, size)),
        torch.rand(batch),
    ))

    def loss(cells: torch.Tensor, globals_: torch.Tensor) -> torch.Tensor:
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16"):
            return losses(network(cells, globals_), targets)

    def evaluate(cells: torch.Tensor, globals_: torch.Tensor) -> tuple[torch.Tensor, ...]:
        with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16"):
            return network(cells, globals_)

    if compiled:
        loss, evaluate = torch.compile(loss), torch.compile(evaluate)
    times, processor = [], 0.0
    for step in range(arguments.warmup + arguments.steps):
        if step == arguments.warmup:
            processor = time.process_time()
        began = time.perf_counter()
        if arguments.evaluate:
            evaluate(cells, globals_)
        else:
            optimiser.zero_grad(set_to_none=True)
            loss(cells, globals_).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 4.0)
            optimiser.step()
        if device.type == "cuda":
            torch.cuda.synchronize()
        if step >= arguments.warmup:
            times.append(time.perf_counter() - began)
    return times, (time.process_time() - processor) / arguments.steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--format", choices=["contiguous", "channels_last", "both"], default="both")
    parser.add_argument("--precision", choices=["f32", "bf16", "both"], default="both")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    parser.add_argument("--evaluate", action="store_true", help="evaluate only, without gradients and optimiser")
    parser.add_argument("--compile", action="store_true", help="with torch.compile as well")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    precisions = ["f32", "bf16"] if arguments.precision == "both" else [arguments.precision]
    formats = ["contiguous", "channels_last"] if arguments.format == "both" else [arguments.format]
    compilations = [False, True] if arguments.compile else [False]
    for precision, memory_format, compiled in itertools.product(precisions, formats, compilations):
        times, processor = measure(arguments, precision, memory_format, compiled)
        variant = " ".join([precision, memory_format] + ["compiled"] * compiled)
        name = f"b{arguments.blocks}c{arguments.channels} {arguments.size}x{arguments.size}"
        rates = f"{arguments.batch / statistics.median(times):.0f} samples/s"
        rates += f", fastest step {arguments.batch / min(times):.0f}"
        rates += f", processor time of a step {processor * 1e3:.0f} ms"
        print(f"{name} batch {arguments.batch} threads {arguments.threads} {variant}: {rates}", flush=True)


if __name__ == "__main__":
    main()
