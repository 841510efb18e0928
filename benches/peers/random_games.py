"""Random games of Hex 11×11 in Python: steps a second of hexzero's environments, OpenSpiel and pgx, on one core, each with the
observation and the legal actions of every position.

    pip install ./python gymnasium open_spiel pgx "jax[cpu]"
    taskset -c 0 python benches/peers/random_games.py

Counts processor time, so that other work on the machine matters less; jax compiles before the clock starts. Packages that are missing
are left out.
"""

import argparse
import os
import random
import time

# One thread: XLA would take all cores.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np

SIZE = 11


def measure(name, seconds, begin):
    """Prints the best of three measurements of what ``begin`` returns, a function that plays and returns its steps."""
    try:
        play = begin()
    except ImportError as missing:
        print("%-28s %s" % (name, missing))
        return
    best = 0.0
    for _ in range(3):
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds:
            steps += play()
        best = max(best, steps / (time.process_time() - start))
    print("%-28s %8.0f steps a second" % (name, best))


def vector(games):
    from hexzero.vector import VectorEnv

    environments, rng = VectorEnv("hex-noswap", SIZE, num_envs=games), np.random.default_rng(0)
    observations, _ = environments.reset(seed=0)

    def play():
        nonlocal observations
        mask = observations["action_mask"]
        observations, *_ = environments.step((rng.random(mask.shape, np.float32) * mask).argmax(1))
        return games

    return play


def spiel(load):
    game = load()

    def play():
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return play


def hexzero_spiel():
    from hexzero.openspiel import load_game

    return load_game("hex-noswap(size=%d)" % SIZE)


def open_spiel():
    import pyspiel

    return pyspiel.load_game("hex(num_cols=%d,num_rows=%d)" % (SIZE, SIZE))


def pgx_hex(games, length=64):
    import jax
    import jax.numpy as jnp
    import pgx

    environment = pgx.make("hex")

    def step(state, key):
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        state = jax.vmap(pgx_step)(state, jax.random.categorical(key, logits, axis=1))
        # So that the observation is computed.
        return state, state.observation.sum()

    def pgx_step(state, action):
        after = environment.step(state, action)
        fresh = environment.init(jax.random.PRNGKey(0))
        return jax.tree_util.tree_map(lambda a, b: jnp.where(after.terminated, b, a), after, fresh)

    run = jax.jit(lambda state, key: jax.lax.scan(step, state, jax.random.split(key, length)))
    state = jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.PRNGKey(1), games))
    state, _ = jax.block_until_ready(run(state, jax.random.PRNGKey(2)))

    def play():
        nonlocal state
        state, _ = jax.block_until_ready(run(state, jax.random.PRNGKey(random.getrandbits(30))))
        return games * length

    return play


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=256, help="at once, where an environment has several (256)")
    parser.add_argument("--seconds", type=float, default=5.0, help="of processor time for each measurement (5)")
    options = parser.parse_args()
    random.seed(0)
    measure("hexzero.vector", options.seconds, lambda: vector(options.games))
    measure("hexzero.openspiel", options.seconds, lambda: spiel(hexzero_spiel))
    measure("OpenSpiel", options.seconds, lambda: spiel(open_spiel))
    measure("pgx", options.seconds, lambda: pgx_hex(options.games))


if __name__ == "__main__":
    main()
