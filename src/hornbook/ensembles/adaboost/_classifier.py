"""AdaBoost for classes, in five variants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Description, Working, sparse_container
from hornbook.ensembles.adaboost._boosted import Boosted
from hornbook.ensembles.adaboost._description import counted, member_table, score_terms, stump_questions
from hornbook.ensembles.adaboost._engines import engine_for
from hornbook.ensembles.adaboost._formulas import error_bounds
from hornbook.ensembles.adaboost._member_outputs import each_output, summed
from hornbook.ensembles.adaboost._parameters import BoostingRounds
from hornbook.ensembles.adaboost._plot import draw_rounds
from hornbook.ensembles.adaboost._rounds import MemberSampler, NumberRounds, RoundRules, VoteRounds
from hornbook.ensembles.adaboost._scores import BoostScoring, Variant, by_class
from hornbook.ensembles.adaboost._staged import StagedClassifier
from hornbook.ensembles.forests._strength import margins_of
from hornbook.frame import Frame
from hornbook.params import Floats, Range, declared
from hornbook.random import seed_of
from hornbook.trees import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["AdaBoostClassifier"]

ROUNDING = 1e-13  # of scores, relative to the sum of the weights: votes that cancel must not decide by noise


@declared
class AdaBoostClassifier(BoostingRounds, Boosted, StagedClassifier):
    """AdaBoost: members learn one after the other, each mostly from the rows that those before got wrong.

    Rows weigh more after every member that gets them wrong, and the members vote with weights that say how
    good they are (Freund and Schapire 1997). Unlike in scikit-learn, categories and missing values go in as
    they are, any learner can be a member, all usual variants are here, and the default, ``"samme"``, is
    scikit-learn's. Rows times columns times members is what a fit with stumps takes.

    Parameters
    ----------
    estimator : learner of Hornbook or scikit-learn, optional
        The member: a classifier, for ``"gentle"`` and ``"logit"`` a regressor. When left out, a decision tree
        of depth 1, which splits by Gini impurity as in scikit-learn;
        ``DecisionStump(criterion="misclassification")`` minimizes the weighted error instead.
    variant : {"samme", "discrete", "real", "gentle", "logit"}
        What a member adds to the score F, with its weighted error e and K classes.
        ``"samme"`` (Zhu, Zou, Rosset and Hastie 2009) adds a vote of weight a = ln((1 - e) / e) + ln(K - 1).
        ``"discrete"`` (Freund and Schapire 1997; AdaBoost.M1 for more classes) adds a vote of weight
        a = 1/2 ln((1 - e) / e): the same votes as ``"samme"`` for two classes, half the weights.
        ``"real"`` (Schapire and Singer 1999; SAMME.R) adds 1/2 ln(p / (1 - p)) with the member's probability
        p of the second class, for more classes (K - 1) (ln p - mean ln p).
        ``"gentle"`` (Friedman, Hastie and Tibshirani 2000) adds the number that a regressor predicts, fitted
        to y = -1 or 1 by weighted least squares.
        ``"logit"`` (LogitBoost, the same) adds half of such a number, fitted to the working response
        (y - p) / (p (1 - p)), cut off at 4, with the weights p (1 - p).
        The last two have one regressor for each of more than two classes in every round: gentle boosting for
        each class against the others, LogitBoost with probabilities that sum to 1.
    on_failure : {"stop", "discard", "redraw"}
        What follows a vote that is no better than chance, that is, an error of at least 1 - 1/K under
        ``"samme"`` and 1/2 under ``"discrete"``: no more members; no member in this round; or up to
        ``max_redraws`` further tries with other draws, and then no more members. An error of exactly 1/2
        would mean the weight 0, so that it makes no difference whether such a member is kept.
    max_redraws : int
        Most further tries in a round under ``on_failure="redraw"``.
    on_perfect : {"keep", "drop"}
        A member without error is the last one, since its weight would be infinite. It is kept with
        weight 1, as in scikit-learn, or dropped unless it is the only one.
    probability : {"mean", "loss"}, optional
        With votes, probabilities are the softmax of F / ((K - 1) sum of weights), as in scikit-learn, which
        keeps them close to each other; or those for which F minimizes the expected exponential loss, with two
        classes 1 / (1 + exp(-2 m)) where m is the sum of votes weighted as in ``"discrete"``. ``"mean"`` for
        ``"samme"`` when left out; ``"loss"`` for the others, of which only ``"discrete"`` can do otherwise.
    clip : float
        Smallest probability that a member is believed to give under ``"real"``: at 0 its score would be
        infinite. (scikit-learn's SAMME.R had 2.2e-16.)

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    estimators_ : list of learners
        The members; classifiers answer with positions in ``classes_``.
    alphas_ : ndarray of shape (n_rounds,)
        Weights of the members; the learning rate where members give numbers or probabilities. The same as
        ``estimator_weights_``.
    estimator_errors_ : ndarray of shape (n_rounds,)
        Weighted error of each round's members.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    GradientBoostingClassifier : Small trees one after the other, for classes.
    BaggingClassifier : Members of any kind on drawn rows, which vote.

    Examples
    --------
    >>> from hornbook import AdaBoostClassifier, DecisionStump, datasets
    >>> melons = datasets.watermelon("3.0a")
    >>> stump = DecisionStump(criterion="misclassification")
    >>> model = AdaBoostClassifier(stump, n_estimators=3, variant="discrete").fit(melons)
    >>> model.alphas_.round(4).tolist()
    [0.7702, 0.763, 0.662]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    model_class = "weighted votes, or sums of scores, of members of one kind"
    objective = "exponential loss of the scores (log-likelihood for LogitBoost)"
    optimizer = "one member at a time, on rows weighted by their loss so far"

    variant: Variant = "samme"
    on_failure: Literal["stop", "discard", "redraw"] = "stop"
    max_redraws: Annotated[int, Range(low=1)] = 10
    on_perfect: Literal["keep", "drop"] = "keep"
    probability: Literal["mean", "loss"] | None = None
    clip: Annotated[float, Range(low=0.0, high=0.5, open_low=True, open_high=True)] = 1e-5

    def _scoring(self) -> BoostScoring:
        return BoostScoring(self.variant, len(self.classes_), self.clip)

    def _inner(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        numbers = self.variant in ("gentle", "logit")
        return (DecisionTreeRegressor if numbers else DecisionTreeClassifier)(max_depth=1)

    def _refuse_contradictions(self, inner: Any, *, draws: bool) -> None:
        votes = self.variant in ("samme", "discrete")
        if self.on_failure != "stop" and not votes:
            raise ValueError(
                f"AdaBoostClassifier: on_failure={self.on_failure!r} applies to votes, but members of "
                f"variant={self.variant!r} give numbers: leave on_failure out, or choose variant='samme'."
            )
        if self.probability == "mean" and not votes:
            raise ValueError(
                "AdaBoostClassifier: probability='mean' applies to votes, but members of "
                f"variant={self.variant!r} give numbers: leave probability out, or choose variant='samme'."
            )
        if self.on_perfect == "drop" and self.variant in ("gentle", "logit"):
            raise ValueError(
                "AdaBoostClassifier: on_perfect='drop' applies to classifiers, but "
                f"variant={self.variant!r} uses regressors: leave on_perfect out, or choose variant='samme'."
            )
        # A deterministic learner on the same weights gives the same member again: redrawing would
        # never end.
        same = not draws and "random_state" not in inner.get_params(deep=False)
        if self.on_failure != "stop" and same:
            raise ValueError(
                f"AdaBoostClassifier: on_failure={self.on_failure!r} needs members that differ when fitted "
                f"again, but {type(inner).__name__} is deterministic: set method='resample', or leave "
                "on_failure out."
            )

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        inner, scoring = self._inner(), self._scoring()
        draws = self._draws()
        self._refuse_contradictions(inner, draws=draws)
        several = scoring.n_classes > 1
        rounds = self._rounds(inner, scoring, frame, y, w, draws=draws) if several else None
        self._boost(rounds, "better than chance")

    def _rounds(
        self,
        inner: Any,
        scoring: BoostScoring,
        frame: Frame,
        y: NDArray[np.int32],
        w: Floats | None,
        *,
        draws: bool,
    ) -> VoteRounds | NumberRounds:
        n_threads = self._threads()
        engine = engine_for(
            inner,
            frame,
            w,
            scoring.kind,
            scoring.n_classes,
            drawn=draws,
            n_threads=n_threads,
            container=sparse_container(self._watch.X),
        )
        sampler = MemberSampler(engine, seed_of(self.random_state), draws)
        rules = RoundRules(self.learning_rate, self.on_failure, self.max_redraws, self.on_perfect)
        # Scaled to a maximum of 1 for drawing; a common factor of the weights changes nothing else.
        start = np.ones(len(y)) if w is None else w / w.max() if draws else w
        make = NumberRounds if scoring.kind == "numbers" else VoteRounds
        return make(sampler, scoring, rules, y, start)

    @property
    def error_bounds_(self) -> Floats:
        """Bound on the training error of the first 1, 2, ... members: see `hornbook.ensembles.error_bounds`.

        There is one for votes on two classes.
        """
        check_is_fitted(self)
        if self.variant not in ("samme", "discrete") or len(self.classes_) != 2:
            raise AttributeError(
                "error_bounds_ exists for votes on two classes only: variant='samme' or 'discrete'."
            )
        # SAMME's alpha is ln((1 - e) / e), twice the half that the bound of Freund and Schapire
        # (1997) is stated for.
        halves = self.alphas_ / 2 if self.variant == "samme" else self.alphas_
        return error_bounds(self.estimator_errors_, halves)

    def _score_parts(self, frame: Frame) -> Iterator[Floats]:
        """What one round after the other adds to the scores."""
        scoring, per_round = self._scoring(), self._scoring().per_round
        answers = each_output(self.estimators_, frame, scoring.kind, scoring.n_classes, self._threads())
        for alpha in self.alphas_:
            parts = [scoring.contribution(next(answers), alpha, place) for place in range(per_round)]
            yield np.asarray(sum(parts))

    def _scores(self, frame: Frame) -> Floats:
        scoring = self._scoring()
        per_round = scoring.per_round
        if not self.estimators_:
            return np.zeros((len(frame), scoring.width))
        return summed(
            self.estimators_,
            frame,
            scoring.kind,
            scoring.n_classes,
            lambda output, i: scoring.contribution(output, self.alphas_[i // per_round], i % per_round),
            self._threads(len(frame)),
        )

    def _norm(self, n_rounds: int | None = None) -> float:
        """What scores are divided by for the decision function: the sum of the weights, or 1."""
        return float(self.alphas_[:n_rounds].sum()) or 1.0 if self.variant == "samme" else 1.0

    def _decided(self, scores: Floats, norm: float) -> Floats:
        """The decision function, from scores."""
        if len(self.classes_) > 2:
            return np.asarray(scores / norm)
        # scikit-learn's is the difference of the scores of both classes.
        return np.asarray(scores[:, 0] * ((2.0 if self.variant == "samme" else 1.0) / norm))

    def _believed(self, scores: Floats, n_rounds: int | None = None) -> Floats:
        """Class probabilities, from scores."""
        scoring = self._scoring()
        if scoring.n_classes == 1:
            return np.ones((len(scores), 1))
        if (self.probability or ("mean" if self.variant == "samme" else "loss")) == "loss":
            return scoring.probabilities(scores)
        return scoring.mean_probabilities(scores / float(self.alphas_[:n_rounds].sum()))

    def _chosen(self, scores: Floats) -> NDArray[np.intp]:
        """The class with the largest score; the first of those that differ by rounding only."""
        if len(self.classes_) == 1:
            return np.zeros(len(scores), dtype=np.intp)
        whole = by_class(scores)
        largest = whole.max(axis=1, keepdims=True)
        # Relative to the sum of the weights: that is the size of the terms that may have canceled.
        tolerance = ROUNDING * (self.alphas_.sum() + np.abs(largest))
        return np.asarray((whole >= largest - tolerance).argmax(axis=1))

    def _predict(self, frame: Frame) -> NDArray[np.intp]:
        return self._chosen(self._scores(frame))

    def _proba(self, frame: Frame) -> Floats:
        return self._believed(self._scores(frame))

    def _decision(self, frame: Frame) -> Floats:
        return self._decided(self._scores(frame), self._norm())

    def margins(self, X: Any, y: Any = None) -> Floats:
        """Give the margin of each row: how clear the vote for its class is, below 0 where it is wrong.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.

        Returns
        -------
        margins : ndarray of shape (n_rows,)
            With votes, from -1 to 1: the share of the weights that vote for the class, minus the largest
            share of another; for two classes this is y F(x) / sum of weights with y = -1 or 1. Where members
            give numbers or probabilities, y F(x), or half the lead of the class in the score.
        """
        rows, codes, _ = self._known(X, y, None)
        if self.variant in ("samme", "discrete"):
            return margins_of(self._spread(self._hook("_vote_shares", rows), 0.0), codes)
        own = self._spread(self._hook("_class_scores", rows), -np.inf)
        rest, at = own.copy(), np.arange(len(codes))
        rest[at, codes] = -np.inf
        # Half the difference, so that margins of votes and of scores agree for two classes.
        return np.asarray((own[at, codes] - rest.max(axis=1)) / 2)

    def _class_scores(self, frame: Frame) -> Floats:
        """Scores with a column for each class."""
        scores = self._scores(frame)
        return scores if len(self.classes_) == 1 else by_class(scores)

    def _vote_shares(self, frame: Frame) -> Floats:
        """Share of each class in the weights of the votes; the only class has all."""
        k, total = len(self.classes_), float(self.alphas_.sum())
        # Inverts SAMME's coding, 1 for the class voted for and -1 / (k - 1) for each other one.
        return np.asarray(((k - 1) * self._class_scores(frame) / (total or 1.0) + 1.0) / k)

    def _describe(self) -> Description:
        k = len(self.classes_)
        facts: dict[str, Any] = {
            "variant": self.variant,
            "member": type(self._inner()).__name__,
            "rounds": len(self.alphas_),
            "learning rate": self.learning_rate,
            "rows": "drawn by weight" if self.method == "resample" else "weighted",
        }
        if self.variant in ("samme", "discrete") and k == 2:
            facts["bound on the training error"] = float(self.error_bounds_[-1])
        members = counted(len(self.estimators_), "member")
        asked = stump_questions(self.estimators_, self.classes_) if self._scoring().per_round == 1 else []
        table = member_table(self.alphas_, self.estimator_errors_, asked)
        return Description(
            f"AdaBoost classifier with {members} for {counted(k, 'class', 'es')}", facts, [table]
        )

    def _working(self, row: Frame) -> Working:
        parts = [part[0] for part in self._score_parts(row)] if self.estimators_ else []
        return score_terms(parts, self.classes_, self._answer(row)[0], votes=self._scoring().kind == "votes")

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_rounds(self, X, y, ax)
