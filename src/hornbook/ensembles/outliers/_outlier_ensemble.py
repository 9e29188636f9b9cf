"""Several methods that say how unusual a row is, combined by ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.base import Description, Encoder, OutlierDetector, Table, Term, Working, draw_outlier_scores
from hornbook.clustering import GaussianMixture
from hornbook.display import Cell
from hornbook.ensembles._extra_trees import ExtraTreesClassifier
from hornbook.ensembles.outliers._methods import (
    METHODS,
    fitted_forest,
    fitted_mixture,
    proximity_scores,
    some_rows,
)
from hornbook.ensembles.outliers._reference import ScoreDistribution
from hornbook.frame import Frame
from hornbook.params import Floats, Jobs, NEstimators, ParameterError, Range, Seed, Shape
from hornbook.plots import strips
from hornbook.random import row_bits, seed_of
from hornbook.svm import OneClassSVM

__all__ = ["OutlierEnsemble"]

MOST_LEARNED = 5_000  # rows that the one-class SVM and the forest learn from: time grows with their square
MOST_OTHERS = 500  # rows that proximities are measured to
MOST_TIMES = 3.0  # the share, if that makes an outlier of the most unusual training row
DIGITS = 9  # of scores
TOL = 1e-10  # of the one-class SVM: ranks change where scores differ at all, and the last steps are cheap
WORDS = {
    "mixture": "density of a Gaussian mixture",
    "one_class": "score of a one-class SVM",
    "forest": "proximity in a forest",
}


class OutlierEnsemble(OutlierDetector):
    """Mixture density, one-class SVM and forest proximity say how unusual a row is; their ranks are averaged.

    Each method compares the score of a row with those of the training rows, scored by models that had not
    seen them: the share of training rows that are less unusual. These shares have one scale, whatever the
    methods measure, and their mean is how unusual the row is. scikit-learn has no such combination; its
    `IsolationForest` is a single method. Time grows with the number of rows, that of the one-class SVM with
    the square of at most 5,000 of them.

    Parameters
    ----------
    methods : sequence of str, default ("mixture", "one_class", "forest")
        What is combined: the density of a `GaussianMixture` with 1 to ``max_components`` components, chosen
        by BIC; the score of a `OneClassSVM`; the mean squared proximity to training rows in a forest that
        tells them from rows drawn uniformly from the ranges and levels of the columns.
    share : float, default 0.05
        Share of rows like the training rows that are called outliers; up to three times as much if otherwise
        none of the training rows would be one.
    max_components : int, default 5
        Largest number of components of the mixture.
    nu : float, default 0.2
        That of the one-class SVM.
    n_estimators : int, default 100
        Trees of the forest.
    cv : int or None, default 5
        Folds in which training rows are scored by models that have not seen them; with None they are scored
        by the models of all rows, which is faster and makes new rows look more unusual than they are.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    encoder_ : Encoder
        Makes standardized numbers of the rows, for the mixture and the one-class SVM.
    mixture_, machine_, forest_ : learners
        The fitted methods; None for those that are not combined.
    leaves_ : ndarray of shape (n_others, n_estimators)
        Nodes of the forest in which some training rows end.
    leaf_weight_ : ndarray of shape (n_others,)
        Their weights.
    references_ : list of ScoreDistribution
        For each method the scores of the training rows.
    distribution_ : ScoreDistribution
        The scores of the training rows by all methods together, as `score_samples` gives them.
    offset_ : float
        What scores of rows are compared with.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    OneClassSVM : One of the methods alone.
    GaussianMixture : Another; its density is low where rows are rare.
    RandomForestClassifier : Its ``outliers`` are rows far from others of their class.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import OutlierEnsemble
    >>> draw = np.random.default_rng(0)
    >>> x = draw.normal(size=200)
    >>> model = OutlierEnsemble(random_state=0).fit(np.column_stack([x, x + 0.1 * draw.normal(size=200)]))
    >>> model.predict([[1.0, 1.0], [1.0, -1.0]]).tolist()  # usual numbers, but not together
    [1, -1]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "several scores of rows, each replaced by its rank among those of the training rows"
    objective = "that of each method; ranks come from rows that it has not seen"
    optimizer = "that of each method"

    encoder_: Encoder
    mixture_: GaussianMixture | None
    machine_: OneClassSVM | None
    forest_: ExtraTreesClassifier | None
    leaves_: Annotated[NDArray[np.int32], Shape("n_others", "n_trees")]
    leaf_weight_: Annotated[Floats, Shape("n_others")]
    references_: Annotated[list[ScoreDistribution], Shape("n_methods")]
    distribution_: ScoreDistribution

    def __init__(
        self,
        *,
        methods: Sequence[str] = METHODS,
        share: Annotated[float, Range(0.0, 0.5, open_low=True)] = 0.05,
        max_components: Annotated[int, Range(low=1)] = 5,
        nu: Annotated[float, Range(0.0, 1.0, open_low=True)] = 0.2,
        n_estimators: NEstimators = 100,
        cv: Annotated[int, Range(low=2)] | None = 5,
        n_jobs: Jobs = None,
        random_state: Seed = None,
    ) -> None:
        self.methods = methods
        self.share = share
        self.max_components = max_components
        self.nu = nu
        self.n_estimators = n_estimators
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit(self, frame: Frame, y: None, w: Floats | None) -> None:  # noqa: ARG002 - of all learners
        self._check_methods()
        seed = seed_of(self.random_state)
        if w is not None and not (w > 0).all():
            rows = np.flatnonzero(w > 0)
            frame, w = frame[rows], w[rows]
        self._fit_methods(frame, w, seed)
        scores = self._unseen_scores(frame, w, seed)
        self.references_ = [ScoreDistribution.of(column, w) for column in scores.T]
        self.distribution_ = unseen = ScoreDistribution.of(1.0 - self._combined(scores), w)
        seen = ScoreDistribution.of(1.0 - self._combined(self._method_scores(frame)), w)
        # Models that have seen a row find it less unusual: the most unusual one is an outlier nevertheless,
        # as long as that does not make outliers of many rows that they have not seen.
        self.offset_ = max(unseen.cut(self.share), min(seen.cut(0.0), unseen.cut(MOST_TIMES * self.share)))

    def _check_methods(self) -> None:
        names = list(self.methods)
        if not names or len(set(names)) < len(names) or any(name not in METHODS for name in names):
            raise ParameterError(
                f"OutlierEnsemble: parameter 'methods' must name one or more of {', '.join(METHODS)}, each "
                f"once; got {self.methods!r}."
            )

    def _fit_methods(self, frame: Frame, w: Floats | None, seed: int) -> None:
        """Fit the methods to rows of positive weight."""
        # An indicator for missing cells: that one is missing may be what is unusual.
        self.encoder_ = Encoder(scale="standard", missing="indicate").fit(frame, None, w)
        self.mixture_ = self.machine_ = self.forest_ = None
        self.leaves_, self.leaf_weight_ = np.zeros((0, 0), dtype=np.int32), np.zeros(0)
        numbers = np.ascontiguousarray(self.encoder_.transform(frame))
        if "mixture" in self.methods:
            self.mixture_ = fitted_mixture(numbers, w, self.max_components, seed)
        some = some_rows(frame, w, MOST_LEARNED, seed)
        part, weights = frame[some], None if w is None else w[some]
        if "one_class" in self.methods:
            machine = OneClassSVM(nu=self.nu, tol=TOL, n_jobs=self.n_jobs)
            self.machine_ = machine.fit(numbers[some], None, weights)
        if "forest" in self.methods:
            self.forest_ = fitted_forest(part, weights, self.n_estimators, seed, self.n_jobs)
            others = some_rows(part, weights, MOST_OTHERS, seed)
            self.leaves_ = self._leaves(part[others])
            self.leaf_weight_ = np.ones(len(others)) if weights is None else weights[others]

    def _leaves(self, frame: Frame) -> NDArray[np.int32]:
        assert self.forest_ is not None
        forest = self.forest_
        # Numbered through all trees, so that nodes of different trees are not taken for the same.
        return np.asarray(forest.apply(frame) + forest.forest_.roots, dtype=np.int32)

    def _check_leaves(self) -> None:
        """Refuse nodes that the forest does not have, as in a damaged model file."""
        assert self.forest_ is not None
        n_nodes = len(self.forest_.forest_.kind)
        if not len(self.leaves_) or self.leaves_.min() < 0 or self.leaves_.max() >= n_nodes:
            raise ValueError(
                "OutlierEnsemble: leaves_ names nodes that the forest does not have: fit it again."
            )

    def _method_scores(self, frame: Frame) -> Floats:
        """How unusual rows are by each method, in its own unit: an array (n_rows, n_methods)."""
        columns = []
        numbers = np.ascontiguousarray(self.encoder_.transform(frame))
        for name in self.methods:
            if name == "mixture":
                assert self.mixture_ is not None
                columns.append(-self.mixture_.score_samples(numbers))
            elif name == "one_class":
                assert self.machine_ is not None
                # Coefficients add up to nu times the rows: as a mean, scores of models of more and of fewer
                # rows can be compared.
                columns.append(-self.machine_.score_samples(numbers) / self.machine_.dual_coef_.sum())
            else:
                self._check_leaves()
                columns.append(proximity_scores(self._leaves(frame), self.leaves_, self.leaf_weight_))
        # Rounded, because ranks depend on which scores are equal, and sums are so only up to rounding.
        return np.asarray(np.column_stack(columns).round(DIGITS))

    def _unseen_scores(self, frame: Frame, w: Floats | None, seed: int) -> Floats:
        """Scores of the training rows, by models that have not seen them."""
        # By content: equal rows are in one fold, wherever they are in the table.
        bits = row_bits([frame.column(j) for j in range(len(frame.schema))], len(frame), 0)
        fold_of = (bits % np.uint64(self.cv or 1)).astype(np.intp)
        if self.cv is None or len(np.unique(fold_of)) < 2:
            return self._method_scores(frame)
        scores = np.empty((len(frame), len(self.methods)))
        for fold in np.unique(fold_of):
            train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            part = clone(self)
            # Its methods only, which it has no public way to fit alone.
            part._fit_methods(frame[train], None if w is None else w[train], seed)  # noqa: SLF001
            scores[test] = part._method_scores(frame[test])  # noqa: SLF001
        return scores

    def _combined(self, scores: Floats) -> Floats:
        shares = [one.share_below(scores[:, m]) for m, one in enumerate(self.references_)]
        return np.asarray(np.mean(shares, axis=0))

    def _decision(self, frame: Frame) -> Floats:
        return 1.0 - self._combined(self._method_scores(frame)) - self.offset_

    def _predict(self, frame: Frame) -> Any:
        return self._answer(frame)

    def method_scores(self, X: Any) -> Floats:
        """Say how unusual rows are by each method, in the unit of the method.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_rows, n_methods)
            Minus the log density, minus the score of the one-class SVM, minus the log of the mean squared
            proximity: the larger, the more unusual.
        """
        return self._method_scores(self._prepared(X))

    def _describe(self) -> Description:
        facts: dict[str, Any] = {"outliers": f"{self.share:.3g} of the training rows", "offset": self.offset_}
        if self.mixture_ is not None:
            facts["components of the mixture"] = len(self.mixture_.weights_)
        if self.machine_ is not None:
            facts["support vectors"] = len(self.machine_.support_)
        if self.forest_ is not None:
            facts["trees"] = self.n_estimators
        rows: list[list[Cell]] = [
            [WORDS[name], *np.interp([0.5, 0.95], one.below[1:], one.values).tolist()]
            for name, one in zip(self.methods, self.references_, strict=True)
        ]
        title = f"Outlier Ensemble: mean rank of {len(rows)} method{'s' if len(rows) > 1 else ''}"
        heads = ["method", "median score", "score of the 5 % most unusual"]
        return Description(title, facts, [Table("Scores of the training rows", heads, rows)])

    def _working(self, row: Frame) -> Working:
        scores, k = self._method_scores(row), len(self.references_)
        terms = [
            Term(
                f"share of rows more unusual by {WORDS[name]} / {k}",
                [float(1.0 - one.share_below(scores[:, m])[0]) / k, 0.0],
            )
            for m, (name, one) in enumerate(zip(self.methods, self.references_, strict=True))
        ]
        terms.append(Term("offset", [-self.offset_, 0.0]))
        title = "A usual row (1) is less unusual than most by the mean of all methods, an outlier (-1) is not"
        return Working(title, "sum", [1, -1], terms, int(self._answer(row)[0]))

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        if X is not None:
            return draw_outlier_scores(self, X, y, ax)
        values = self.distribution_.values - self.offset_
        codes = (values >= 0).astype(np.intp)
        ax = strips(
            values, codes, ["outlier", "usual"], ax, name="score of training rows, below 0 for outliers"
        )
        ax.axvline(0.0, color="gray", linewidth=1.0, zorder=0)
        return ax
