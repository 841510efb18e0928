"""One game as a Gymnasium ``Env``, in which one agent plays both sides. Needs the package ``gymnasium``, which knows the games by name
once this module is imported:

    import gymnasium
    import hexzero.environment

    environment = gymnasium.make("hexzero/hex-v0", size=5)
    observation, info = environment.reset(seed=0)
    observation, reward, terminated, truncated, info = environment.step(environment.action_space.sample(observation["action_mask"]))

``gymnasium.make_vec("hexzero/hex-v0", num_envs=64, size=5)`` makes many at once: see ``hexzero.vector``.
"""

import gymnasium
import numpy as np

from ._hexzero import Game, games


def observation_space(board):
    """Returns the space of the observations of a ``Game``."""
    box = gymnasium.spaces.Box
    return gymnasium.spaces.Dict({
        "observation": box(-np.inf, np.inf, (board.num_planes, board.num_cells), np.float32),
        "globals": box(-np.inf, np.inf, (board.num_globals,), np.float32),
        "action_mask": box(0, 1, (board.num_actions,), np.int8),
    })


def observation(state, to_move=True):
    """Returns the observation of a ``State``. For an agent who is not to move the mask has no legal action."""
    planes, numbers = state.encode()
    mask = np.zeros(state.game.num_actions, np.int8)
    if to_move:
        mask[state.frame[state.legal_actions()]] = 1
    return {"observation": planes, "globals": numbers, "action_mask": mask}


class Env(gymnasium.Env):
    """A game on a board of one size, in the mover's frame.

    An observation is a dictionary of arrays: ``observation`` float32 ``[planes, cells]``, ``globals`` float32 ``[globals]`` and
    ``action_mask`` int8 ``[actions]``, 1 for each legal action. ``info["to_play"]`` is 0 where the player who moves first is to
    move, else 1. The reward of a step is that of the player who made the move: 1 for a win, -1 for a loss, else 0.

    :param game: the name of a game; ``hexzero.games()`` lists them.
    :param size: the board's size, by default the one that the game offers first.
    :param render_mode: None, or ``"ansi"``: ``render()`` returns the board as text.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game="cachex", size=None, render_mode=None):
        self.board, self.render_mode = Game(game, size), render_mode
        self.observation_space = observation_space(self.board)
        self.action_space = gymnasium.spaces.Discrete(self.board.num_actions)
        #: The game, as ``hexzero.State``.
        self.state = None

    def reset(self, *, seed=None, options=None):
        """Begins a game; ``options={"state": state}`` begins with that position."""
        super().reset(seed=seed)
        given = (options or {}).get("state")
        if given is not None and (given.game != self.board or given.is_terminal):
            raise ValueError("state must be a position of %r in which a move can be played" % self.board)
        self.state = self.board.start() if given is None else given.copy()
        return observation(self.state), {"to_play": self.state.to_play}

    def step(self, action):
        """Plays an action, an integer in the mover's frame. Raises ``hexzero.IllegalMove`` if it is not legal."""
        if self.state is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        mover = self.state.to_play
        number = np.flatnonzero(self.state.frame == action)
        self.state.play(int(number[0]) if len(number) else int(action))
        over = self.state.is_terminal
        reward = float(self.state.returns()[mover]) if over else 0.0
        return observation(self.state), reward, over, False, {"to_play": self.state.to_play}

    def render(self):
        return str(self.state) if self.render_mode == "ansi" else None


for _name in games():
    gymnasium.register(
        id="hexzero/%s-v0" % _name,
        entry_point="hexzero.environment:Env",
        vector_entry_point="hexzero.vector:VectorEnv",
        kwargs={"game": _name},
    )
