"""The answer that needs no features: what every learner has to beat."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags

from hornbook._scikit import available_if
from hornbook.base._predictor import Predictor
from hornbook.base._row_plots import draw_beside_rows
from hornbook.base._working import Term, Working
from hornbook.base.intake._conversion import Wants
from hornbook.display import Description, Table
from hornbook.frame import Block, Blocks, Frame, Rank, ranked
from hornbook.params import Floats, Range, Seed, Shape
from hornbook.plots import bars
from hornbook.random import Stream, seed_of

__all__ = ["Baseline"]

NUMBERS = ("mean", "median", "quantile")


def _predicts_classes(learner: Baseline) -> bool:
    return learner.strategy not in NUMBERS


class Baseline(Predictor):
    """Predict without looking at the features.

    It is a classifier or a regressor by its strategy. Unlike scikit-learn's dummy estimators, the strategies
    that draw give the same answer for the same row position each time, and their probabilities are those
    they draw from.

    Parameters
    ----------
    strategy : {"prior", "most_frequent", "stratified", "uniform", "constant", "mean", "median", "quantile"}
        For classes: ``"prior"`` predicts the most frequent class with the class frequencies as probabilities,
        ``"most_frequent"`` the same with probability 1, ``"stratified"`` draws by the class frequencies,
        ``"uniform"`` draws evenly, ``"constant"`` predicts the given class. For numbers: ``"mean"``,
        ``"median"`` and ``"quantile"`` of the target.
    constant : str, bool, int or float, optional
        The class of ``strategy="constant"``.
    quantile : float, default 0.5
        The share of the target below the prediction of ``strategy="quantile"``.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, if the strategy predicts classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their shares of the weight.
    value_ : float
        The predicted number, if the strategy predicts numbers.
    n_features_in_ : int
        Number of columns at fit.

    See Also
    --------
    NaiveBayes : Bayes' rule with columns independent in each class.
    LinearRegression : Least squares.

    Examples
    --------
    >>> from hornbook import Baseline
    >>> Baseline().fit([[0], [0], [0]], ["yes", "no", "yes"]).predict([[5]]).tolist()
    ['yes']
    >>> Baseline(strategy="mean").fit([[0], [0]], [1.0, 2.0]).predict([[5]]).tolist()
    [1.5]
    """

    wants: ClassVar[Wants] = "frame"
    model_class = "one answer for all rows"
    objective = "log loss, error rate, squared or absolute error of a constant, by the strategy"
    optimizer = "closed form: shares, mean or quantile of the target"

    class_prior_: Annotated[Floats, Shape("n_classes")]
    value_: float
    seed_: int

    def __init__(
        self,
        *,
        strategy: Literal[
            "prior", "most_frequent", "stratified", "uniform", "constant", "mean", "median", "quantile"
        ] = "prior",
        constant: str | bool | float | None = None,
        quantile: Annotated[float, Range(low=0.0, high=1.0)] = 0.5,
        random_state: Seed = None,
    ) -> None:
        self.strategy = strategy
        self.constant = constant
        self.quantile = quantile
        self.random_state = random_state

    def _predicts_classes(self) -> bool:
        return _predicts_classes(self)

    def _fit_blocks(self, blocks: Blocks) -> None:
        if not self._predicts_classes():
            self.value_ = self._number(blocks)
            return
        mass = blocks.reduce(_class_mass, len(self.classes_))
        self.class_prior_ = mass / mass.sum()
        self.seed_ = seed_of(self.random_state)
        if self.strategy == "constant" and self.constant not in self.classes_.tolist():
            raise ValueError(
                f"Baseline: parameter 'constant' must be one of the classes {self.classes_.tolist()}; "
                f"got {self.constant!r}."
            )

    def _number(self, blocks: Blocks) -> float:
        mass, total = blocks.reduce(_mass_and_total).tolist()
        if self.strategy == "mean":
            return float(total / mass)
        return weighted_quantile(blocks, mass, self.quantile if self.strategy == "quantile" else 0.5)

    @available_if(_predicts_classes)
    def _proba(self, rows: Frame) -> Floats:
        if self.strategy in ("prior", "stratified"):
            probabilities = self.class_prior_
        elif self.strategy == "uniform":
            probabilities = np.full(len(self.classes_), 1 / len(self.classes_))
        else:
            probabilities = np.zeros(len(self.classes_))
            probabilities[self._fixed()] = 1.0
        return np.tile(probabilities, (len(rows), 1))

    def _fixed(self) -> int:
        """Position of the class that is always predicted."""
        if self.strategy == "constant":
            return int(self.classes_.tolist().index(self.constant))
        return int(self.class_prior_.argmax())

    def _predict(self, rows: Frame) -> NDArray[Any]:
        if not self._predicts_classes():
            return np.full(len(rows), self.value_)
        if self.strategy not in ("stratified", "uniform"):
            return np.full(len(rows), self._fixed(), dtype=np.intp)
        steps = np.cumsum(self._proba(rows[:1])[0])
        draws = Stream(self.seed_).uniform(len(rows))
        # Rounding may leave the last step below 1, and a draw above it.
        return np.minimum(np.searchsorted(steps, draws, side="right"), len(steps) - 1)

    def _describe(self) -> Description:
        if not self._predicts_classes():
            return Description(f"Baseline: always predicts the {self.strategy}", {"value": self.value_})
        rows = list(zip(self.classes_.tolist(), self.class_prior_.tolist(), strict=True))
        return Description(
            f"Baseline: predicts by the strategy {self.strategy!r}",
            tables=[Table("Share of each class", ["class", "share"], rows)],
        )

    def _working(self, rows: Frame) -> Working:
        prediction = self._answer(rows)[0]
        title = f"Baseline: the strategy {self.strategy!r} does not look at the row"
        if not self._predicts_classes():
            return Working(title, "sum", ["value"], [Term(self.strategy, [self.value_])], prediction)
        if self.strategy == "prior":
            terms = [Term("share of the class", self.class_prior_.tolist())]
        else:
            chosen = self.classes_ == prediction
            terms = [Term(f"chosen by {self.strategy}", chosen.astype(float).tolist())]
        return Working(title, "sum", self.classes_.tolist(), terms, prediction)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_beside_rows(self, self._draw_answer, X, y, ax)

    def _draw_answer(self, ax: Any) -> Any:
        if self._predicts_classes():
            labels = [str(label) for label in self.classes_]
            return bars(self.class_prior_, labels, ax=ax, title="Share of each class")
        return bars([self.value_], [self.strategy], ax=ax, title="Predicted number")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        for kind in (tags.classifier_tags, tags.regressor_tags):
            if kind is not None:
                # scikit-learn's checks then do not ask for a good score, which no constant can reach.
                kind.poor_score = True
        return tags


def _class_mass(block: Block, n_classes: int) -> Floats:
    return np.bincount(np.asarray(block.y), weights=block.w, minlength=n_classes).astype(np.float64)


def _mass_and_total(block: Block) -> Floats:
    y = np.asarray(block.y)
    w = np.ones(len(y)) if block.w is None else block.w
    return np.array([w.sum(), (y * w).sum()])


def _target_column(block: Block) -> Floats:
    return np.asarray(block.y, dtype=np.float64)[:, None]


def weighted_quantile(blocks: Blocks, mass: float, share: float) -> float:
    """Return the target with ``share`` of the mass below it; between two such values, their mean."""
    # The inverse of the weighted distribution function: where it is flat at the goal, both ends belong to it,
    # and their mean is the usual median of an even number of rows.
    goal = share * mass
    first, last = ranked(blocks, _target_column, [Rank(0, goal), Rank(0, goal, beyond=True)])
    return (first + last) / 2
