"""Learning vector quantization: prototypes of the classes that rows attract and repel."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.base import Classifier, Description, Table, Term, Working
from hornbook.display import Cell
from hornbook.frame import Blocks
from hornbook.networks.prototypes._initialization import (
    given_prototypes,
    initial_prototypes,
    prototype_codes,
)
from hornbook.networks.prototypes._ordered_rows import OrderedRows
from hornbook.networks.prototypes._plot import draw
from hornbook.params import Finite, Floats, Index, Jobs, MaxIter, Range, Seed, Shape, Tol, Tune, Verbose
from hornbook.random import seed_of

__all__ = ["LVQClassifier"]

MANY = 2**31  # prototypes: no limit where rows are to come
OUT_OF_SIGHT = 3.0  # times as far from a row as the farthest other row
RULES = {"lvq1": 0, "lvq2.1": 1, "lvq3": 2, "glvq": 3}


class LVQClassifier(Classifier):
    """Learning vector quantization (Kohonen 1990): a row has the class of the nearest of a few prototypes.

    Rows are presented one after the other, and the nearest prototype moves toward a row of its own class and
    away from a row of another. Unlike packages for Python it has the classic rules and the generalized one
    side by side, takes categories, missing cells and weights, and does not depend on the order of the rows.

    The rows of a pass come in a random order. A row of weight w is presented w times, at most 1024 times; w
    copies of a row are the same. Of equally near prototypes the first counts as the nearest.

    Parameters
    ----------
    prototypes : int or sequence of labels, default 1
        Number of prototypes of each class, at most as many as it has distinct rows with weight; or the class
        of each prototype, for example ``["a", "b", "b"]``.
    variant : {"lvq1", "lvq2.1", "lvq3", "glvq"}, default "lvq1"
        How a row x changes the prototypes. ``"lvq1"``: the nearest one, p, moves by eta (x - p) if it has the
        class of x, else by -eta (x - p). ``"lvq2.1"``: if the two nearest are one of the class of x and one
        of another, and x is near the border between them, the first moves toward x and the second away.
        Start it with a low ``eta0``: nothing keeps prototypes from being pushed ever farther away. The
        prototypes with the fewest errors of all passes are kept.
        ``"lvq3"``: the same, and where both have the class of x they move by ``epsilon`` eta (x - p).
        ``"glvq"`` (Sato and Yamada 1995): the nearest p of the class of x, at square distance d, and the
        nearest q of another, at e, descend the gradient of f = 1 / (1 + exp(-beta (d - e) / (d + e))): p by
        eta s f' e / (d + e)² (x - p), q by -eta s f' d / (d + e)² (x - q), none farther than its
        distance. s, the sum of the variances of the columns, makes units irrelevant; it is 1 in the paper.
    eta0 : float, default 0.1
        Learning rate eta of the first pass, between 0 and 1.
    learning_rate : {"linear", "inverse", "constant"}, default "linear"
        Learning rate in pass t = 0, 1, ...: eta0 (1 - t / max_iter), eta0 / (1 + t), or eta0.
    init : {"kmeans", "random"} or array of shape (n_prototypes, n_encoded), default "kmeans"
        Initial prototypes: centers of clusters of the rows of the class, or rows of the class drawn with
        probability proportional to weight, or given ones, in the order of ``prototypes``.
    window : float, default 0.3
        For ``"lvq2.1"`` and ``"lvq3"``: a row at distances d <= e of the two nearest is near the border when
        d / e >= (1 - window) / (1 + window).
    epsilon : float, default 0.2
        For ``"lvq3"``: factor of the learning rate where both of the nearest have the class of the row.
    beta : float, default 2.0
        For ``"glvq"``: slope of the logistic function.
    max_iter : int, default 100
        The most passes over the rows.
    tol : float, default 1e-4
        Passes end when the sum of the squared moves of the prototypes is at most this times the mean variance
        of the columns.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : int, default 0
        Whether to print each pass.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    prototypes_ : ndarray of shape (n_prototypes, n_encoded)
        The prototypes.
    prototype_codes_ : ndarray of shape (n_prototypes,)
        The class of each, as a place in ``classes_``.
    spread_ : float
        Sum of the variances of the columns.
    n_iter_ : int
        Number of passes.
    history_ : dict
        For each pass the learning rate, the weight of the rows that are then nearest to a prototype of
        another class, and the sum of the squared moves.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    Examples
    --------
    >>> from hornbook import LVQClassifier, datasets
    >>> melons = datasets.watermelon("3.0a")
    >>> model = LVQClassifier(prototypes=2, random_state=0).fit(melons)
    >>> model.prototypes_.round(2).tolist()
    [[0.65, 0.12], [0.3, 0.2], [0.68, 0.35], [0.47, 0.2]]
    >>> model.predict([{"density": 0.7, "sugar": 0.4}]).tolist()
    [True]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    scale_sensitive: ClassVar[bool] = True
    counts_absent: ClassVar[bool] = True

    model_class = "a few prototypes of each class; a row has the class of the nearest"
    objective = "rows nearest to prototypes of their own class"
    optimizer = "one row after the other attracts and repels prototypes"

    prototypes_: Annotated[Floats, Shape("n_prototypes", "n_encoded"), Finite()]
    prototype_codes_: Annotated[NDArray[np.int32], Shape("n_prototypes"), Index("n_classes")]
    spread_: float
    n_iter_: int

    def __init__(
        self,
        prototypes: Annotated[int, Range(low=1), Tune(1, 10)] | Sequence[Any] = 1,
        *,
        variant: Literal["lvq1", "lvq2.1", "lvq3", "glvq"] = "lvq1",
        eta0: Annotated[float, Range(0, 1, open_low=True, open_high=True), Tune(0.01, 0.3, log=True)] = 0.1,
        learning_rate: Literal["linear", "inverse", "constant"] = "linear",
        init: Literal["kmeans", "random"] | ArrayLike = "kmeans",
        window: Annotated[float, Range(0, 1, open_low=True, open_high=True)] = 0.3,
        epsilon: Annotated[float, Range(0, 1)] = 0.2,
        beta: Annotated[float, Range(low=0, open_low=True)] = 2.0,
        max_iter: MaxIter = 100,
        tol: Tol = 1e-4,
        random_state: Seed = None,
        n_jobs: Jobs = None,
        verbose: Verbose = 0,
    ) -> None:
        self.prototypes = prototypes
        self.variant = variant
        self.eta0 = eta0
        self.learning_rate = learning_rate
        self.init = init
        self.window = window
        self.epsilon = epsilon
        self.beta = beta
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        seed = seed_of(self.random_state)
        rows = OrderedRows.of(X, y, w, seed)
        self.spread_ = self._spread_of(rows.X, rows.w)
        self._begin(rows, np.bincount(rows.y, minlength=len(self.classes_)), seed)
        tolerance = self.tol * self.spread_ / max(1, X.shape[1])
        best, fewest, lost = self.prototypes_, self._errors(rows), False
        bound = OUT_OF_SIGHT * self._farthest(rows.X, rows.X[0])
        for i in self.iterate(self.max_iter, name="pass"):
            rate, before = self._rate(i), self.prototypes_
            self._pass(rows, rows.order(seed, i), rate)
            lost = not self._farthest(self.prototypes_, rows.X[0]) <= bound
            if lost:
                self.prototypes_ = best
            errors = self._errors(rows)
            if errors <= fewest:
                best, fewest = self.prototypes_, errors
            shift = float(np.square(self.prototypes_ - before).sum())
            self.n_iter_ = i + 1
            self.record(eta=rate, errors=errors, shift=shift)
            if lost or shift <= tolerance:
                break
        if self.variant in ("lvq2.1", "lvq3"):  # which go on repelling when nothing is to be gained
            self.prototypes_ = best
        if lost:
            self._warn_of_divergence(rate)

    def _partial_fit(self, blocks: Blocks) -> None:
        (block,) = blocks
        X, y = block.X, np.asarray(block.y, dtype=np.int32)
        w = np.ones(len(y)) if block.w is None else block.w
        if not hasattr(self, "prototypes_"):
            seed, known = seed_of(self.random_state), np.full(len(self.classes_), MANY)
            self._begin(OrderedRows.of(X, y, block.w, seed), known, seed)
            both = np.concatenate([X, self.prototypes_])  # the first rows may be one
            self.spread_, self.n_iter_ = self._spread_of(both, np.ones(len(both))), 0
        self._pass(OrderedRows(X, y, w, np.empty(0, np.uint64)), np.arange(len(y)), self.eta0)
        self.n_iter_ += 1

    def _spread_of(self, X: Floats, w: Floats) -> float:
        """Sum of the variances of the columns."""
        share = w / w.sum()
        with np.errstate(over="ignore", invalid="ignore"):
            gaps = X - X[0]
            gaps -= share @ gaps
            variance: Floats = share @ np.square(gaps)
        # Moves may take prototypes several times as far out as the rows are.
        if not np.isfinite(1e6 * variance.sum()):
            widest = self.encoded_names_[int(np.argmax(np.nan_to_num(variance, nan=np.inf)))]
            raise ValueError(
                f"LVQClassifier: column {widest!r} holds values so large that square distances overflow: "
                "rescale it."
            )
        return float(variance.sum())

    def _begin(self, rows: OrderedRows, most: NDArray[np.intp], seed: int) -> None:
        """Set the initial prototypes."""
        codes = prototype_codes(self.prototypes, self.classes_, most)
        if isinstance(self.init, str):
            init, classes = cast("Literal['kmeans', 'random']", self.init), self.classes_
            self.prototypes_ = initial_prototypes(init, rows.of_classes(len(classes)), codes, classes, seed)
        else:
            self.prototypes_ = given_prototypes(self.init, len(codes), len(self.encoded_names_))
        self.prototype_codes_ = codes

    def _rate(self, i: int) -> float:
        if self.learning_rate == "linear":
            return self.eta0 * (1.0 - i / self.max_iter)
        return self.eta0 / (1.0 + i) if self.learning_rate == "inverse" else self.eta0

    def _pass(self, rows: OrderedRows, order: NDArray[np.int64], rate: float) -> None:
        """Present the rows in this order."""
        step = rate * self.spread_ if self.variant == "glvq" else rate
        settings = (RULES[self.variant], step, self.window, self.epsilon, self.beta)
        self.prototypes_ = _native.lvq_pass(
            rows.X, rows.y, rows.w, order, self.prototypes_, self.prototype_codes_, *settings
        )

    def _errors(self, rows: OrderedRows) -> float:
        """Weight of the rows that are nearest to a prototype of another class."""
        return float(rows.w[self._predict(rows.X) != rows.y].sum())

    @staticmethod
    def _farthest(points: Floats, origin: Floats) -> float:
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.sqrt(np.square(points - origin).sum(axis=1).max()))

    def _warn_of_divergence(self, rate: float) -> None:
        warnings.warn(
            f"LVQClassifier: rows pushed a prototype out of their sight at the learning rate {rate:.3g}; the "
            "best prototypes until then were kept: lower eta0, or choose variant='glvq'.",
            ConvergenceWarning,
            stacklevel=9,
        )

    @property
    def prototype_classes_(self) -> NDArray[Any]:
        """The class of each prototype."""
        labels: NDArray[Any] = self.classes_[self.prototype_codes_]
        return labels

    def _squares(self, X: Floats) -> Floats:
        return _native.square_distances(X, self.prototypes_, self._threads())

    def _predict(self, X: Floats) -> NDArray[np.int32]:
        return self.prototype_codes_[_native.nearest_centers(X, self.prototypes_, self._threads())[0]]

    def _decision(self, X: Floats) -> Floats:
        distances = np.sqrt(self._squares(X))
        scores = np.full((len(X), len(self.classes_)), -np.inf)
        for code in np.unique(self.prototype_codes_).tolist():
            scores[:, code] = -distances[:, self.prototype_codes_ == code].min(axis=1)
        # Larger means more of the class: minus the distance, or with two classes the difference.
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _describe(self) -> Description:
        k, d = self.prototypes_.shape
        facts = {
            "rule": self.variant,
            "passes": self.n_iter_,
            "start": self.init if isinstance(self.init, str) else "given",
        }
        head = ["column", *(f"{i + 1}: {label}" for i, label in enumerate(self.prototype_classes_.tolist()))]
        cells: list[list[Cell]] = [
            [str(name), *map(float, column)]
            for name, column in zip(self.encoded_names_, self.prototypes_.T, strict=True)
        ]
        title = f"LVQ classifier: {k} prototypes of {len(self.classes_)} classes, {d} columns"
        return Description(title, facts, [Table("Prototypes", head, cells)])

    def _working(self, X: Floats) -> Working:
        squares = np.square(X[0] - self.prototypes_)
        terms = [
            Term(f"{name} = {X[0, j]:.6g}", (0.0 - squares[:, j]).tolist())
            for j, name in enumerate(self.encoded_names_)
        ]
        title = "LVQ: the nearest prototype is the one with the largest sum of -(value - prototype)²"
        labels = self.prototype_classes_.tolist()
        return Working(title, "sum", labels, terms, self._answer(X)[0], distances=True)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = None if X is None else self._prepared(X)
        return draw(self, rows, y, ax)
