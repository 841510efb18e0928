"""Games and states with the methods of OpenSpiel's Python interface, for algorithms written against it. Needs NumPy only:
``pyspiel`` is neither used nor needed.

    from hexzero.openspiel import load_game

    game = load_game("hex", {"size": 5})              # or load_game("hex(size=5)")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(numpy.random.choice(state.legal_actions()))
    print(state.returns())

Actions have the numbers of the board; observations are in the mover's frame, as a network of hexzero sees the position.
"""

import re

import numpy as np

from ._hexzero import Game, State, games

#: OpenSpiel's number in place of a player once the game is over.
TERMINAL_PLAYER = -4


def load_game(name, parameters=None):
    """Returns a game by name: ``"hex"``, ``"hex(size=5)"``, or with a dictionary of parameters. ``size`` is the only one.

    :raises ValueError: if there is no such game, parameter or size.
    """
    found = re.fullmatch(r"([^()]+)(?:\((.*)\))?", name)
    if not found:
        raise ValueError("'%s' names no game; write a name such as 'hex' or 'hex(size=5)'" % name)
    given = dict(parameters or {})
    for part in filter(None, (found.group(2) or "").split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError("'%s' is no parameter; write size=NUMBER" % part)
        given[key.strip()] = value.strip()
    size = given.pop("size", None)
    if given:
        raise ValueError("there is no parameter '%s'; 'size' is the only one" % sorted(given)[0])
    try:
        size = None if size is None else int(size)
    except ValueError:
        raise ValueError("size must be a whole number, not '%s'" % size) from None
    return HexzeroGame(Game(found.group(1).strip(), size))


def registered_names():
    """Lists the names of all games."""
    return games()


class HexzeroGame:
    """A game with the methods of ``pyspiel.Game``."""

    def __init__(self, board):
        self.board = board

    def new_initial_state(self, serialized=None):
        """Returns the start of a game, or a state as ``HexzeroState.serialize`` wrote it."""
        position = self.board.start() if serialized is None else State.from_json(serialized)
        if position.game != self.board:
            raise ValueError("the state is one of %s, and this game is %s" % (position.game, self.board))
        return HexzeroState(self, position)

    deserialize_state = new_initial_state

    def num_players(self):
        return 2

    def num_distinct_actions(self):
        return self.board.num_actions

    def max_game_length(self):
        return self.board.max_plies

    def max_chance_outcomes(self):
        return 0

    def min_utility(self):
        return -1.0

    def max_utility(self):
        return 1.0

    def utility_sum(self):
        return 0.0

    def observation_tensor_shape(self):
        """Returns one long vector: the planes, then the globals."""
        return [self.observation_tensor_size()]

    def observation_tensor_size(self):
        return self.board.num_planes * self.board.num_cells + self.board.num_globals

    def get_parameters(self):
        return {"size": self.board.size}

    def short_name(self):
        return self.board.name

    def __str__(self):
        return "%s(size=%d)" % (self.board.name, self.board.size)

    def __eq__(self, other):
        return isinstance(other, HexzeroGame) and self.board == other.board

    def __hash__(self):
        return hash(self.board)


class HexzeroState:
    """A position with the methods of ``pyspiel.State``. ``position`` is the ``hexzero.State`` behind it."""

    def __init__(self, game, position):
        self._game, self.position = game, position

    def get_game(self):
        return self._game

    def current_player(self):
        """Returns 0 or 1, or -4 once the game is over."""
        return TERMINAL_PLAYER if self.position.is_terminal else self.position.to_play

    def is_terminal(self):
        return self.position.is_terminal

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def is_player_node(self):
        return not self.position.is_terminal

    def legal_actions(self, player=None):
        """Returns the numbers of the legal actions, in ascending order; none for the player who is not to move."""
        if player is not None and player != self.current_player():
            return []
        return self.position.legal_actions().tolist()

    def legal_actions_mask(self, player=None):
        if player is not None and player != self.current_player():
            return [0] * self._game.num_distinct_actions()
        return self.position.legal_mask().astype(int).tolist()

    def apply_action(self, action):
        self.position.play(int(action))

    def child(self, action):
        return HexzeroState(self._game, self.position.apply(int(action)))

    def undo_action(self, player, action):
        """Takes back the last action."""
        if not self.position.actions or self.position.actions[-1] != action:
            raise ValueError("action %s was not the last one" % action)
        self.position.undo()

    def clone(self):
        return HexzeroState(self._game, self.position.copy())

    def returns(self):
        """Returns the results of both players: 1, 0 or -1; zeros while the game goes on."""
        return self.position.returns().tolist()

    rewards = returns

    def player_return(self, player):
        return self.returns()[player]

    player_reward = player_return

    def action_to_string(self, player_or_action, action=None):
        return self.position.action_name(int(player_or_action if action is None else action))

    def string_to_action(self, player_or_text, text=None):
        return self.position.action(player_or_text if text is None else text)

    def history(self):
        return self.position.actions

    def history_str(self):
        return ", ".join(map(str, self.history()))

    def move_number(self):
        return self.position.plies

    def observation_tensor(self, player=None):
        """Returns the planes, then the globals, from the point of view of the player to move. Ignores ``player``."""
        planes, numbers = self.position.encode()
        return np.concatenate([planes.ravel(), numbers])

    def observation_string(self, player=None):
        return str(self.position)

    def serialize(self):
        """Returns the game so far as a line of JSON."""
        return self.position.to_json()

    def num_players(self):
        return 2

    def num_distinct_actions(self):
        return self._game.num_distinct_actions()

    def __str__(self):
        return str(self.position)
