"""Costs of mistakes as text, from what a user passes: text, a mapping, or a file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbook.params import ParameterError

__all__ = ["cost_entries"]

LONGEST = 4_096  # characters of the name of a file


def cost_entries(costs: Any) -> tuple[str, ...]:
    """Return costs as ``class=cost``, or ``truth>prediction=cost`` for one kind of mistake.

    Parameters
    ----------
    costs : str, mapping, or sequence of str
        Entries with commas between them; the name of a file, a table with the true classes in the first
        column and the predicted ones in its header; or costs by class, or by pairs of truth and prediction.

    Examples
    --------
    >>> cost_entries("ill=10, well>ill=1")
    ('ill=10', 'well>ill=1')
    >>> cost_entries({("ill", "well"): 10.0})
    ('ill>well=10.0',)
    """
    if isinstance(costs, Mapping):
        pairs = [
            (">".join(map(str, key)) if isinstance(key, tuple) else str(key), cost)
            for key, cost in costs.items()
        ]
        return tuple(_entry(name, cost) for name, cost in pairs)
    words = [costs] if isinstance(costs, str) else costs
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise ParameterError(
            "study: parameter 'costs' must be text such as 'ill=10,well=1', a mapping or a file; got "
            f"{costs!r}."
        )
    return tuple(entry for word in words for entry in _entries(word))


def _entries(word: str) -> Iterator[str]:
    if len(word) < LONGEST and Path(word).is_file():
        yield from _of_file(Path(word))
        return
    # A name may contain commas, as long as nothing says that there is another entry.
    for part in word.split(",") if word.count("=") > 1 else [word]:
        name, sign, cost = part.rpartition("=")
        if not sign or not name.strip():
            raise ParameterError(
                "study: parameter 'costs' must be entries like ill=10 or ill>well=10, or a file; got "
                f"{part!r}, which is neither."
            )
        yield _entry(name.strip(), cost.strip())


def _of_file(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head, *lines = [line for line in csv.reader(file) if line]
    except (OSError, UnicodeDecodeError, csv.Error, ValueError) as error:
        raise ParameterError(f"study: parameter 'costs': {path} is not a table of costs: {error}.") from error
    for line in lines:
        truth, *cells = (cell.strip() for cell in line)
        if len(cells) != len(head) - 1:
            raise ParameterError(
                f"study: parameter 'costs': the line of {truth!r} in {path} has {len(cells)} costs, and the "
                f"header {len(head) - 1} classes."
            )
        for prediction, cell in zip(head[1:], cells, strict=True):
            if cell:
                yield _entry(f"{truth}>{prediction.strip()}", cell)


def _entry(name: str, cost: Any) -> str:
    try:
        number = float(cost)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise ParameterError(
            f"study: parameter 'costs': the cost of {name!r} must be a number that is not negative; got "
            f"{cost!r}."
        )
    return f"{name}={cost}"
