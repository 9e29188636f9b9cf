"""Calibration: scores or probabilities of a learner become probabilities that can be relied on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Accepts,
    Classifier,
    Description,
    PlattSigmoid,
    Table,
    Term,
    Working,
    adopted,
    draw_beside_rows,
)
from hornbook.display import Cell
from hornbook.ensembles.combining._calibrated_member import CalibratedMember, ClassMaps, mapped
from hornbook.ensembles.combining._calibration_maps import IsotonicMap, curve_of, fit_temperature, tempered
from hornbook.ensembles.combining._description import members_text
from hornbook.ensembles.combining._folds import Splits, held_out
from hornbook.ensembles.combining._inputs import Method, inputs_of
from hornbook.ensembles.combining._members import (
    check_tasks,
    fit_member,
    given_member,
    in_parallel,
    kind_of,
    rows_for,
)
from hornbook.frame import Frame
from hornbook.linear import LogisticRegression
from hornbook.params import Floats, Jobs, ParameterError, Range, Seed, Shape
from hornbook.plots import calibration_maps

__all__ = ["Calibrated"]

SMALLEST = 1e-12  # added to probabilities before their logarithm is taken, as in scikit-learn


class Calibrated(Classifier):
    """A classifier whose scores become probabilities, learned on rows that it has not learned from.

    Of all rows to which it gives the probability 0.8, about 80 % should be of that class, as soft voting
    needs it. Unlike scikit-learn's CalibratedClassifierCV, it takes tables with categories and missing cells;
    named and default parameters mean the same. The fit takes as long as one of the learner for each fold.

    Parameters
    ----------
    estimator : classifier, optional
        The learner, with ``decision_function`` or ``predict_proba``; `LogisticRegression` when left out.
    method : {"sigmoid", "isotonic", "temperature"}, default "sigmoid"
        The map from scores: the sigmoid 1 / (1 + exp(-(a f + b))) of each class against the rest; the closest
        increasing function, which needs more rows (about a thousand); or one factor of all log
        probabilities, which never changes the predicted class.
    cv : int, float, splitter, iterable or "prefit", optional
        The rows on which maps are learned: a number of folds (five when left out), a fraction that is held
        out, a splitter or pairs of training and test rows; "prefit" learns the map of a fitted learner from
        all rows. Rows that are equal in everything share a fold.
    ensemble : bool or "auto", default "auto"
        Whether the probabilities are the mean of one learner for each fold with its own map, as "auto" is, or
        come from one learner fitted on all rows and one map learned from the predictions of all folds.
    temperature : float, optional
        A temperature that is known already, for ``method="temperature"``: one learner is fitted to all rows,
        without folds, and the logarithms of its probabilities are divided by it. Above 1, the learner was too
        sure; below, not sure enough.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimators_ : list of learners
        The learner of each fold, or the one.
    maps_ : list of lists
        For each learner and class what turns its score into a probability; of two classes, the second has
        one. Absent for ``method="temperature"``.
    factors_ : ndarray of shape (n_learners,)
        The inverse temperatures; for ``method="temperature"`` only.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    ThresholdMoving : Other thresholds for classes of other frequency.
    VotingClassifier : Vote of different classifiers.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import Calibrated, NaiveBayes
    >>> draw = np.random.default_rng(0)
    >>> x = draw.normal(size=(400, 1))
    >>> y = (x[:, 0] + draw.normal(size=400) > 0).astype(int)
    >>> sure = NaiveBayes().fit(np.repeat(x, 5, axis=1), y)  # it takes five copies for five facts
    >>> model = Calibrated(NaiveBayes()).fit(np.repeat(x, 5, axis=1), y)
    >>> new = np.full((1, 5), 0.7)  # of the second class with probability 0.758
    >>> round(sure.predict_proba(new)[0, 1].item(), 2), round(model.predict_proba(new)[0, 1].item(), 2)
    (1.0, 0.78)
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    scale_sensitive: ClassVar[bool] = True
    model_class = "that of the learner inside, with increasing maps from its scores to probabilities"
    objective = "that of the learner inside, then log loss or squared error on rows it has not seen"
    optimizer = "that of the learner inside, then Newton's method, pooling of adjacent violators or bisection"

    estimators_: Annotated[list[Any], Shape("n_members")]
    maps_: Annotated[list[ClassMaps], Shape("n_members")]
    factors_: Annotated[Floats, Shape("n_members")]

    def __init__(
        self,
        estimator: Any = None,
        *,
        method: Literal["sigmoid", "isotonic", "temperature"] = "sigmoid",
        cv: Any = None,
        ensemble: Literal["auto"] | bool = "auto",
        temperature: Annotated[float, Range(low=0.0, open_low=True)] | None = None,
        n_jobs: Jobs = None,
        random_state: Seed = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.ensemble = ensemble
        self.temperature = temperature
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _inner(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def _asked(self) -> Method:
        """The method whose results are calibrated."""
        if self.temperature is not None and hasattr(self._inner(), "predict_proba"):
            return "predict_proba"
        # Scores before probabilities: probabilities may be saturated at 0 and 1, scores still rank
        # the rows.
        for method in ("decision_function", "predict_proba"):
            if hasattr(self._inner(), method):
                return method
        raise TypeError(
            f"Calibrated needs scores or probabilities, which {type(self._inner()).__name__} does not give: "
            "choose a learner that has decision_function or predict_proba."
        )

    def _given(self) -> bool:
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        check_tasks("Calibrated", [("estimator", self._inner())], "classification")
        self._asked()
        frame, labels = frame.prepared(), self.classes_[y]
        if self.temperature is not None:
            self._require_no_folds()
            self.estimators_ = [fit_member(self._inner(), frame, labels, w)]
            self.factors_ = np.array([1.0 / self.temperature])
            return
        if self._given():
            member = given_member(
                "Calibrated", "estimator", self._inner(), frame, self.classes_, "classification"
            )
            self._learn_maps([member], [(self._scores(member, frame), y, w)])
            return
        splits = held_out("Calibrated", self.cv, frame, y, w, classes=True, seed=self.random_state)
        rows = splits or [(np.arange(len(y)), np.arange(len(y)))]
        self._check_folds(splits)
        # One fold per thread; the learners inside are limited to one BLAS thread each.
        jobs = [partial(self._fit_fold, frame, labels, w, train, test) for train, test in rows]
        parts = list(in_parallel(jobs, self._threads()))
        members, scores = [member for member, _ in parts], [score for _, score in parts]
        tests = [test for _, test in rows]
        if self.ensemble is False:
            # A single model of all rows, calibrated by the scores of all folds together: smaller, and
            # as in scikit-learn, but the scores are those of slightly different models.
            members = [fit_member(self._inner(), frame, labels, w)]
            scores, tests = [np.concatenate(scores)], [np.concatenate(tests)]
        self._learn_maps(
            members,
            [
                (score, y[test], None if w is None else w[test])
                for score, test in zip(scores, tests, strict=True)
            ],
        )

    def _require_no_folds(self) -> None:
        """Refuse other ways to calibrate beside a temperature that is known."""
        if self.method != "temperature" or self.cv is not None:
            raise ParameterError(
                f"Calibrated: parameter 'temperature' is for method='temperature' without cv; got "
                f"method={self.method!r} and cv={self.cv!r}: leave it out, and it is learned."
            )

    def _check_folds(self, splits: Splits) -> None:
        by_fold = self.cv is not None and self.ensemble is not False and len(splits) > 0
        if by_fold and all(len(test) == 1 for _, test in splits):
            raise ValueError(
                "Calibrated: LeaveOneOut cross-validation does not allow all classes to be present in test "
                "splits, and a map cannot be learned from one row: choose fewer folds, or ensemble=False."
            )

    def _fit_fold(
        self,
        frame: Frame,
        labels: NDArray[Any],
        w: Floats | None,
        train: NDArray[np.intp],
        test: NDArray[np.intp],
    ) -> tuple[Any, Floats]:
        """The learner of one fold, and its scores of the rows held out."""
        member = fit_member(self._inner(), frame[train], labels[train], None if w is None else w[train])
        return member, self._scores(member, frame[test])

    def _scores(self, member: Any, frame: Frame) -> Floats:
        """One score for each class, or that of the second of two."""
        rows = rows_for(member, frame, given=self._given())
        return inputs_of(member, rows, self._asked(), self.classes_)

    def _logits(self, scores: Floats) -> Floats:
        if self._asked() == "predict_proba":
            # Softmax of log probabilities gives them back at temperature 1.
            whole = np.hstack([1 - scores, scores]) if len(self.classes_) == 2 else scores
            return np.asarray(np.log(whole + SMALLEST))
        return np.hstack([-scores, scores]) if len(self.classes_) == 2 else scores

    def _learn_maps(
        self, members: list[Any], held: list[tuple[Floats, NDArray[np.int32], Floats | None]]
    ) -> None:
        self.estimators_ = members
        if self.method == "temperature":
            self.factors_ = np.array([fit_temperature(self._logits(scores), y, w) for scores, y, w in held])
            return
        self.maps_ = [self._class_maps(member, *rows) for member, rows in zip(members, held, strict=True)]

    def _class_maps(self, member: Any, scores: Floats, y: NDArray[np.int32], w: Floats | None) -> ClassMaps:
        """A map for each class that the learner knows; of two classes, one for the second."""
        kind: Any = PlattSigmoid if self.method == "sigmoid" else IsotonicMap
        k = len(self.classes_)
        maps: ClassMaps = [None] * k
        if k == 2:
            # With two classes the second map is one minus the first, so that one is learned.
            maps[1] = kind.fit(scores[:, 0], y == 1, w)
        elif k > 2:
            known = np.searchsorted(self.classes_, member.classes_)
            for j in known.tolist():
                maps[j] = kind.fit(scores[:, j], y == j, w)
        return maps

    def _by_member(self, frame: Frame) -> Floats:
        """Probabilities by the learner of each fold."""
        if len(self.classes_) == 1:
            return np.ones((len(self.estimators_), len(frame), 1))
        frame = frame.prepared()
        return np.stack([self._of_member(i, frame) for i in range(len(self.estimators_))])

    def _of_member(self, i: int, frame: Frame) -> Floats:
        """Probabilities by one of the learners."""
        scores = self._scores(self.estimators_[i], frame)
        if self.method == "temperature":
            return tempered(self._logits(scores), float(self.factors_[i]))
        return mapped(scores, self.maps_[i])

    @property
    def calibrated_classifiers_(self) -> list[CalibratedMember]:
        """The learners with their maps, each of which gives probabilities: scikit-learn's name of them."""
        check_is_fitted(self)
        return [CalibratedMember(self, i) for i in range(len(self.estimators_))]

    def _proba(self, frame: Frame) -> Floats:
        return np.asarray(self._by_member(frame).mean(axis=0))

    def _describe(self) -> Description:
        facts = {
            "learner": kind_of(adopted(self._inner())),
            "method": self.method,
            "calibrated": {"decision_function": "scores", "predict_proba": "probabilities"}[self._asked()],
        }
        title = f"Calibrated: {members_text(len(self.estimators_))}"
        rows: list[list[Cell]]
        if self.method == "temperature":
            rows = [[i + 1, float(1 / factor)] for i, factor in enumerate(self.factors_)]
            words = Description(title, facts, [Table("Temperatures", ["learner", "temperature"], rows)])
            return words if self.temperature is None else self._with_member(words)
        pairs = [
            (i + 1, str(label), one)
            for i, maps in enumerate(self.maps_)
            for label, one in zip(self.classes_.tolist(), maps, strict=True)
            if one is not None
        ]
        if self.method == "sigmoid":
            rows = [
                [i, label, one.slope, one.intercept]
                for i, label, one in pairs
                if isinstance(one, PlattSigmoid)
            ]
            head = ["learner", "class", "slope", "intercept"]
        else:
            rows = [[i, label, len(one.scores)] for i, label, one in pairs if isinstance(one, IsotonicMap)]
            head = ["learner", "class", "points"]
        return Description(title, facts, [Table("Maps from scores to probabilities", head, rows)])

    def _with_member(self, words: Description) -> Description:
        """The member decides nearly all of it, in its own words."""
        facts = {**words.facts, "temperature": self.temperature}
        (member,) = self.estimators_
        if not hasattr(member, "describe"):
            return replace(words, facts=facts, tables=[])
        inside = member.describe()
        title = f"{inside.title}, with calibrated probabilities"
        return Description(title, {**inside.facts, **facts}, inside.tables)

    def _working(self, row: Frame) -> Working:
        if self.temperature is not None and len(self.classes_) > 1:
            return self._tempered_working(row)
        parts = self._by_member(row)[:, 0] / len(self.estimators_)
        terms = [Term(f"learner {i + 1} says", part.tolist()) for i, part in enumerate(parts)]
        answer = self.classes_[int(self._proba(row)[0].argmax())]
        title = f"Mean of the calibrated probabilities of {members_text(len(parts))}"
        return Working(title, "sum", self.classes_.tolist(), terms, answer)

    def _tempered_working(self, row: Frame) -> Working:
        """How the one member comes to its probabilities, and what the temperature makes of them."""
        (member,) = self.estimators_
        frame = row.prepared()
        scores = float(self.factors_[0]) * self._logits(self._scores(member, frame))
        inside = member.working(row) if hasattr(member, "working") else None
        terms = [Term(f"log probability / {self.temperature:.4g}", scores[0].tolist())]
        title = "Probabilities of the learner inside, calibrated by a temperature"
        answer = self.classes_[int(scores[0].argmax())]
        classes = self.classes_.tolist()
        return Working(title, "sum", classes, terms, answer, softmax=True, inside=inside)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        (first, *_) = self.estimators_
        if self.temperature is not None and hasattr(first, "plot"):
            return first.plot(X, y, ax)
        title = "From scores to probabilities"
        curves = self._curves()
        return draw_beside_rows(self, lambda place: calibration_maps(curves, place, title=title), X, y, ax)

    def _curves(self) -> dict[str, list[tuple[Floats, Floats]]]:
        """Points of the maps, by class; of a temperature, those of a log probability against another."""
        if self.method == "temperature":
            gap = np.linspace(-5.0, 5.0, 101)
            both = np.column_stack([np.zeros_like(gap), gap])
            return {"one of two classes": [(gap, tempered(both, float(b))[:, 1]) for b in self.factors_]}
        by_class: dict[str, list[tuple[Floats, Floats]]] = {}
        for maps in self.maps_:
            for label, one in zip(self.classes_.tolist(), maps, strict=True):
                if one is not None:
                    by_class.setdefault(str(label), []).append(curve_of(one))
        return by_class
