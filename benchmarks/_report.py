"""The tables that a benchmark prints, and the same as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

NOT_INSTALLED = "not installed"


@dataclass(frozen=True)
class Row:
    """One contender. `speed` is the reference's time divided by its own; the reference has 1."""

    who: str
    seconds: float | None = None
    speed: float | None = None
    quality: str = ""

    def cells(self) -> list[str]:
        if self.seconds is None:
            return [self.who, "-", "", self.quality or NOT_INSTALLED]
        speed = "" if self.speed is None else f"{self.speed:.2f}x"
        return [self.who, f"{self.seconds:.4f}", speed, self.quality]


@dataclass(frozen=True)
class Target:
    """What must hold, the number found, and whether it is reached; None: not judged at this size."""

    text: str
    value: str
    reached: bool | None

    def __str__(self) -> str:
        verdict = {True: "reached", False: "NOT REACHED", None: "not judged at this size"}[self.reached]
        return f"target: {self.text}; found {self.value}: {verdict}"


@dataclass(frozen=True)
class Table:
    """One comparison: what was done, who did it how fast and how well, and what was asked for."""

    title: str
    rows: list[Row]
    targets: list[Target] = field(default_factory=list)

    def __str__(self) -> str:
        cells = [["who", "seconds", "speed", "quality"], *(row.cells() for row in self.rows)]
        widths = [max(len(line[j]) for line in cells) for j in range(4)]
        lines = [self.title]
        for who, seconds, speed, quality in cells:
            line = f"  {who:<{widths[0]}}  {seconds:>{widths[1]}}  {speed:>{widths[2]}}  {quality}"
            lines.append(line.rstrip())
        return "\n".join(lines + [f"  {target}" for target in self.targets])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def judged(quick: bool, holds: bool) -> bool | None:
    """Return the verdict on a target that is stated for the full size only."""
    return None if quick else holds
