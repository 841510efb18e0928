"""A PettingZoo environment (``AECEnv``) for every game of hexzero. Needs the package ``pettingzoo``.

    from hexzero.pettingzoo import env

    environment = env("hex", size=5)
    environment.reset()
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, info = environment.last()
        done = terminated or truncated
        action = None if done else environment.action_space(agent).sample(observation["action_mask"])
        environment.step(action)

Everything is in the mover's frame, the board as the player to move sees it: own stones come first and own sides are always the
same ones, and an action has the number at which a network of hexzero has its logit. So one network learns from both agents.
``environment.position`` is the ``hexzero.State`` behind it, and ``environment.move_name(action)`` names an action of the mover.
"""

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ._hexzero import Game
from .environment import observation, observation_space

#: The agents: the first player, the second player.
AGENTS = ("player_0", "player_1")


class HexzeroEnv(AECEnv):
    """A game between ``player_0``, who moves first, and ``player_1``. A player may move twice in a row, where the rules say so.

    An observation is a dictionary: ``observation``, the planes ``[planes, cells]``; ``globals``, ``[globals]``; and
    ``action_mask``, ``[actions]``, 1 for each legal action, all 0 for the agent who is not to move. At the end of a game the
    winner's reward is 1, the loser's -1; both get 0 for a draw.

    :param game: the name of a game; ``hexzero.games()`` lists them.
    :param size: the board's size, by default the one that the game offers first.
    :param render_mode: ``"ansi"`` (``render`` returns a text), ``"human"`` (it prints it after each move), or None.
    """

    metadata = {"name": "hexzero_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}

    def __init__(self, game="cachex", size=None, render_mode=None):
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError("render_mode is None, 'human' or 'ansi', not %r" % (render_mode,))
        self.board = Game(game, size)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = []
        self._observation_space = observation_space(self.board)
        self._action_spaces = {agent: gymnasium.spaces.Discrete(self.board.num_actions) for agent in AGENTS}
        self.position = self.board.start()

    def observation_space(self, agent):
        return self._observation_space

    def action_space(self, agent):
        return self._action_spaces[agent]

    def reset(self, seed=None, options=None):
        """Begins a new game. ``options={"state": state}`` begins with a position of the same board."""
        start = (options or {}).get("state")
        if start is not None and start.game != self.board:
            raise ValueError("the state is one of %r, the environment's board is %r" % (start.game, self.board))
        self.position = self.board.start() if start is None else start.copy()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, self.position.is_terminal)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_play]

    def observe(self, agent):
        return observation(self.position, agent == self.agent_selection)

    def _on_board(self, action):
        """Returns the number on the board of an action in the mover's frame."""
        if not 0 <= action < self.board.num_actions:
            raise ValueError("there is no action %s; the board has %d" % (action, self.board.num_actions))
        return int(np.flatnonzero(self.position.frame == action)[0])

    def move_name(self, action):
        """Returns the name of an action of the player to move, as people write it."""
        return self.position.action_name(self._on_board(action))

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position.play(self._on_board(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.position.is_terminal:
            self.rewards = dict(zip(AGENTS, map(float, self.position.returns())))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self.agent_selection = AGENTS[self.position.to_play]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self):
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode")
            return None
        text = str(self.position)
        if self.render_mode == "human":
            print(text)
            return None
        return text


def env(game="cachex", size=None, render_mode=None):
    """Returns an environment that raises an error on an illegal move and on use before ``reset``."""
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(HexzeroEnv(game, size, render_mode))
