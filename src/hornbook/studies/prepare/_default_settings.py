"""Sensible settings for learners that a study builds by name, in one table.

The usual defaults do not suit every table: an unpruned tree predicts with certainty, and five neighbors are
too few to tell a probability of 0 from one of 2 percent. An entry says which parameters are fixed, which one
is chosen inside each training fold, from which values, and which are searched there by successive halving.
Learners without an entry are searched in all ranges that they name. Objects that a user passes keep their
parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hornbook import registry
from hornbook.params import Tune, parameters

__all__ = ["SENSIBLE", "RowCounts", "Sensible", "Tuning", "sensible_for"]

Tuning = Literal["off", "quick", "thorough"]

# Parameters that say how long a fit goes on: more is hardly ever worse, only slower.
EFFORT = frozenset({"max_iter", "n_estimators", "tol"})
# Settings that a search begins with, and one of how many goes on to the next rung.
SEARCHES: dict[Tuning, tuple[int, int]] = {"quick": (8, 2), "thorough": (27, 3)}


@dataclass(frozen=True)
class RowCounts:
    """Size of the training data, on which the values to choose from depend.

    Parameters
    ----------
    n_rows, n_columns : int
        Training rows, and columns of the table.
    spread : float
        Standard deviation of a numeric target; 1 for classes.
    """

    n_rows: int
    n_columns: int
    spread: float = 1.0


@dataclass(frozen=True)
class Sensible:
    """Settings of one learner.

    Parameters
    ----------
    fixed : mapping of str to object, default {}
        Parameters with the same value in every fold.
    chosen : str, default ""
        The parameter that is chosen inside each training fold; none when empty.
    values : function of RowCounts
        Its values in order, the simplest model first: ties go to the first. The most usual values are in
        the middle, where a search that cannot afford all of them begins.
    searched : tuple of str, default ()
        Parameters that a quick search draws; all that the learner names a range for when empty.
    ranges : mapping of str to Tune, default {}
        Where a search draws from; there is none when empty.
    n_settings, keep : int
        Settings that the search begins with, the usual one included, and one of how many goes on to the next
        rung.
    """

    fixed: Mapping[str, Any] = field(default_factory=dict)
    chosen: str = ""
    values: Callable[[RowCounts], Sequence[Any]] = lambda _: ()
    searched: tuple[str, ...] = ()
    ranges: Mapping[str, Tune] = field(default_factory=dict)
    n_settings: int = 0
    keep: int = 2

    @property
    def tuned(self) -> tuple[str, ...]:
        """Parameters that are chosen inside each training fold."""
        return (*([self.chosen] if self.chosen else []), *self.ranges)


def sensible_for(name: str, tune: Tuning) -> Sensible:
    """Return the settings of a learner that is given by name.

    Parameters
    ----------
    name : str
        In the registry.
    tune : {"off", "quick", "thorough"}
        Plain defaults; a choice of the parameter that matters most or, where the table has none, a search
        that begins with 8 settings; both, and 27 settings of all ranges that the learner names.

    Examples
    --------
    >>> sensible_for("KNeighborsClassifier", "quick").tuned, sensible_for("LinearDiscriminant", "quick").tuned
    (('n_neighbors',), ('shrinkage',))
    >>> sensible_for("RandomForestClassifier", "quick").tuned
    ('max_depth', 'min_samples_leaf')
    """
    if tune == "off":
        return Sensible()
    known = SENSIBLE.get(name, Sensible())
    if tune == "quick" and known.chosen:
        return known
    fixed = EFFORT | {known.chosen}
    ranges = {
        one.name: one.tune
        for one in parameters(registry.learner_class(name))
        if one.tune is not None
        and one.name not in fixed
        and (tune == "thorough" or not known.searched or one.name in known.searched)
    }
    n_settings, keep = SEARCHES[tune]
    return replace(known, ranges=ranges, n_settings=n_settings, keep=keep) if ranges else known


def _just(*values: Any) -> Callable[[RowCounts], Sequence[Any]]:
    return lambda _: values


def _neighbors(rows: RowCounts) -> Sequence[int]:
    """From many to few; never more than a quarter of the rows."""
    return [k for k in (125, 75, 45, 25, 15, 11, 7, 5, 3, 1) if k <= max(rows.n_rows // 4, 1)]


def _by_spread(*shares: float, power: int = 1) -> Callable[[RowCounts], Sequence[float]]:
    """Penalties in the unit of the target, or of its square."""
    return lambda rows: [_rounded(share * rows.spread**power) for share in shares]


def _by_rows(*shares: float) -> Callable[[RowCounts], Sequence[float]]:
    """Penalties that weigh as much as a fraction of the rows."""
    return lambda rows: [_rounded(share * rows.n_rows) for share in shares]


def _radii(rows: RowCounts) -> Sequence[float]:
    """Distances between standardized rows grow with the root of the number of columns."""
    return [_rounded(share * rows.n_columns**0.5) for share in (1.0, 0.75, 0.5, 0.35, 0.25)]


def _rounded(value: float) -> float:
    """Three digits, so that the value used is the value printed."""
    return float(f"{value:.3g}")


# Virtual rows of a leaf, for all classes together: about Laplace's correction for two or three classes, which
# would swamp the real rows if there were many.
_LEAF = {"leaf_smoothing": 2.0}
# A tenth of a vote: hardly a change where votes differ, and no infinite log loss where they do not.
_VOTE = {"vote_smoothing": 0.1}
_DEPTHS = _just(1, 2, 3, 4, 6)
_STRENGTHS = _just(0.01, 0.1, 1.0, 10.0, 100.0)
_FOREST = ("max_depth", "min_samples_leaf")
_BOOSTING = ("learning_rate", "max_leaf_nodes", "min_samples_leaf")

SENSIBLE: dict[str, Sensible] = {
    "AODE": Sensible(searched=("alpha", "n_bins")),
    "DecisionStump": Sensible(_LEAF),
    "DecisionTreeClassifier": Sensible(_LEAF, "ccp_alpha", _just(0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.0)),
    "DecisionTreeRegressor": Sensible(
        {}, "ccp_alpha", _by_spread(0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0, power=2)
    ),
    "ElasticNet": Sensible({}, "alpha", _by_spread(1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)),
    "ExtraTreesClassifier": Sensible(_VOTE, searched=_FOREST),
    "ExtraTreesRegressor": Sensible(searched=_FOREST),
    "HistGradientBoostingClassifier": Sensible(searched=_BOOSTING),
    "HistGradientBoostingRegressor": Sensible(searched=_BOOSTING),
    "KNeighborsClassifier": Sensible(_VOTE, "n_neighbors", _neighbors),
    "KNeighborsRegressor": Sensible({}, "n_neighbors", _neighbors),
    "Lasso": Sensible({}, "alpha", _by_spread(1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)),
    "LogisticRegression": Sensible({}, "C", _STRENGTHS),
    "NaiveBayes": Sensible(searched=("alpha", "var_smoothing")),
    "ObliqueTreeClassifier": Sensible({**_LEAF, "max_depth": 6}, "max_depth", _DEPTHS),
    "ObliqueTreeRegressor": Sensible({"max_depth": 6}, "max_depth", _DEPTHS),
    "PolynomialRegression": Sensible({}, "degree", _just(1, 2, 3)),
    "RadiusNeighborsClassifier": Sensible(_VOTE, "radius", _radii),
    "RadiusNeighborsRegressor": Sensible({}, "radius", _radii),
    "RandomForestClassifier": Sensible(_VOTE, searched=_FOREST),
    "RandomForestRegressor": Sensible(searched=_FOREST),
    "Ridge": Sensible({}, "alpha", _by_rows(10.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.001)),
    "SurrogateLossClassifier": Sensible({}, "C", _STRENGTHS),
    "TotallyRandomTreesClassifier": Sensible(_VOTE, searched=_FOREST),
}
