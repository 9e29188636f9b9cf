"""What a model says of itself: tables and sentences as text, HTML and plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

import numpy as np

__all__ = ["Description", "Table", "Term", "Working"]

Cell = str | bool | int | float | None


def _plain(value: Any) -> Any:
    """Python's own type for a NumPy scalar, so that JSON takes it."""
    return value.item() if isinstance(value, np.generic) else value


def _text(value: Any) -> str:
    value = _plain(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


@dataclass(frozen=True)
class Table:
    """A small table.

    Parameters
    ----------
    title : str
        What it shows.
    head : sequence of str
        The heads of its columns.
    rows : sequence of sequence
        The cells, row by row.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        cells = [[_text(name) for name in self.head], *([_text(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[j]) for row in cells) for j in range(len(self.head))]
        lines = []
        for row in cells:
            first = row[0].ljust(widths[0])
            rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
            lines.append("  ".join(["", first, *rest]).rstrip())
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(_text(name))}</th>" for name in self.head)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>" for row in self.rows
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain data."""
        rows = [[_plain(cell) for cell in row] for row in self.rows]
        return {"title": self.title, "head": list(self.head), "rows": rows}


@dataclass(frozen=True)
class Description:
    """A fitted model in words and numbers that a person can check by hand.

    Parameters
    ----------
    title : str
        What the model is, in one line.
    facts : mapping, default {}
        Named numbers and words.
    tables : sequence of Table, default ()
        The parameters of the model.
    """

    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    tables: Sequence[Table] = ()

    def __str__(self) -> str:
        facts = [f"{name}: {_text(value)}" for name, value in self.facts.items()]
        return "\n".join([self.title, *facts, *(f"\n{table}" for table in self.tables)])

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<dt>{escape(name)}</dt><dd>{escape(_text(value))}</dd>" for name, value in self.facts.items()
        )
        tables = "".join(table._repr_html_() for table in self.tables)
        return f"<section><h4>{escape(self.title)}</h4><dl>{facts}</dl>{tables}</section>"

    def to_dict(self) -> dict[str, Any]:
        """Return the description as plain data."""
        return {
            "title": self.title,
            "facts": {name: _plain(value) for name, value in self.facts.items()},
            "tables": [table.to_dict() for table in self.tables],
        }


@dataclass(frozen=True)
class Term:
    """One step towards an answer: its name and what it gives to each candidate.

    Under the rule ``"product"`` the values are natural logarithms of the factors, so that nothing
    underflows; they are printed as factors.

    Parameters
    ----------
    name : str
        What the step is.
    values : sequence of float
        What it gives, one number for each candidate.
    """

    name: str
    values: Sequence[float]


@dataclass(frozen=True)
class Working:
    """How one answer came about: the terms, how they combine, and what follows.

    Parameters
    ----------
    title : str
        What is shown, in one line.
    rule : {"sum", "product"}
        How the terms of a candidate combine to its score.
    candidates : sequence
        The classes, or a single ``"value"`` when the answer is the number itself.
    terms : sequence of Term
        One value for each candidate.
    prediction : object
        The answer: the candidate with the largest score (with ``costs``, the smallest expected cost).
    costs : sequence of sequences, optional
        ``costs[i][j]`` is the cost of deciding i when the truth is j.
    """

    title: str
    rule: Literal["sum", "product"]
    candidates: Sequence[Any]
    terms: Sequence[Term]
    prediction: Any
    costs: Sequence[Sequence[float]] | None = None

    @property
    def scores(self) -> list[float]:
        """Sum of the terms of each candidate (of their logarithms under ``"product"``)."""
        return [float(total) for total in np.sum([term.values for term in self.terms], axis=0)]

    @property
    def shares(self) -> list[float]:
        """Scores scaled to sum 1; under ``"product"`` these are the class probabilities."""
        scores = np.array(self.scores)
        if self.rule == "product":
            scores = np.exp(scores - scores.max()) if scores.max() > -np.inf else np.ones_like(scores)
        return [float(share) for share in scores / scores.sum()]

    def _shown(self, values: Sequence[float]) -> list[float]:
        return [float(v) for v in (np.exp(values) if self.rule == "product" else values)]

    def _description(self) -> Description:
        heads = ["term", *(str(candidate) for candidate in self.candidates)]
        rows: list[list[Cell]] = [[term.name, *self._shown(term.values)] for term in self.terms]
        rows.append([self.rule, *self._shown(self.scores)])
        if len(self.candidates) > 1:
            rows.append(["share", *self.shares])
        if self.costs is not None:
            rows.append(["expected cost", *(float(c) for c in np.asarray(self.costs) @ self.shares)])
        return Description(self.title, {"prediction": self.prediction}, [Table("Working", heads, rows)])

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the working as plain data; the prediction can be computed from it."""
        return {
            "title": self.title,
            "rule": self.rule,
            "candidates": [_plain(candidate) for candidate in self.candidates],
            "terms": [{"name": t.name, "values": [float(v) for v in t.values]} for t in self.terms],
            "scores": self.scores,
            "costs": None if self.costs is None else [[float(c) for c in row] for row in self.costs],
            "prediction": _plain(self.prediction),
        }
