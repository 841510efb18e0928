"""Training by self-play: what ``hexzero train`` does, with the figures of each iteration as dictionaries."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
import zlib
from typing import Any, Callable

from ._hexzero import Game, _train_run


def train(
    run: str | os.PathLike[str],
    *,
    game: str | Game | None = None,
    size: int | None = None,
    recipe: str | os.PathLike[str] | None = None,
    changes: dict[str, Any] | None = None,
    seed: int | None = None,
    minutes: float | None = None,
    games: int | None = None,
    steps: int | None = None,
    threads: int = 0,
    progress: bool | Callable[[dict[str, Any]], Any] = True,
) -> list[dict[str, Any]]:
    """Trains a network by games against itself, and goes on with the run if the folder has one.

    The folder keeps recipe, games, checkpoints and figures; the program reads it too (``hexzero report RUN``). Ctrl-C
    stops it; what is finished is kept.

    Args:
        run: the folder of the run.
        game: a game or its name, by default that of the recipe, else cachex. This and the next four are for new runs only.
        size: the board's size, by default the recipe's.
        recipe: the name of a built-in recipe, or the path of a TOML file.
        changes: keys of the recipe to replace, such as ``{"selfplay": {"full_visits": 64}}``.
        seed: of everything random.
        minutes: stop this many minutes from now; by default training stops when the run has taken the recipe's minutes.
        games: stop when the run has this many games.
        steps: stop when the run has this many training steps.
        threads: games at a time, 0 for one on each core.
        progress: whether to show a progress bar (tqdm's, if it is installed), or a function that gets the figures of each
            iteration.

    Returns:
        list of dict: the figures of the new iterations, as :func:`history` returns them; ``pandas.DataFrame`` takes them.

    Raises:
        ValueError: if a value is not accepted, or is given for a run that has its recipe.
        RuntimeError: if the run cannot go on.
    """
    limits = {name: value for name, value in (("minutes", minutes), ("games", games), ("steps", steps)) if value is not None}
    if len(limits) > 1:
        raise ValueError("give one of minutes, games and steps, not %s" % " and ".join(limits))
    limit, amount = next(iter(limits.items()), ("", 0))
    if limits and not amount > 0:
        raise ValueError("%s = %r; accepted: above 0" % (limit, amount))
    run = os.fspath(run)
    own = {"game": game, "size": size, "recipe": recipe, "changes": changes, "seed": seed}
    given = [name for name, value in own.items() if value is not None]
    if given and os.path.exists(os.path.join(run, "recipe.toml")):
        raise ValueError("the run in %s has its recipe; leave out %s" % (run, ", ".join(given)))

    figures = []
    bar = _Bar(limit, amount) if progress is True else None

    def on_iteration(text):
        figures.append(_flat(json.loads(text)))
        if bar:
            bar.show(figures[-1])
        elif progress:
            progress(figures[-1])

    recipe = None if recipe is None else os.fspath(recipe)
    try:
        _train_run(run, game, size, recipe, json.dumps(changes or {}), seed, limit, float(amount), threads, on_iteration)
    finally:
        if bar:
            bar.close()
    return figures


def history(run: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Reads the figures of all iterations of a run.

    Returns:
        list of dict: for each iteration numbers and texts by name; nested ones have their parent's name before their own
        (``"losses/policy"``), and lists are left out. A damaged line is skipped with a warning.

    Raises:
        OSError: if the folder has none.
    """
    path = os.path.join(os.fspath(run), "metrics.jsonl")
    rows: list[dict[str, Any]] = []
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                rows.append(_flat(_checked(line.rstrip())))
            except ValueError as problem:
                warnings.warn("%s, line %d: %s; skipped" % (path, number, problem), stacklevel=2)
    return rows


def _checked(line):
    """Parses a line of JSON. Lines end with the CRC-32 of the object without it, except those of early versions."""
    figures = json.loads(line)
    if not isinstance(figures, dict):
        raise ValueError("not a JSON object")
    figures.pop("crc", None)
    end = re.search(r',"crc":"(.{8})"}$', line)
    if end and "%08x" % zlib.crc32((line[: end.start()] + "}").encode()) != end[1]:
        raise ValueError("its checksum is wrong")
    return figures


def _flat(figures, prefix=""):
    flat = {}
    for name, value in figures.items():
        if isinstance(value, dict):
            flat.update(_flat(value, prefix + name + "/"))
        elif not isinstance(value, list):
            flat[prefix + name] = value
    return flat


class _Bar:
    """How far training is: tqdm's bar, or a line for each iteration."""

    def __init__(self, limit, amount):
        self.key = {"games": "games", "steps": "step"}.get(limit)
        self.amount, self.began, self.bar = amount, time.monotonic(), None
        unit = limit.rstrip("s") if limit else "iteration"
        total = amount or None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        self.minutes = limit == "minutes"
        form = "{l_bar}{bar}| {n:.1f}/{total} minutes{postfix}" if self.minutes else None
        self.bar = tqdm(total=total, unit=unit, bar_format=form)

    def show(self, figures):
        said = "%d games, step %d, loss %.3f" % (figures["games"], figures["step"], figures["losses/total"])
        if self.bar is None:
            print(said, file=sys.stderr, flush=True)
            return
        if self.key:
            self.bar.n = min(figures[self.key], self.amount)
        elif self.minutes:
            self.bar.n = min((time.monotonic() - self.began) / 60, self.amount)
        else:
            self.bar.n += 1
        self.bar.set_postfix_str(said)

    def close(self):
        if self.bar is not None:
            self.bar.close()
