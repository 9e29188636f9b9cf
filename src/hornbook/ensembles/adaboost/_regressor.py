"""AdaBoost for numbers: AdaBoost.R2 (Drucker 1997)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Description, Regressor, Term, Working, sparse_container
from hornbook.ensembles._staged import StagedPredictions
from hornbook.ensembles.adaboost._boosted import Boosted
from hornbook.ensembles.adaboost._description import counted, member_table
from hornbook.ensembles.adaboost._engines import engine_for
from hornbook.ensembles.adaboost._member_outputs import all_numbers
from hornbook.ensembles.adaboost._parameters import BoostingRounds, Method
from hornbook.ensembles.adaboost._plot import draw_rounds
from hornbook.ensembles.adaboost._relative_rounds import RelativeLoss, RelativeRounds
from hornbook.ensembles.adaboost._rounds import MemberSampler
from hornbook.frame import Frame, align
from hornbook.params import Floats, declared
from hornbook.random import seed_of
from hornbook.trees import DecisionTreeRegressor

__all__ = ["AdaBoostRegressor"]

_ROWS = 20_000  # predicted at a time: all members answer before the median is taken
_HALF = 0.5 * (1.0 - 1e-12)  # of the weights, less what rounding may take


@declared
class AdaBoostRegressor(BoostingRounds, Boosted, StagedPredictions, Regressor):
    """AdaBoost for numbers: members learn mostly from the rows that those before them missed by far.

    Each member learns from rows drawn in proportion to weights, which fall where it is close and stay where
    it errs most (AdaBoost.R2, Drucker 1997); the prediction is the median of the members' predictions,
    weighted by how good they are. Unlike in scikit-learn, categories and missing values go in as they are,
    and members can be fitted with the weights themselves.

    Parameters
    ----------
    estimator : regressor of Hornbook or scikit-learn, optional
        The member; a `DecisionTreeRegressor` of depth 3 when left out.
    loss : {"linear", "square", "exponential"}
        The loss L of a row from its error a, as a share of the largest error of the member: a, a², or
        1 - exp(-a). With the weighted mean loss e of the member, b = e / (1 - e) and the learning rate r, its
        weight is r ln(1 / b), and the weights of rows are multiplied by b**(r (1 - L)).

    Attributes
    ----------
    estimators_ : list of learners
        The members. One with a loss of at least 1/2 is left out and the last one; one without loss is the
        last one, with weight 1.
    alphas_ : ndarray of shape (n_rounds,)
        Weights of the members. The same as ``estimator_weights_``.
    estimator_errors_ : ndarray of shape (n_rounds,)
        Weighted mean loss e of each member.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    GradientBoostingRegressor : Small trees one after the other, for numbers.
    BaggingRegressor : Mean of members of any kind on drawn rows.

    Examples
    --------
    >>> from hornbook import AdaBoostRegressor
    >>> model = AdaBoostRegressor(n_estimators=10, random_state=0)
    >>> model = model.fit([[1.0], [2.0], [7.0], [8.0]], [1.0, 1.0, 5.0, 6.0])
    >>> model.predict([[1.5], [8.5]]).tolist()
    [1.0, 6.0]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    model_class = "weighted medians of members of one kind"
    objective = "relative errors of the members"
    optimizer = "one member at a time, on rows weighted by the errors so far"

    loss: RelativeLoss = "linear"
    method: Method = "resample"

    def _inner(self) -> Any:
        return DecisionTreeRegressor(max_depth=3) if self.estimator is None else self.estimator

    def _fit(self, frame: Frame, y: Floats, w: Floats | None) -> None:
        inner = self._inner()
        draws = self._draws()
        container = sparse_container(self._watch.X)
        engine = engine_for(
            inner, frame, w, "numbers", 0, drawn=draws, n_threads=self._threads(), container=container
        )
        sampler = MemberSampler(engine, seed_of(self.random_state), draws)
        start = np.ones(len(y)) if w is None else w / w.max() if draws else w
        rounds = RelativeRounds(sampler, self.learning_rate, self.loss, y, start)
        self._boost(rounds, "below a mean loss of 1/2")

    def _answers(self, frame: Frame) -> Floats:
        """Predictions of all members, a column each."""
        return all_numbers(self.estimators_, frame, self._threads(len(frame)))

    def _median(self, answers: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """The weighted median of the first members' predictions, and which of them it is from."""
        # Stable: of equal predictions the member of the lower round counts as the median.
        order = np.argsort(answers, axis=1, kind="stable")
        until = np.cumsum(self.alphas_[order], axis=1)
        # The smallest prediction at which half of the weight is reached (Drucker 1997, equation 9).
        middle = (until >= _HALF * until[:, -1:]).argmax(axis=1)
        chosen = order[np.arange(len(answers)), middle]
        return answers[np.arange(len(answers)), chosen], chosen

    def _predict(self, frame: Frame) -> Floats:
        if len(frame) <= _ROWS:
            return self._median(self._answers(frame))[0]
        parts = [
            self._median(self._answers(frame[first : first + _ROWS]))[0]
            for first in range(0, len(frame), _ROWS)
        ]
        return np.concatenate(parts)

    def _staged_answers(self, frame: Frame) -> Iterator[Floats]:
        answers = self._answers(frame)
        for t in range(1, len(self.alphas_) + 1):
            yield self._median(answers[:, :t])[0]

    def staged_errors(self, X: Any, y: Any = None, sample_weight: Any = None) -> Floats:
        """Give the mean squared error of the first 1, 2, ... members.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their target; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        errors : ndarray of shape (n_members,)
            `hornbook.plots.staged_error` draws them.
        """
        rows, target, w = self._known(X, y, sample_weight)
        return np.array(
            [np.average((answer - target) ** 2, weights=w) for answer in self._staged_answers(rows)]
        )

    def staged_score(self, X: Any, y: Any = None, sample_weight: Any = None) -> Iterator[float]:
        """Yield R² of the first 1, 2, ... members.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their target; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Yields
        ------
        score : float
            1 is perfect.
        """
        _, target, w = self._known(X, y, sample_weight)
        spread = float(np.average((target - np.average(target, weights=w)) ** 2, weights=w))
        for error in self.staged_errors(X, y, sample_weight):
            yield float(1.0 - error / spread) if spread > 0 else float(error == 0)

    def _known(self, X: Any, y: Any, sample_weight: Any) -> tuple[Frame, Floats, Floats | None]:
        """Rows whose target is known."""
        block = self._whole_table(X, y, sample_weight)
        return align(block.X, self.schema_), np.asarray(block.y, dtype=np.float64), block.w

    def _describe(self) -> Description:
        facts = {
            "member": type(self._inner()).__name__,
            "loss": self.loss,
            "learning rate": self.learning_rate,
            "rows": "drawn by weight" if self.method == "resample" else "weighted",
        }
        title = f"AdaBoost regressor with {counted(len(self.alphas_), 'member')}"
        return Description(title, facts, [member_table(self.alphas_, self.estimator_errors_, [])])

    def _working(self, row: Frame) -> Working:
        answers = self._answers(row)
        medians, members = self._median(answers)
        value, chosen = float(medians[0]), int(members[0])
        lower = float(self.alphas_[answers[0] < value].sum() / self.alphas_.sum())
        first = int(answers[0].argmin())
        terms = [
            Term(f"the smallest prediction, by member {first + 1}", [float(answers[0, first])]),
            Term(
                f"up to that of member {chosen + 1}, where half of the weights is reached; {lower:.1%} below",
                [value - float(answers[0, first])],
            ),
        ]
        title = f"The weighted median of {counted(len(self.alphas_), 'member')}"
        return Working(title, "sum", ["value"], terms, self._answer(row)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_rounds(self, X, y, ax)
