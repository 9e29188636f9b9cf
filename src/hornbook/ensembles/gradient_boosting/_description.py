"""Descriptions and plots of gradient boosting, and of its predictions for one row."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np

from hornbook.base import Description, Table, Term, draw_beside_rows
from hornbook.ensembles.forests._description import draw_importance, importance_table, tree_count
from hornbook.ensembles.gradient_boosting._boosted_trees import BoostedTrees
from hornbook.ensembles.gradient_boosting._losses_by_name import loss_name
from hornbook.frame import Schema
from hornbook.params import Floats
from hornbook.plots import side_by_side, staged_error

__all__ = ["describe_booster", "draw_booster", "member_terms"]

_SIZE = (10.0, 4.0)


class FittedBooster(Protocol):
    """What descriptions and plots read of a fitted booster."""

    title: ClassVar[str]
    loss: Any
    init: Any
    estimator: Any
    learning_rate: float
    n_iter_: int
    schema_: Schema
    boosted_schema_: Schema
    base_score_: Floats
    factors_: Floats
    forest_: BoostedTrees

    @property
    def feature_importances_(self) -> Floats: ...
    def _core(self) -> Any: ...
    def _score_factor(self) -> float: ...


def describe_booster(learner: FittedBooster) -> Description:
    """The description of a fitted booster."""
    known, labels = vars(learner), vars(learner).get("classes_")
    kind = "regressor" if labels is None else "classifier"
    members = f"{len(learner.factors_)} members" if "factors_" in known else tree_count(_n_trees(known))
    facts: dict[str, Any] = {
        "loss": loss_name(learner.loss).strip("'"),
        "rounds": learner.n_iter_,
        "learning rate": learner.learning_rate,
    }
    tables = []
    if "init_" in known:
        facts["start"] = type(learner.init).__name__
    elif len(learner.base_score_) == 1:
        facts["base score"] = float(learner.base_score_[0])
    else:
        pairs = zip(learner._core().classes_, learner.base_score_.tolist(), strict=True)  # noqa: SLF001
        tables = [Table("Base scores", ["class", "score"], [[str(label), score] for label, score in pairs])]
    if "forest_" in known:
        facts["leaves of a tree"] = float(learner.forest_.n_leaves.mean())
        tables += importance_table(learner.boosted_schema_.names, learner.feature_importances_)
    elif "factors_" in known:
        facts["member"] = type(learner.estimator).__name__
    names = {"train_score_": "training", "validation_score_": "validation", "oob_scores_": "out-of-bag"}
    facts |= {f"{word} score": float(known[name][-1]) for name, word in names.items() if name in known}
    return Description(f"{learner.title} {kind} with {members}", facts, tables)


def _n_trees(known: dict[str, Any]) -> int:
    return len(known["forest_"]) if "forest_" in known else 0


def draw_booster(learner: FittedBooster, X: Any, y: Any, ax: Any) -> Any:
    """Draw the loss by round and the importance of the columns, or what there is of both."""
    known = vars(learner)
    names = {"train_score_": "training", "validation_score_": "validation"}
    factor = learner._score_factor()  # noqa: SLF001 - the losses behind the scores
    curves = {word: known[name] / factor for name, word in names.items() if name in known}
    draw_gains = partial(
        draw_importance, getattr(learner, "feature_importances_", np.zeros(0)), learner.schema_
    )
    draw_curves = partial(_draw_curves, curves)
    if "forest_" not in known:
        return draw_beside_rows(learner, draw_curves, X, y, ax)
    if X is not None or not curves:
        return draw_beside_rows(learner, draw_gains, X, y, ax)
    left, right = side_by_side(ax, _SIZE)
    draw_curves(left)
    draw_gains(right)
    return left


def _draw_curves(curves: dict[str, Floats], ax: Any) -> Any:
    drawn = staged_error(curves or {"training": [0.0]}, members="rounds", name="loss", ax=ax)
    if curves:
        lowest = min(float(curve.min()) for curve in curves.values())
        drawn.set_ylim(bottom=min(0.0, 1.05 * lowest))  # logarithms of densities may be below 0
    return drawn


def member_terms(first: Floats, updates: list[Floats]) -> list[Term]:
    """The base score, and what each round adds: a row for each round, a column for each candidate."""
    rounds = [Term(f"round {number}", row.tolist()) for number, row in enumerate(np.array(updates), start=1)]
    return [Term("base score", first.tolist()), *rounds]
