"""Voting: classifiers of different types, combined by a rule."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook._scikit import available_if
from hornbook.base import Classifier, Description, Term, Working, in_plane, member_label_proba
from hornbook.ensembles.combining._description import draw_weights, member_description, members_text
from hornbook.ensembles.combining._members import Task, few_alone, rows_for
from hornbook.ensembles.combining._rules import RULES, CombinationRule
from hornbook.ensembles.combining._votes import (
    Quorum,
    Ties,
    drawn_breakers,
    quorum_share,
    rejected,
    settled,
    tied,
    with_rejection,
)
from hornbook.ensembles.combining._voting import VotingMembers
from hornbook.frame import Frame
from hornbook.params import Floats, Jobs, ParameterError, Seed, Verbose
from hornbook.plots import boundaries
from hornbook.random import row_bits, seed_of

__all__ = ["VotingClassifier"]

RuleName = Literal[
    "plurality", "majority", "sum", "product", "median", "min", "max", "borda", "dempster_shafer"
]
FOR_LABELS = ("plurality", "majority")  # the rules that also combine votes for labels


class VotingClassifier(VotingMembers, Classifier):
    """Several classifiers vote on the class of a row, or combine their probabilities by a rule.

    Members may be of any type, of Hornbook or scikit-learn, fitted here or given fitted. Unlike
    scikit-learn's, they learn from tables with categories and missing cells and from the labels as they are,
    and there are more rules than the vote and the mean; named and default parameters mean the same. The fit
    takes as long as those of its members.

    Parameters
    ----------
    estimators : list of (str, classifier) pairs
        The members and their names; "drop" in place of a classifier leaves it out.
    voting : {"hard", "soft"}, default "hard"
        Whether members give the class they predict, or the probabilities of all classes, which must then be
        comparable: see `Calibrated`.
    rule : str, optional
        "plurality" (the most votes; the default of ``voting="hard"``) or "majority" (more than half of the
        votes, else the row is rejected). With ``voting="soft"`` also "sum" (the mean of the probabilities;
        its default), "product" (their geometric mean), "median", "min", "max" (normalized), "borda" (ranks)
        or "dempster_shafer" (evidence; ``weights`` are the reliabilities, between 0 and 1).
    weights : array-like of shape (n_estimators,), optional
        Weights of the members, at least 0; all count the same when left out. Not for "median", "min", "max".
    reject : object, optional
        What is predicted for rows without a majority, such as "unsure" or -1; needed for, and only for,
        ``rule="majority"``.
    quorum : int or float, optional
        How many members must agree, or at least what share of the votes, for ``rule="majority"``; more than
        half when left out.
    ties : {"first", "random", "confidence"}, default "first"
        Which class is taken of several with the most votes: the first in order, as in scikit-learn; one at
        random, the same for equal rows; or the one with the largest mean probability, which members must
        then give. For "plurality" and "majority".
    prefit : bool, default False
        Whether the members are fitted already and combined as they are; `fit` then learns the classes only.
        Clones, as cross-validation makes them, forget what members have learned.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    flatten_transform : bool, default True
        Whether `transform` gives the probabilities of ``voting="soft"`` side by side, or as an array of
        shape (n_members, n_rows, n_classes).
    verbose : bool or int, default False
        Whether to print a line for each member.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimators_ : list of learners
        The members, fitted.
    named_estimators_ : dict
        The same by name.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    VotingRegressor : Mean of different regressors.
    StackingClassifier : A combiner learns from what members say, for classes.

    Examples
    --------
    >>> from hornbook import DecisionStump, LogisticRegression, NaiveBayes, VotingClassifier, datasets
    >>> iris = datasets.iris()
    >>> members = [("bayes", NaiveBayes()), ("stump", DecisionStump()), ("line", LogisticRegression())]
    >>> model = VotingClassifier(members, voting="soft", rule="product").fit(iris)
    >>> model.predict(iris.features[[0, 50, 149]]).tolist()
    ['setosa', 'versicolor', 'virginica']
    """

    model_class = "combinations of one model of each member by a fixed rule"
    task: ClassVar[Task] = "classification"

    seed_: int

    def __init__(
        self,
        estimators: list[tuple[str, Any]] | tuple[tuple[str, Any], ...],
        *,
        voting: Literal["hard", "soft"] = "hard",
        rule: RuleName | None = None,
        weights: ArrayLike | None = None,
        reject: Any = None,
        quorum: Quorum = None,
        ties: Ties = "first",
        prefit: bool = False,
        n_jobs: Jobs = None,
        flatten_transform: bool = True,
        verbose: Verbose = False,
        random_state: Seed = None,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.rule = rule
        self.weights = weights
        self.reject = reject
        self.quorum = quorum
        self.ties = ties
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.flatten_transform = flatten_transform
        self.verbose = verbose
        self.random_state = random_state

    def _rule_name(self) -> str:
        return self.rule or ("plurality" if self.voting == "hard" else "sum")

    def _rule(self) -> CombinationRule:
        return RULES[self._rule_name()]

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        self._check_rule()
        if self.ties == "random":
            self.seed_ = seed_of(self.random_state)
        self._fit_members(frame, self.classes_[y], w)
        if self.quorum is not None:
            quorum_share(self.quorum, len(self.estimators_), "VotingClassifier")
        # A dry run on one cell raises the error for bad weights at fit rather than at predict.
        self._rule().contributions(np.ones((len(self.estimators_), 1, 1)), self._weights())  # checks weights

    def _check_rule(self) -> None:
        name = self._rule_name()
        for member, estimator in self._members():
            if (self.voting == "soft" or self.ties == "confidence") and not hasattr(
                estimator, "predict_proba"
            ):
                raise TypeError(
                    f"VotingClassifier: member {member!r} gives no probabilities, which voting='soft' and "
                    "ties='confidence' need: choose a learner that has predict_proba, or use Calibrated."
                )
        if self.voting == "hard" and name not in FOR_LABELS:
            raise ParameterError(
                f"VotingClassifier: rule={name!r} combines probabilities: set voting='soft', or choose the "
                "rule 'plurality' or 'majority'."
            )
        if self.weights is not None and not self._rule().weighted:
            raise ParameterError(
                f"VotingClassifier: rule={name!r} takes no 'weights': leave them out, or choose another rule."
            )
        if (name == "majority") != (self.reject is not None) or (
            self.quorum is not None and name != "majority"
        ):
            raise ParameterError(
                "VotingClassifier: rule='majority' needs 'reject', which is predicted without a majority, "
                "and no other rule takes 'reject' or 'quorum'; got "
                f"rule={name!r}, reject={self.reject!r}, quorum={self.quorum!r}."
            )
        if self.ties != "first" and name not in FOR_LABELS:
            raise ParameterError(
                f"VotingClassifier: ties={self.ties!r} breaks ties of votes, and rule={name!r} has none: "
                "leave it out."
            )

    def _probabilities(self, frame: Frame) -> Floats:
        """Probabilities by each member."""
        frame = frame.prepared()
        with few_alone(frame):
            return np.stack(
                [
                    member_label_proba(member, rows_for(member, frame, given=self.prefit), self.classes_)
                    for member in self.estimators_
                ]
            )

    def _votes(self, frame: Frame) -> NDArray[np.intp]:
        """The class that each member predicts, as its position."""
        return np.stack([np.searchsorted(self.classes_, answers) for answers in self._answers(frame)])

    def _tables(self, frame: Frame) -> Floats:
        """What each member gives to each row and class: its vote, or probabilities."""
        if self.voting == "soft":
            return self._probabilities(frame)
        # (members, rows, classes), one-hot: hard and soft votes go through the same rules.
        return np.asarray(np.arange(len(self.classes_)) == self._votes(frame)[..., None], dtype=np.float64)

    def _breakers(self, frame: Frame, totals: Floats) -> Floats | None:
        """What settles ties, by row and class."""
        if self.ties == "first":
            return None
        if self.ties == "confidence":
            return np.asarray(self._probabilities(frame).mean(axis=0))
        # By content: equal rows always get the same class.
        columns = (frame.column(j) for j in range(len(frame.schema)))
        bits = row_bits(columns, len(frame), self.seed_)
        return drawn_breakers(totals, np.asarray((bits >> np.uint64(11)).astype(np.float64) * 2.0**-53))

    def _scores(self, frame: Frame) -> Floats:
        return self._rule().combine(self._tables(frame), self._weights())

    def _decided(self, frame: Frame) -> tuple[Floats, NDArray[np.intp]]:
        """Scores of the classes, and the position of the class that is taken."""
        scores = self._scores(frame)
        if self._rule_name() not in FOR_LABELS:
            return scores, np.asarray(scores.argmax(axis=1))
        return scores, settled(scores, self._breakers(frame, scores))

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        return self._decided(frame)[1]

    def _answer(self, rows: Frame) -> NDArray[Any]:
        core = self._core()
        scores, choice = core._decided(rows)  # noqa: SLF001 - itself, without classes that have no weight
        labels: NDArray[Any] = core.classes_[choice]
        if self._rule_name() != "majority":
            return labels
        return with_rejection(labels, self._rejected(scores), self.reject)

    def _rejected(self, scores: Floats) -> NDArray[np.bool_]:
        """Which rows have no majority, where the rule asks for one."""
        if self._rule_name() != "majority":
            return np.zeros(len(scores), dtype=np.bool_)
        return rejected(scores, self.quorum, len(self.estimators_), "VotingClassifier")

    @available_if(lambda self: self.voting == "soft" and self._rule().probabilities)
    def _proba(self, frame: Frame) -> Floats:
        return self._scores(frame)

    def _transform(self, frame: Frame) -> Floats:
        if self.voting == "hard":
            return np.asarray(self._votes(frame).T, dtype=np.float64)
        tables = self._probabilities(frame)
        return np.hstack(list(tables)) if self.flatten_transform else tables

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002 - scikit-learn passes it
        """Name the columns of `transform`: one for each member, or for each of its classes.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; here because scikit-learn passes it.

        Returns
        -------
        names : ndarray of str
            votingclassifier_bayes, ...; with the position of the class at the end for ``voting="soft"``.
        """
        if self.voting == "soft" and not self.flatten_transform:
            raise ValueError(
                "VotingClassifier: columns have names with flatten_transform=True only: set it, or use hard "
                "votes."
            )
        classes = [""] if self.voting == "hard" else list(range(len(self.classes_)))
        names = [f"votingclassifier_{name}{k}" for name in self.member_names_ for k in classes]
        return np.array(names, dtype=object)

    def _describe(self) -> Description:
        facts: dict[str, Any] = {"voting": self.voting, "rule": self._rule_name()}
        if self._rule_name() in FOR_LABELS:
            facts["ties"] = self.ties
        if self.reject is not None:
            facts["without a majority"] = self.reject
        weights = self._weights() or [1.0] * len(self.estimators_)
        known = [", ".join(map(str, member.classes_.tolist())) for member in self.estimators_]
        return member_description(
            type(self).__name__, facts, self._named(), ["weight", "classes"], weights, known
        )

    def _working(self, row: Frame) -> Working:
        tables, rule = self._tables(row), self._rule()
        scores, choice = self._decided(row)
        parts = rule.contributions(tables, self._weights())[:, 0]
        says = "vote" if self.voting == "hard" else "says"
        terms = [
            Term(f"{name} {says}", part.tolist())
            for name, part in zip(self.member_names_, parts, strict=True)
        ]
        breakers = self._breakers(row, scores) if self._rule_name() in FOR_LABELS else None
        best = tied(scores)[0]
        if breakers is not None and best.sum() > 1 and not self._rejected(scores)[0]:
            terms.append(Term(f"{self.ties} among equals", np.where(best, breakers[0], 0.0).tolist()))
        labels, prediction = self.classes_.tolist(), self.classes_[choice[0]]
        title = f"{members_text(len(parts))}, combined by {self._rule_name()}"
        if self._rule_name() == "majority":
            return self._with_rejection(title, labels, terms, row)
        return Working(title, "product" if rule.logarithms else "sum", labels, terms, prediction)

    def _with_rejection(self, title: str, labels: list[Any], terms: list[Term], row: Frame) -> Working:
        """The working with rejection as a further candidate, which needs no votes but those of a quorum."""
        n = len(self.estimators_)
        needed = 0.5 if self.quorum is None else quorum_share(self.quorum, n, "VotingClassifier")
        padded = [Term(term.name, [*term.values, 0.0]) for term in terms]
        padded.append(Term("needed for a decision", [*(0.0 for _ in labels), needed]))
        candidates = [*labels, self.reject]
        if self.quorum is None:  # half is not enough: of equals the first is taken
            # Working takes the first of equal candidates, so rejection leads where half of the votes
            # must lose to it.
            candidates = candidates[-1:] + candidates[:-1]
            padded = [Term(term.name, [term.values[-1], *term.values[:-1]]) for term in padded]
        return Working(title, "sum", candidates, padded, self._answer(row)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        model = self
        if self._rule_name() == "majority":  # rows are drawn with the class that has most votes
            model = copy(self)
            model.rule, model.reject, model.quorum = "plurality", None, None
        if in_plane(X):
            title = f"Vote (bold) of {members_text(len(self.estimators_))}"
            labels = self.classes_[self._predict(X)] if y is None else y
            return boundaries(self.estimators_, X, labels, ax, bold=model, title=title)
        weights = np.asarray(self._weights() or [1.0] * len(self.estimators_))
        return draw_weights(model, weights, self.member_names_, X, y, ax)
