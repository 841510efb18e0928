"""Many games at once, as a Gymnasium ``VectorEnv``: for self-play loops that evaluate a batch of positions at a time. Needs the
package ``gymnasium``.

    import numpy as np
    from hexzero.vector import VectorEnv

    environments = VectorEnv("hex", size=5, num_envs=64)
    observations, infos = environments.reset(seed=0)
    for _ in range(1000):
        logits, values = evaluate(observations["observation"], observations["globals"])      # yours
        logits[observations["action_mask"] == 0] = -np.inf
        observations, rewards, terminations, truncations, infos = environments.step(logits.argmax(1))

One agent plays both sides: everything is in the mover's frame, as in ``hexzero.pettingzoo``, and the reward of a step is that of
the player who made the move: 1 for a win, -1 for a loss, else 0. A game that ends is followed by a new one at once
(``AutoresetMode.SAME_STEP``): the observation is that of the new game, and ``infos["final_obs"]`` has that of the end.
``environments.states[i]`` is the ``hexzero.State`` of a game.
"""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._hexzero import Game, State, encode, legal_masks, play_each
from .environment import observation, observation_space


class VectorEnv(gymnasium.vector.VectorEnv):
    """``num_envs`` games on boards of one size.

    An observation is a dictionary of arrays: ``observation`` float32 ``[games, planes, cells]``, ``globals`` float32
    ``[games, globals]`` and ``action_mask`` int8 ``[games, actions]``, 1 for each legal action. ``infos["to_play"]``, int64
    ``[games]``, is 0 where the player who moves first is to move, else 1; a player may move twice in a row, where the rules say so.

    ``random_opening`` is the probability of a random first move of a game, and of one more after each, as in ``hexzero.self_play``.

    :param game: the name of a game; ``hexzero.games()`` lists them.
    :param size: the board's size, by default the one that the game offers first.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game="cachex", size=None, num_envs=16, random_opening=0.0):
        if num_envs < 1:
            raise ValueError("num_envs must be at least 1, not %s" % num_envs)
        if not 0 <= random_opening < 1:
            raise ValueError("random_opening must be from 0 to below 1, not %s" % random_opening)
        self.board = Game(game, size)
        self.num_envs = num_envs
        self.random_opening = random_opening
        self.single_observation_space = observation_space(self.board)
        self.single_action_space = gymnasium.spaces.Discrete(self.board.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        #: The games, as ``hexzero.State``.
        self.states: list[State] = []

    def reset(self, *, seed=None, options=None):
        """Begins all games anew. ``options={"states": [...]}`` begins with these positions, one for each game."""
        super().reset(seed=seed)
        given = (options or {}).get("states")
        if given is not None:
            if len(given) != self.num_envs or any(state.game != self.board or state.is_terminal for state in given):
                raise ValueError("states must be %d positions of %r in which a move can be played" % (self.num_envs, self.board))
        self.states = [self._start() for _ in range(self.num_envs)] if given is None else [state.copy() for state in given]
        self._movers = self._to_play()
        return self._observation(), {"to_play": self._movers.copy()}

    def step(self, actions):
        """Plays an action in each game, an integer array ``[games]`` in the mover's frame.

        Raises ``hexzero.IllegalMove`` if one of them is not legal; no game has then moved on."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError("actions must be %d integers, not %s of shape %s" % (self.num_envs, actions.dtype, actions.shape))
        if not self.states:
            raise gymnasium.error.ResetNeeded("call reset before step")
        over = play_each(self.states, actions.astype(np.int64, copy=False))
        rewards, infos = np.zeros(self.num_envs), {}
        if over.any():
            final = np.full(self.num_envs, None, object)
            for game in np.flatnonzero(over):
                state = self.states[game]
                rewards[game] = state.returns()[self._movers[game]]
                final[game] = observation(state)
                self.states[game] = self._start()
            infos["final_obs"], infos["_final_obs"] = final, over.copy()
        self._movers = self._to_play()
        infos["to_play"] = self._movers.copy()
        return self._observation(), rewards, over, np.zeros(self.num_envs, bool), infos

    def move_names(self, actions):
        """Returns the names of an action in each game, as people write them."""
        return [state.action_name(int(np.flatnonzero(state.frame == action)[0])) for state, action in zip(self.states, actions)]

    def _start(self):
        state = self.board.start()
        while self.random_opening and self.np_random.random() < self.random_opening:
            after = state.apply(int(self.np_random.choice(state.legal_actions())))
            if after.is_terminal:
                break
            state = after
        return state

    def _observation(self):
        planes, numbers = encode(self.states)
        return {"observation": planes, "globals": numbers, "action_mask": legal_masks(self.states)}

    def _to_play(self):
        return np.fromiter((state.to_play for state in self.states), np.int64, self.num_envs)
