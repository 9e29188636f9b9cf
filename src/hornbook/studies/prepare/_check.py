"""One check of a table before fitting."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

__all__ = ["Check", "Level"]

Level = Literal["error", "left out", "warning", "note"]


@dataclass(frozen=True)
class Check:
    """A result of the checks before fitting: why it matters, and what to do.

    Parameters
    ----------
    code : str
        What was noticed, as one word: "target_leak", "id_like", "tiny_class", ...
    level : {"error", "left out", "warning", "note"}
        Whether the study stops, leaves the columns out, continues with a warning, or just reports it.
    columns : tuple of str
        The columns in question; empty when it is about rows.
    reason : str
        What was found, as a sentence.
    remedy : str
        What to do, as a sentence.
    """

    code: str
    level: Level
    columns: tuple[str, ...]
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.level}: {self.reason} {self.remedy}".strip()

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {**asdict(self), "columns": list(self.columns)}
