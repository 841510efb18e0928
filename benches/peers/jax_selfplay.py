"""Self-play against JAX: games of Hex vectorised by pgx, searched by mctx, on the same cores in turn.

    python3 -m venv .venv && .venv/bin/pip install "jax[cpu]" dm-haiku pgx mctx
    cargo build --release
    .venv/bin/python benches/peers/jax_selfplay.py target/release/hexzero [ROUNDS] [--processes 2]

Both play Hex on 7×7 with a network of four blocks of 32 channels with random weights, 32 visits for every move. JAX plays
`--batch` games side by side in each process, one process a core, with Gumbel search; its network has four
input planes, two heads and no global pooling, so it is lighter than hexzero's. Plies a second after compiling; the
ratios are those of the medians over all rounds.
"""

import argparse
import json
import multiprocessing
import os
import statistics
import subprocess
import time

SIZE, VISITS, BLOCKS, CHANNELS = 7, 32, 4, 32


def play(core, batch, seconds, ready, start, result):
    """Plays games on `core` for `seconds` and puts the plies a second into `result`."""
    os.sched_setaffinity(0, {core})
    import haiku as hk
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx.hex

    env = pgx.hex.Hex(size=SIZE)

    def forward(planes):
        x = jax.nn.relu(hk.Conv2D(CHANNELS, 3)(planes.astype(jnp.float32)))
        for _ in range(BLOCKS):
            y = jax.nn.relu(hk.Conv2D(CHANNELS, 3)(x))
            x = jax.nn.relu(x + hk.Conv2D(CHANNELS, 3)(y))
        policy = jax.nn.relu(hk.Conv2D(16, 1)(x))
        policy = hk.Linear(SIZE * SIZE + 1)(policy.reshape(policy.shape[0], -1))
        value = jax.nn.relu(hk.Linear(32)(x.mean((1, 2))))
        return policy, jnp.tanh(hk.Linear(1)(value))[:, 0]

    network = hk.without_apply_rng(hk.transform(forward))

    def begin(key):
        # The start that pgx makes is that of 11×11 whatever the size.
        state = env._init(key)
        cells = SIZE * SIZE
        board = state._x._replace(board=jnp.zeros(cells, jnp.int32))
        legal = jnp.ones(cells + 1, jnp.bool_).at[-1].set(False)
        state = state.replace(_x=board, legal_action_mask=legal)
        return state.replace(observation=env.observe(state, state.current_player))

    def judge(parameters, state):
        logits, value = network.apply(parameters, state.observation)
        logits = jnp.where(state.legal_action_mask, logits - logits.max(-1, keepdims=True), jnp.finfo(jnp.float32).min)
        return logits, jnp.where(state.terminated, 0.0, value)

    def recurrent(parameters, _key, action, state):
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        logits, value = judge(parameters, state)
        reward = state.rewards[jnp.arange(batch), mover]
        discount = jnp.where(state.terminated, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, state

    @jax.jit
    def ply(parameters, state, key):
        search, fresh = jax.random.split(key)
        logits, value = judge(parameters, state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        chosen = mctx.gumbel_muzero_policy(
            parameters, search, root, recurrent, num_simulations=VISITS,
            invalid_actions=~state.legal_action_mask,
        )
        state = jax.vmap(env.step)(state, chosen.action)
        ended = state.terminated
        starts = jax.vmap(begin)(jax.random.split(fresh, batch))
        pick = lambda a, b: jnp.where(ended.reshape(-1, *[1] * (a.ndim - 1)), a, b)
        return jax.tree.map(pick, starts, state)

    key = jax.random.PRNGKey(core)
    state = jax.jit(jax.vmap(begin))(jax.random.split(key, batch))
    parameters = network.init(key, state.observation)
    for step in range(3):
        state = jax.block_until_ready(ply(parameters, state, jax.random.fold_in(key, step)))
    ready.release()
    start.wait()
    began, step = time.perf_counter(), 3
    while time.perf_counter() - began < seconds:
        state = jax.block_until_ready(ply(parameters, state, jax.random.fold_in(key, step)))
        step += 1
    result.put((step - 3) * batch / (time.perf_counter() - began))


def jax_round(processes, batch, seconds):
    """Returns plies a second of all processes together."""
    context = multiprocessing.get_context("spawn")
    ready, start, result = context.Semaphore(0), context.Event(), context.Queue()
    cores = sorted(os.sched_getaffinity(0))[:processes]
    players = [context.Process(target=play, args=(core, batch, seconds, ready, start, result)) for core in cores]
    for player in players:
        player.start()
    for _ in players:
        ready.acquire()
    start.set()
    rates = [result.get() for _ in players]
    for player in players:
        player.join()
    return sum(rates)


def hexzero_round(program, processes, precision):
    """Returns plies a second."""
    environment = {**os.environ, "HEXZERO_PRECISION": precision}
    command = [program, "bench", "--part", "self-play", "--game", "hex", "--json"]
    answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    rows = json.loads(answer)["self_play"]
    row = next(row for row in rows if row["threads"] == processes and row["precision"] == precision)
    return row["games_per_hour"] / 3600 * row["moves_per_game"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("rounds", nargs="?", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2, help="processes of JAX, and workers of hexzero")
    parser.add_argument("--batch", type=int, default=64, help="games side by side in a process of JAX")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each round of JAX is timed")
    arguments = parser.parse_args()
    rates = {"jax": [], "int8": [], "f32": []}
    for _ in range(arguments.rounds):
        rates["jax"].append(jax_round(arguments.processes, arguments.batch, arguments.seconds))
        for precision in ("int8", "f32"):
            rates[precision].append(hexzero_round(arguments.program, arguments.processes, precision))
    medians = {name: statistics.median(rounds) for name, rounds in rates.items()}
    for name, plies in medians.items():
        print(f"{name:5} {plies:8.0f} plies a second, {plies / medians['jax']:.1f} times JAX")


if __name__ == "__main__":
    main()
