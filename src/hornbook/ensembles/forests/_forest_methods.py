"""How fitted forests answer and tell about themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Description, Floats, Table, Term, Working, draw_beside_rows
from hornbook.ensembles.forests._forest_fit import ForestGrowing
from hornbook.ensembles.forests._grow_trees import Rows
from hornbook.frame import Blocks, Frame, Schema, align
from hornbook.plots import importance

__all__ = ["ForestMethods"]

_OUT_OF_BAG = {
    "oob_score_": "out-of-bag score",
    "oob_strength_": "strength",
    "oob_correlation_": "correlation of trees",
    "error_bound_": "bound of the error",
}
_LISTED = 20  # columns, or classes, that are all named


class ForestMethods(ForestGrowing):
    """What all fitted forests can be asked."""

    _with_codes: Callable[[Blocks], Blocks]  # of classifiers
    _evenly: Callable[[float], Floats]

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns the forest was grown on: marked numbers are categories."""
        return align(features, self.forest_schema_)

    def _fitted_schema(self) -> Schema:
        check_is_fitted(self)
        return self.forest_schema_

    def _known(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        """Rows whose target is known, checked and coded as those of the fit."""
        check_is_fitted(self)
        blocks = self._training_blocks(X, y, sample_weight)
        labels = getattr(self, "classes_", ())
        (block,) = self._with_codes(blocks) if len(labels) else self._learn_target(blocks)
        assert block.y is not None  # checked above
        frame = self._coded(align(block.X, self.schema_))
        return Rows(frame, block.y, block.w, self._factor(block.y, block.w), len(labels))

    def _rows_of_fit(self, X: Any, y: Any, sample_weight: Any, asked: str) -> Rows:
        """Rows that must be those of the fit, as far as their number tells."""
        rows = self._known(X, y, sample_weight)
        if len(rows) != self.n_rows_:
            raise ValueError(
                f"{asked} needs the {self.n_rows_} rows of the fit, but X has {len(rows)}: pass the same "
                "table."
            )
        return rows

    def _mean(self, features: Frame) -> Floats:
        rows = self._coded(features)
        total = self.forest_.answers(rows, self._threads(), hard=self.vote == "hard")
        return np.asarray(total / len(self.forest_))

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Give the node that each row ends in, tree by tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        nodes : ndarray of shape (n_rows, n_trees)
            Numbers of nodes within their tree, 0 for the root; leaves, as in `DecisionTreeClassifier.apply`.
        """
        rows = self._coded(self._prepared(X))
        return np.asarray(self.forest_.apply(rows, self._threads()) - self.forest_.roots)

    def tree_answers(self, X: Any) -> Floats:
        """Give the answers of the trees; their mean is the prediction.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        answers : ndarray of shape (n_trees, n_rows) or (n_trees, n_rows, n_classes)
            Numbers, or class shares; with ``vote="hard"`` 1 for the class a tree votes for.
        """
        rows = self._coded(self._prepared(X))
        answers = np.array(list(self.forest_.each(rows, self._threads(), hard=self.vote == "hard")))
        return answers if hasattr(self, "classes_") else answers[:, :, 0]

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_beside_rows(self, self._draw_importance, X, y, ax)

    def _draw_importance(self, ax: Any) -> Any:
        drawn = importance(self.feature_importances_, self.forest_schema_.names, ax=ax)
        drawn.set_xlabel("share in the fall of impurity")
        return drawn

    def _describe(self) -> Description:
        forest = self.forest_
        facts: dict[str, Any] = {
            "trees": len(forest),
            "leaves of a tree": float(forest.n_leaves.mean()),
            "rows of a tree": "drawn with replacement" if self.bootstrap else "all",
        }
        if hasattr(self, "classes_"):
            facts["vote"] = self.vote
        facts |= {word: getattr(self, name) for name, word in _OUT_OF_BAG.items() if hasattr(self, name)}
        word = "classifier" if hasattr(self, "classes_") else "regressor"
        title = f"{self.title} {word} with {_trees(len(forest))}"
        return Description(title, facts, self._importance_table())

    def _importance_table(self) -> list[Table]:
        """The columns that matter, the first of them by name; no table if there is no split."""
        names, shares = self.forest_schema_.names, self.feature_importances_
        order = [j for j in np.argsort(-shares, kind="stable").tolist() if shares[j] > 0]
        rows: list[list[Any]] = [[names[j], float(shares[j])] for j in order[:_LISTED]]
        others = order[_LISTED:]
        if others:
            rows.append([f"{len(others)} others", float(shares[others].sum())])
        return [Table("Importance", ["column", "share"], rows)] if rows else []

    def _working(self, row: Frame) -> Working:
        """Trees that agree in one line."""
        answers = np.concatenate(list(self.forest_.each(self._coded(row), 1, hard=self.vote == "hard")))
        labels = getattr(self, "classes_", None)
        if labels is None:
            return _quarters(answers[:, 0], float(self._answer(row)[0]))
        even = self._evenly(self.vote_smoothing)
        if len(labels) > _LISTED:  # nobody reads columns of zeros
            some = np.flatnonzero(answers.any(axis=0))
            answers, labels, even = answers[:, some], labels[some], even[some]
        chosen = answers.argmax(axis=1)
        terms = [
            Term(_tally((chosen == c).sum(), label), answers[chosen == c].sum(axis=0).tolist())
            for c, label in enumerate(labels.tolist())
            if (chosen == c).any()
        ]
        if self.vote_smoothing:
            terms.append(Term(f"smoothing: {self.vote_smoothing:g} more, evenly", even.tolist()))
        what = "votes" if self.vote == "hard" else "class shares"
        title = f"The {what} of {_trees(len(answers))}, by the class they favor"
        return Working(title, "sum", labels.tolist(), terms, self._answer(row)[0])


def _tally(n: int, label: Any) -> str:
    return f"{_trees(n)} for {label}"


def _trees(n: int) -> str:
    return f"{n} {'tree' if n == 1 else 'trees'}"


def _quarters(numbers: Floats, answer: float) -> Working:
    """What the lowest, lower, higher and highest quarter of the trees add to the mean."""
    parts = [part for part in np.array_split(np.sort(numbers), 4) if len(part)]
    terms = [
        Term(f"{_trees(len(part))} from {part[0]:.6g} to {part[-1]:.6g}", [float(part.sum() / len(numbers))])
        for part in parts
    ]
    title = f"What is added to the mean of {_trees(len(numbers))}, in order of their answers"
    return Working(title, "sum", ["value"], terms, answer)
