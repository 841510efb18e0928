"""Types of the compiled part. What each does is in the docstrings: ``help(hexzero.State)``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypedDict, Union, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "CheckpointError",
    "Game",
    "Games",
    "IllegalMove",
    "MatchResult",
    "Network",
    "Samples",
    "Search",
    "SearchResult",
    "Shards",
    "State",
    "__version__",
    "encode",
    "games",
    "legal_masks",
    "play_each",
    "play_match",
    "self_play",
    "shards",
]

__version__: str

_Floats = npt.NDArray[np.float32]
_Integers = npt.NDArray[np.int64]
_Booleans = npt.NDArray[np.bool_]
_Path = Union[str, os.PathLike[str]]
_Precision = Literal["f32", "int8"]
_Move = Union[int, str, np.integer[Any]]

#: Gets planes ``[batch, planes, cells]`` and globals ``[batch, globals]``; returns logits ``[batch, actions]`` in the mover's
#: frame and values ``[batch]`` or chances ``[batch, 3]``.
_Evaluator = Callable[[_Floats, _Floats], tuple[Any, Any]]
#: The name of a player or a path, a network, a search, or a function from a state to an action (None resigns).
_Player = Union[str, "Network", "Search", Callable[["State"], Union[_Move, None]]]

class IllegalMove(ValueError): ...
class CheckpointError(ValueError): ...

class _Symmetries(TypedDict):
    cells: _Integers
    planes: _Integers
    globals: _Integers
    actions: _Integers

class _Arrays(TypedDict):
    planes: _Floats
    globals: _Floats
    legal: _Booleans
    policy: _Floats
    value: _Floats
    search_value: _Floats
    game: _Integers
    ply: _Integers

def games() -> list[str]: ...
def encode(states: Sequence[State]) -> tuple[_Floats, _Floats]: ...
def legal_masks(states: Sequence[State]) -> npt.NDArray[np.int8]: ...
def play_each(states: Sequence[State], actions: _Integers) -> _Booleans: ...
def _train_run(
    run: str,
    game: str | Game | None,
    size: int | None,
    recipe: str | None,
    changes: str,
    seed: int | None,
    limit: str,
    amount: float,
    threads: int,
    on_iteration: Callable[[str], Any],
) -> None: ...
def shards(run: Union[_Path, Sequence[_Path]], *, size: int | None = None) -> Shards: ...
def self_play(
    network: Network,
    *,
    game: str | Game | None = None,
    size: int | None = None,
    games: int = 100,
    visits: int = 64,
    cheap_visits: int = 16,
    full_share: float = 1.0,
    random_opening: float = 0.4,
    seed: int = 0,
    first: int = 0,
    threads: int = 0,
) -> Games: ...
def play_match(
    a: _Player,
    b: _Player,
    *,
    game: str | Game | None = None,
    size: int | None = None,
    games: int = 100,
    visits: int | None = None,
    time: float | None = None,
    seed: int = 0,
    threads: int = 0,
) -> MatchResult: ...

@final
class Game:
    def __new__(cls, name: str = "cachex", size: int | None = None) -> Game: ...
    name: Final[str]
    title: Final[str]
    network: Final[str]
    size: Final[int]
    sizes: Final[tuple[int, int]]
    players: Final[tuple[str, str]]
    num_cells: Final[int]
    num_actions: Final[int]
    num_planes: Final[int]
    num_globals: Final[int]
    max_plies: Final[int]
    plane_names: Final[list[str]]
    global_names: Final[list[str]]
    policy_planes: Final[int]
    global_actions: Final[list[str]]
    grid: Final[tuple[int, int] | None]
    def neighbours(self) -> _Integers: ...
    def symmetries(self) -> _Symmetries: ...
    def start(self) -> State: ...
    def __hash__(self) -> int: ...

@final
class State:
    def __new__(cls, game: str = "cachex", size: int | None = None, moves: str = "") -> State: ...
    @staticmethod
    def from_json(text: str) -> State: ...
    @staticmethod
    def from_sgf(text: str) -> State: ...
    def to_json(self) -> str: ...
    def to_sgf(self) -> str: ...
    @property
    def game(self) -> Game: ...
    @property
    def to_play(self) -> int: ...
    @property
    def plies(self) -> int: ...
    @property
    def actions(self) -> list[int]: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def winner(self) -> int | None: ...
    @property
    def ending(self) -> str | None: ...
    @property
    def frame(self) -> _Integers: ...
    def returns(self) -> _Floats: ...
    def legal_actions(self) -> _Integers: ...
    def legal_mask(self) -> _Booleans: ...
    def legal_moves(self) -> list[str]: ...
    def play(self, *moves: _Move) -> None: ...
    def apply(self, *moves: _Move) -> State: ...
    def undo(self, plies: int = 1) -> None: ...
    def copy(self) -> State: ...
    def action(self, text: str) -> int: ...
    def action_name(self, action: int) -> str: ...
    def encode(self) -> tuple[_Floats, _Floats]: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: Any) -> State: ...

@final
class Network:
    @staticmethod
    def load(
        model: _Path = "shipped", game: str | Game | None = None, precision: _Precision | None = None
    ) -> Network: ...
    @staticmethod
    def from_dict(
        tensors: Mapping[str, npt.ArrayLike],
        game: str | Game,
        *,
        precision: _Precision | None = None,
        step: int = 0,
        name: str = "from_dict",
    ) -> Network: ...
    @staticmethod
    def random(
        game: str | Game,
        *,
        blocks: int = 4,
        channels: int = 32,
        pool_every: int = 2,
        policy_channels: int = 16,
        value_channels: int = 32,
        seed: int = 0,
        precision: _Precision | None = None,
    ) -> Network: ...
    @staticmethod
    def from_bytes(data: bytes, name: str = "bytes", precision: _Precision | None = None) -> Network: ...
    def to_bytes(self) -> bytes: ...
    def to_dict(self) -> dict[str, _Floats]: ...
    def save(self, path: _Path) -> None: ...
    def export_onnx(self, path: _Path) -> None: ...
    def export_numpy(self, folder: _Path) -> None: ...
    game: Final[str]
    name: Final[str]
    precision: Final[str]
    metadata: Final[dict[str, Any]]
    architecture: Final[dict[str, Any]]
    def evaluate(self, states: Sequence[State], *, threads: int = 0) -> tuple[_Floats, _Floats]: ...

@final
class Search:
    def __new__(
        cls,
        evaluator: Network | _Evaluator,
        visits: int | None = None,
        *,
        time: float | None = None,
        threads: int = 1,
        batch: int = 8,
        noise: float = 0.0,
        concentration: float = 8.0,
        seed: int = 0,
        **constants: float | str,
    ) -> Search: ...
    visits: Final[int | None]
    time: Final[float | None]
    def run(self, state: State) -> SearchResult: ...
    def run_many(self, states: Sequence[State], *, threads: int = 0) -> list[SearchResult]: ...

@final
class SearchResult:
    policy: Final[_Floats]
    visits: Final[_Integers]
    priors: Final[_Floats]
    values: Final[_Floats]
    value: Final[float]
    outcome: Final[tuple[float, float, float]]
    best_action: Final[int]
    best_move: Final[str]
    principal_variation: Final[list[int]]
    principal_variation_moves: Final[list[str]]
    proven: Final[bool]
    total_visits: Final[int]

@final
class MatchResult:
    a: Final[str]
    b: Final[str]
    game: Final[str]
    size: Final[int]
    games: Final[int]
    wins: Final[int]
    losses: Final[int]
    draws: Final[int]
    score: Final[float]
    elo: Final[float]
    elo_low: Final[float]
    elo_high: Final[float]
    records: Final[list[str]]

@final
class Games:
    @staticmethod
    def read(path: _Path) -> Games: ...
    def save(self, path: _Path) -> None: ...
    game: Final[str]
    sizes: Final[list[int]]
    def samples(self, size: int | None = None) -> Samples: ...
    def to_json(self) -> list[str]: ...
    def __len__(self) -> int: ...

@final
class Samples:
    board: Final[Game]
    planes: Final[_Floats]
    globals: Final[_Floats]
    legal: Final[_Booleans]
    policy: Final[_Floats]
    value: Final[_Floats]
    search_value: Final[_Floats]
    game: Final[_Integers]
    ply: Final[_Integers]
    def as_dict(self) -> _Arrays: ...
    def __len__(self) -> int: ...

@final
class Shards:
    def __iter__(self) -> Iterator[Samples]: ...
    def __next__(self) -> Samples: ...
