"""Bayesian voting: all models of a space, weighted by how well they explain the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook._scikit import available_if
from hornbook.base import Description, Predictor, Table, Term, Working, adopted, draw_beside_rows, member_rows
from hornbook.ensembles.bagging._committee import Committee, Ties, Vote
from hornbook.ensembles.bagging._fold_members import predicts_classes
from hornbook.ensembles.bagging._folds import Cv, FoldRows, folds_of
from hornbook.ensembles.bagging._model_space import log_prior_of, model_space
from hornbook.ensembles.bagging._posterior import Evidence, posterior_of, proposals_of, visits_of
from hornbook.ensembles.bagging._samples import member_seed
from hornbook.ensembles.bagging._training import Training, in_order
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Jobs, Range, Seed, Shape, Verbose
from hornbook.plots import bars
from hornbook.random import seed_of

__all__ = ["BayesianVoting"]

LISTED = 20  # most models that are listed one by one
BIAS = "a finite chain, biased toward its start and against models it has never visited"


class BayesianVoting(Committee, Predictor):
    """All models of a space, each with its posterior probability given the rows as its weight.

    The posterior of a model m is proportional to P(D | m) P(m): how likely the rows D are under it, times
    its prior. No vote is better on average, if the space and the prior are right (Dietterich 2000);
    scikit-learn has no such learner. The likelihood is the product of the probabilities that the model gives
    to the classes of the rows; for numbers, errors are normal with the variance that fits best. It takes
    ``cv`` + 1 fits of each model.

    Parameters
    ----------
    estimators : learner, or list of learners or of pairs of a name and a learner
        The models, of Hornbook or scikit-learn; all predict classes, with probabilities, or all numbers.
    grid : dict, optional
        Values of parameters by name. The models are then the one learner ``estimators`` with every
        combination of values.
    prior : array-like of shape (n_models,), optional
        Prior weight of each model, in the order of the list or of the combinations; equal when left out.
    cv : int, splitter, sequence of pairs of training and test rows, or None, default 5
        Number of folds. Each row counts with the probability that a model gives it without having seen it
        (Geisser and Eddy 1979). None takes the probabilities of the rows that the model has learned from, as
        for models that are fixed in advance; of learners, this favors those that overfit. Probabilities
        below 1e-15 count as 1e-15, so that no single row rules out a model.
    n_samples : int, optional
        Steps of a Metropolis chain that samples models in proportion to the posterior, for spaces that are
        too large: only models that it proposes are fitted, and a model's weight is its share of the steps.
        Such a chain is biased toward its start, and knows nothing of models that it has never visited; longer
        chains less so. All models are fitted when left out, and weights are exact.
    vote : {"soft", "hard"}, default "soft"
        Whether the probabilities of the models are averaged with these weights, or each model gives all its
        weight to the class it predicts.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    verbose : bool or int, default 0
        Whether to print a line for each model.

    Attributes
    ----------
    estimators_ : list of learners
        The models, fitted to all rows; those for classes were fitted on positions in ``classes_``.
    names_ : list of str
        Their names.
    weights_ : ndarray of shape (n_members,)
        Posterior probabilities; with ``n_samples`` shares of the steps.
    log_likelihood_, log_prior_ : ndarray of shape (n_members,)
        Natural logarithms of P(D | m) and P(m).
    classes_ : ndarray of shape (n_classes,)
        The classes, if the models predict classes.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    VotingClassifier : Vote of different classifiers.
    VotingRegressor : Mean of different regressors.

    Examples
    --------
    >>> from hornbook import BayesianVoting, KNeighborsClassifier, datasets
    >>> model = BayesianVoting(KNeighborsClassifier(), grid={"n_neighbors": [1, 5, 25]}, random_state=0)
    >>> model = model.fit(datasets.iris())
    >>> model.names_[int(model.weights_.argmax())]
    'n_neighbors=25'
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    counts_absent = True  # rows of weight 0 are in no fold
    model_class = "all models of a space that the user names"
    objective = "that of each model; their weights are posterior probabilities"
    optimizer = "those of the models, and Bayes' rule, exact or by sampling"

    ties: Ties = "first"  # weights are never equal by accident

    estimators_: Annotated[list[Any], Shape("n_members")]
    names_: Annotated[list[str], Shape("n_members")]
    weights_: Annotated[Floats, Shape("n_members")]
    log_likelihood_: Annotated[Floats, Shape("n_members")]
    log_prior_: Annotated[Floats, Shape("n_members")]

    def __init__(
        self,
        estimators: Any,
        *,
        grid: Mapping[str, Sequence[Any]] | None = None,
        prior: ArrayLike | None = None,
        cv: Cv | None = 5,
        n_samples: Annotated[int, Range(low=1)] | None = None,
        vote: Vote = "soft",
        n_jobs: Jobs = None,
        random_state: Seed = None,
        verbose: Verbose = 0,
    ) -> None:
        self.estimators = estimators
        self.grid = grid
        self.prior = prior
        self.cv = cv
        self.n_samples = n_samples
        self.vote = vote
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @property
    def scale_sensitive(self) -> bool:  # type: ignore[override]  # it is that of the models
        """Whether the unit of a column changes what any of the models learns."""
        return any(getattr(model, "scale_sensitive", False) for model in self._given())

    def _given(self) -> list[Any]:
        """The learners as the user passed them."""
        given = self.estimators if isinstance(self.estimators, list | tuple) else [self.estimators]
        return [item[1] if isinstance(item, list | tuple) and len(item) == 2 else item for item in given]

    def _inner(self) -> Any:
        return self._given()[0]

    def _predicts_classes(self) -> bool:
        return predicts_classes(next(iter(self._given()), None))

    def _learn_target(self, blocks: Blocks) -> Blocks:
        """Whether y are classes or numbers depends on the models, so they are checked first."""
        if not self._given():
            raise ValueError("BayesianVoting: parameter 'estimators' is empty: pass at least one learner.")
        for model in self._given():
            adopted(model)
        return super()._learn_target(blocks)

    def _weights(self) -> Floats | None:
        return self.weights_

    def _fit(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> None:
        who, self.seed_ = type(self).__name__, seed_of(self.random_state)
        space = model_space(who, self.estimators, self.grid)
        prior = log_prior_of(who, self.prior, len(space))
        # A prior of 0 excludes a model for good: it is not even fitted.
        chosen, proposals = np.flatnonzero(np.isfinite(prior)), None
        if self.n_samples is not None:
            proposals = proposals_of(prior, self.n_samples, self.seed_)
            chosen = np.unique(proposals)
        members, evidence = self._members([list(space.values())[i] for i in chosen], frame, y, w)
        chosen, log_evidence = chosen[: len(members)], np.array(evidence)
        # An incomplete chain has no stationary distribution to speak of; what was fitted is weighted
        # exactly.
        if proposals is None or len(members) < len(np.unique(proposals)):  # a callback ended the fit
            weights = posterior_of(prior[chosen], log_evidence)
        else:
            weights = visits_of(np.searchsorted(chosen, proposals), log_evidence, self.seed_)
        # Models that the chain has met and left have no weight: nobody needs them.
        kept = np.flatnonzero(weights > 0) if proposals is not None else np.arange(len(chosen))
        names = list(space)
        self.estimators_ = [members[i] for i in kept]
        self.names_ = [names[i] for i in chosen[kept]]
        self.weights_, self.log_likelihood_ = weights[kept], log_evidence[kept]
        self.log_prior_ = prior[chosen[kept]]

    def _members(
        self, models: list[Any], frame: Frame, y: NDArray[Any], w: Floats | None
    ) -> tuple[list[Any], list[float]]:
        """The models, fitted to all rows, and their log-likelihoods."""
        folds = None if self.cv is None else folds_of(type(self).__name__, frame, y, w, self.cv, self.seed_)
        # Folds are cut from one prepared frame, so that models of one kind share its encoding.
        shared = frame.prepared()  # what one model makes of the rows serves the next

        def judged(i: int) -> tuple[Any, float]:
            return self._judged(models[i], shared, y, w, folds)

        members: list[Any] = []
        evidence: list[float] = []
        n_threads = min(self._threads(), len(models))
        with closing(in_order(judged, range(len(models)), n_threads)) as fitted:
            for _ in self.iterate(len(models), name="model"):
                member, log_likelihood = next(fitted)
                members.append(member)
                evidence.append(log_likelihood)
        return members, evidence

    def _judged(
        self, estimator: Any, frame: Frame, y: NDArray[Any], w: Floats | None, folds: FoldRows | None
    ) -> tuple[Any, float]:
        # One seed for all: models are compared by their settings, not by their draws.
        classes, seed = self._predicts_classes(), member_seed(self.seed_, 0)
        training = Training(estimator, frame, y, w, "classification" if classes else "regression")
        evidence, everything = Evidence(y, w, len(self.classes_) if classes else 0), np.arange(len(y))

        def fitted(rows: NDArray[np.intp]) -> Any:
            return training.member(rows, weighted=True, columns=None, seed=seed)

        member = fitted(everything)
        if folds is None:
            evidence.add(member, member_rows(member, frame), everything)
            return member, evidence.log_likelihood
        # Likelihoods of rows that a model has not seen, a pseudo-Bayesian evidence (Geisser and Eddy 1979):
        # that of rows it has learned from would favor the most flexible model.
        for train, test in folds.pairs:
            alone = fitted(train)
            evidence.add(alone, member_rows(alone, frame)[test], test)
        return member, evidence.log_likelihood

    @available_if(lambda learner: learner._predicts_classes())  # noqa: SLF001 - of its own class
    def _proba(self, frame: Frame) -> Floats:
        return self._shares(frame)

    def _order(self) -> NDArray[np.intp]:
        """The models, those of the largest weight first."""
        return np.argsort(-self.weights_, kind="stable")

    def _working(self, row: Frame) -> Working:
        ballots = self.weights_[:, None] * np.concatenate(list(self._ask_each(row, self._ballot)))
        order = self._order()
        terms = [
            Term(f"{self.names_[i]}, weight {self.weights_[i]:.4g}", ballots[i].tolist())
            for i in order[:LISTED]
        ]
        if len(order) > LISTED:
            rest = order[LISTED:]
            terms.append(Term(f"{len(rest)} others", ballots[rest].sum(axis=0).tolist()))
        candidates = self.classes_.tolist() if self._predicts_classes() else ["value"]
        title = f"What {len(order)} models predict, weighted by their posterior probabilities"
        return Working(title, "sum", candidates, terms, self._answer(row)[0])

    def _describe(self) -> Description:
        facts: dict[str, Any] = {
            "likelihood": "of rows that a model has not seen" if self.cv is not None else "of training rows",
            "prior": "equal" if self.prior is None else "given",
            # 1 / sum of squared weights (Kish 1965): 1 if one model dominates, n if all count the
            # same.
            "effective number of models": float(1.0 / (self.weights_**2).sum()),
        }
        if self.n_samples is not None:
            facts["sampling"] = f"{self.n_samples} steps of {BIAS}"
        rows = [
            [self.names_[i], float(np.exp(self.log_prior_[i])), self.log_likelihood_[i], self.weights_[i]]
            for i in self._order()[:LISTED].tolist()
        ]
        head = ["model", "prior", "log likelihood", "weight"]
        title = f"BayesianVoting of {len(self.weights_)} models"
        return Description(title, facts, [Table("Models of the largest weight", head, rows)])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        title = "Weight of each model"
        return draw_beside_rows(
            self, lambda place: bars(self.weights_, self.names_, ax=place, title=title), X, y, ax
        )
