"""How one answer came about: terms, how they combine, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from hornbook.display import Cell, Description, Table, plain
from hornbook.evaluation import Contributions
from hornbook.frame import Label
from hornbook.plots import waterfall

__all__ = ["Term", "Working"]


@dataclass(frozen=True)
class Term:
    """One step toward an answer: its name and what it gives to each candidate.

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
        The classes, a single ``"value"`` when the answer is the number itself, or the names of the numbers
        that a transformer gives.
    terms : sequence of Term
        One value for each candidate.
    prediction : object
        The answer: the candidate with the largest score (with ``costs``, the smallest expected cost); of a
        transformer, the list of the scores.
    costs : sequence of sequences, optional
        ``costs[i][j]`` is the cost of deciding i when the truth is j.
    softmax : bool, default False
        Whether scores are logarithms of shares up to a constant, as log odds are and as they are under
        ``"product"``.
    distances : bool, default False
        Whether scores are squares of distances with a minus sign; the distances are then shown, not shares.
    link : {"identity", "log", "logit", "inverse"}, default "identity"
        The function of the answer that the score is, where the answer is a number.
    contributions : Contributions, optional
        What each column contributes, for sums of trees.
    inside : Working, optional
        How the learner inside came to the numbers that the terms are made of.
    """

    title: str
    rule: Literal["sum", "product"]
    candidates: Sequence[Any]
    terms: Sequence[Term]
    prediction: Any
    costs: Sequence[Sequence[float]] | None = None
    softmax: bool = False
    distances: bool = False
    link: Literal["identity", "log", "logit", "inverse"] = "identity"
    contributions: Contributions | None = None
    inside: Working | None = None

    @property
    def scores(self) -> list[float]:
        """Sum of the terms of each candidate (of their logarithms under ``"product"``)."""
        return [float(total) for total in np.sum([term.values for term in self.terms], axis=0)]

    @property
    def shares(self) -> list[float]:
        """Scores scaled to sum 1; under ``"product"`` and ``softmax`` these are the class probabilities."""
        scores = np.array(self.scores)
        if self._are_probabilities():
            # Shifted by the largest, so that products of many small factors do not underflow; where all are
            # 0, no candidate is better than another.
            scores = np.exp(scores - scores.max()) if scores.max() > -np.inf else np.ones_like(scores)
        return [float(share) for share in scores / scores.sum()]

    def _are_probabilities(self) -> bool:
        return self.rule == "product" or self.softmax

    def _have_shares(self) -> bool:
        """Whether scores can be scaled to shares; scores below 0 that are no logarithms cannot."""
        if isinstance(self.prediction, list):  # the scores are the answer
            return False
        scores = self.scores
        return self._are_probabilities() or (min(scores) >= 0 and sum(scores) > 0)

    def _shown(self, values: Sequence[float]) -> list[float]:
        return [float(v) for v in (np.exp(values) if self.rule == "product" else values)]

    def _without_noise(self, values: Sequence[float]) -> list[float]:
        """The values to print: what is no more than the rounding of the terms beside it is 0."""
        if self.rule == "product":  # logarithms: a factor is never a sum
            return list(values)
        largest = np.max(np.abs([term.values for term in self.terms]), axis=0, initial=0.0)
        # The error of a sum is bounded by the number of terms times the rounding unit times the largest of
        # them (Higham, section 4.2); the factor 8 leaves room for terms that are results themselves.
        noise = 8 * max(8, len(self.terms)) * np.finfo(np.float64).eps * largest
        return [
            0.0 if abs(value) <= bound < np.inf else value for value, bound in zip(values, noise, strict=True)
        ]

    def _answer(self) -> Any:
        """The prediction to print; a number that the sum is, is printed as the sum."""
        if isinstance(self.prediction, list):
            return ", ".join(f"{number:.6g}" for number in self._without_noise(self.scores))
        if self.rule != "sum" or self.link != "identity" or len(self.candidates) != 1:
            return self.prediction
        # The learner may have added in another order, or by a kernel that rounds otherwise.
        same = self._without_noise([self.scores[0] - self.prediction]) == [0.0]
        return self._without_noise(self.scores)[0] if same else self.prediction

    def _description(self) -> Description:
        heads = ["term", *(str(candidate) for candidate in self.candidates)]
        rows: list[list[Cell]] = [
            [term.name, *self._shown(self._without_noise(term.values))] for term in self.terms
        ]
        rows.append([self.rule, *self._shown(self._without_noise(self.scores))])
        if self.distances:
            rows.append(["distance", *(float(d) for d in np.sqrt(np.negative(self.scores)))])
        elif len(self.candidates) > 1 and self._have_shares():
            # Votes scaled to sum 1 need not be what ``predict_proba`` gives, so they have another name.
            rows.append(["probability" if self._are_probabilities() else "share", *self.shares])
        if self.link != "identity":
            rows.append([f"with this {self.link}", float(self.prediction)])
        if self.costs is not None:
            rows.append(["expected cost", *(float(c) for c in np.asarray(self.costs) @ self.shares)])
        tables = [Table("Working", heads, rows)]
        if self.contributions is not None:
            tables.append(self.contributions.to_table())
        if self.inside is not None:
            words = self.inside._description()  # noqa: SLF001 - of the same class
            tables = [
                *(replace(part, title=f"{words.title}: {part.title}") for part in words.tables),
                *tables,
            ]
        return Description(self.title, {"prediction": self._answer()}, tables)

    def plot(self, ax: Any = None, *, output: Label | None = None) -> Any:
        """Draw what each column contributes, from the mean prediction to that for the row.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.
        output : label, optional
            The class; the predicted one when left out.

        Returns
        -------
        ax : matplotlib Axes
            The Axes drawn on.
        """
        if self.contributions is None:
            raise ValueError(
                "this working has no contributions to draw: trees, forests and boosting of trees have them."
            )
        if output is None and self.contributions.outputs:
            output = self.prediction
        return waterfall(self.contributions, ax=ax, output=output)

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the working as plain data; the prediction can be computed from it."""
        return {
            "title": self.title,
            "rule": self.rule,
            "candidates": [plain(candidate) for candidate in self.candidates],
            "terms": [{"name": t.name, "values": [float(v) for v in t.values]} for t in self.terms],
            "scores": self.scores,
            "softmax": self._are_probabilities(),
            "link": self.link,
            "costs": None if self.costs is None else [[float(c) for c in row] for row in self.costs],
            "prediction": plain(self.prediction),
            "contributions": None if self.contributions is None else self.contributions.to_dict(),
            **({} if self.inside is None else {"inside": self.inside.to_dict()}),
        }
