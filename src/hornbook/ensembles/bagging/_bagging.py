"""Base class of bagging: the fit, out-of-bag predictions, and errors by number of members."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Description, Predictor, member_answers, sparse_container
from hornbook.ensembles._out_of_bag import UnseenRows, mean_error
from hornbook.ensembles._staged import StagedPredictions, staged_errors
from hornbook.ensembles.bagging._committee import Committee, Ties, Vote
from hornbook.ensembles.bagging._description import describe_members, draw_members
from hornbook.ensembles.bagging._parameters import BaggingParameters
from hornbook.ensembles.bagging._samples import RowSamples, column_draws, member_seed, samples_of
from hornbook.ensembles.bagging._training import Training, in_order
from hornbook.frame import Blocks, Frame, align
from hornbook.params import Floats, Index, Shape
from hornbook.random import seed_of

__all__ = ["Bagging"]

# How the rows of a member are chosen, by the parameter ``bootstrap``.
HOW = {True: "drawn with replacement", False: "each at most once", "disjoint": "disjoint parts"}
NAMED = 10  # most columns of a member that are named
KEPT = ("estimators_", "estimators_features_", "seed_", "n_rows_", "schema_", "classes_", "sample_sizes_")


class Bagging(BaggingParameters, Committee, StagedPredictions, Predictor):
    """Members fitted to samples of the rows and columns.

    Attributes
    ----------
    estimators_ : list of learners
        The members; those for classes were fitted on positions in ``classes_``.
    estimators_features_ : ndarray of shape (n_members, n_drawn)
        The columns of each member, if they were drawn.
    estimators_samples_ : list of ndarray
        The rows of each member, as often as they were drawn; drawn again from the seed.
    sample_sizes_ : ndarray of shape (n_members,)
        Number of different rows that each member has seen.
    oob_score_ : float
        Score on the rows that some member has not seen, by those members: accuracy, or the coefficient of
        determination. Attributes that begin with ``oob_`` need ``oob_score``.
    oob_errors_, oob_member_errors_ : ndarray of shape (n_members,)
        Error out of bag (share of wrong classes, mean squared error): of the first 1, 2, ... members
        together, and of each member alone. The mean of the latter overestimates the error of all together.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    counts_absent = True  # rows of weight 0 are never drawn

    vote: Vote = "soft"
    ties: Ties = "first"

    n_rows_: int
    seed_: int
    estimators_features_: Annotated[NDArray[np.intp], Shape("n_members", "n_drawn"), Index("n_columns")]
    sample_sizes_: Annotated[NDArray[np.intp], Shape("n_members")]
    oob_score_: float
    oob_errors_: Annotated[Floats, Shape("n_members")]
    oob_member_errors_: Annotated[Floats, Shape("n_members")]
    oob_decision_function_: Annotated[Floats, Shape("n_bag_rows", "n_classes")]
    oob_prediction_: Annotated[Floats, Shape("n_bag_rows")]

    @property
    def scale_sensitive(self) -> bool:  # type: ignore[override]  # it is that of the members
        """Whether the unit of a column changes what members learn."""
        return bool(getattr(self._inner(), "scale_sensitive", False))

    def _forget(self) -> None:
        known = vars(self) if self.warm_start else {}
        kept = {name: known[name] for name in KEPT if name in known}
        super()._forget()
        self._before = kept

    def _fit(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> None:
        before = vars(self).pop("_before")
        self._drawn_by = w
        self._refuse_contradictions()
        # Warm starts keep the seed, so that members added later draw what they would have drawn at
        # once.
        self.n_rows_, self.seed_ = len(y), before.get("seed_", seed_of(self.random_state))
        samples, columns = self._samples(len(y), w), self._all_columns()
        # Distinct rows, about 63 % of them in a bootstrap sample of full size.
        sizes = np.array([len(np.unique(samples.rows(t))) for t in range(self.n_estimators)], dtype=np.intp)
        members = self._members_before(before, sizes, columns)
        training = Training(self._inner(), frame, y, w, self._task(), sparse_container(self._watch.X))

        def member(t: int) -> Any:
            chosen = None if columns is None else columns[t]
            return training.member(
                samples.rows(t),
                weighted=not samples.by_weight,
                columns=chosen,
                seed=member_seed(self.seed_, t),
            )

        first, last = len(members), self.n_estimators
        n_threads = min(self._threads(), max(last - first, 1))
        # Closing stops the fits of further members when a callback raises or says that there are enough.
        with closing(in_order(member, range(first, last), n_threads)) as fitted:
            for _ in self.iterate(
                last - first, name="member", model=lambda: self._attributes(members, columns)
            ):
                members.append(next(fitted))
        vars(self).update(self._attributes(members, columns))
        self.sample_sizes_ = sizes[: len(members)]
        if self.oob_score:
            *_, unseen = self._unseen(samples, frame, y, w)
            self._keep(unseen)

    def _attributes(self, members: list[Any], columns: NDArray[np.intp] | None) -> dict[str, Any]:
        drawn = {} if columns is None else {"estimators_features_": columns[: len(members)]}
        return {"estimators_": list(members), **drawn}

    def _task(self) -> Literal["classification", "regression"]:
        return "classification" if self._predicts_classes() else "regression"

    def _refuse_contradictions(self) -> None:
        self._refuse_ties()
        name = type(self).__name__
        if self.bootstrap == "disjoint" and self.max_samples is not None:
            raise ValueError(
                f"{name}: parameter 'max_samples' says how many rows are drawn, but bootstrap='disjoint' "
                "gives all of them away: leave out one of the two."
            )
        if self.oob_score:
            self._require_left_out("oob_score")

    def _require_left_out(self, parameter: str) -> None:
        if not self.bootstrap and self.max_samples is None:
            raise ValueError(
                f"{type(self).__name__}: parameter {parameter!r} applies to rows that are left out, but with "
                "bootstrap=False every member sees every row: set bootstrap=True or max_samples, or leave it "
                "out."
            )

    def _members_before(
        self, before: dict[str, Any], sizes: NDArray[np.intp], columns: NDArray[np.intp] | None
    ) -> list[Any]:
        """The members that a warm start adds to; an error if the table changed, or if there are too many."""
        members: list[Any] = list(before.get("estimators_", ()))
        if not members:
            return members
        name, have = type(self).__name__, len(members)
        same = before["n_rows_"] == self.n_rows_ and before["schema_"] == self.schema_
        if not same or not np.array_equal(before.get("classes_", ()), getattr(self, "classes_", ())):
            raise ValueError(
                f"{name}: warm_start=True adds members that learn from the same table, but its columns, "
                "classes or number of rows have changed: pass the same one, or set warm_start=False."
            )
        if self.n_estimators < have:
            raise ValueError(
                f"{name}: parameter 'n_estimators' is {self.n_estimators}, but warm_start=True and there are "
                f"{have} members already: raise it, or set warm_start=False."
            )
        drawn = before.get("estimators_features_", ())
        # Sizes of samples stand in for the samples themselves, which are not kept: different weights
        # or parameters show in them.
        if not np.array_equal(before["sample_sizes_"], sizes[:have]) or not np.array_equal(
            drawn, () if columns is None else columns[:have]
        ):
            raise ValueError(
                f"{name}: warm_start=True adds members to those of other draws: leave the weights and all "
                "parameters of rows and columns as they were, or set warm_start=False."
            )
        return members

    def _samples(self, n_rows: int, w: Floats | None) -> RowSamples:
        return samples_of(
            self.seed_,
            n_rows,
            w,
            bootstrap=self.bootstrap,
            max_samples=self.max_samples,
            n_estimators=self.n_estimators,
        )

    def _all_columns(self) -> NDArray[np.intp] | None:
        # All columns: members then share one prepared table, which is much faster.
        if self.max_features == 1.0 and isinstance(self.max_features, float) and not self.bootstrap_features:
            return None
        n_columns, replace = len(self.schema_), self.bootstrap_features
        draws = [
            column_draws(self.seed_, t, n_columns, self.max_features, replace=replace)
            for t in range(self.n_estimators)
        ]
        return np.stack(draws)

    def _columns(self, t: int) -> NDArray[np.intp] | None:
        drawn: NDArray[np.intp] | None = getattr(self, "estimators_features_", None)
        return None if drawn is None else drawn[t]

    def _unseen(
        self, samples: RowSamples, frame: Frame, y: NDArray[Any], w: Floats | None
    ) -> Iterator[UnseenRows]:
        """What the first 1, 2, ... members say of the rows they have not seen."""
        n_classes = len(self.classes_) if self._predicts_classes() else 0
        # Not to be made votes of: where members vote, ballots are votes.
        unseen = UnseenRows(y, w, n_classes, samples.left_out, hard=False)

        def ask(member: Any, rows: Any) -> Floats:
            return self._ballot(member, rows) if len(rows) else unseen.total[:0]

        for t, ballot in enumerate(self._ask_each(frame, ask, unseen.left_out)):
            unseen.take(unseen.left_out(t), ballot)
            yield unseen

    def _keep(self, unseen: UnseenRows) -> None:
        self.oob_score_ = unseen.score_by(self.oob_score, getattr(self, "classes_", None))
        self.oob_errors_ = np.array(unseen.errors)
        self.oob_member_errors_ = np.array(unseen.member_errors)

    def _known(self, X: Any, y: Any, sample_weight: Any) -> tuple[Frame, NDArray[Any], Floats | None]:
        """Rows whose target is known, checked and coded as those of the fit."""
        check_is_fitted(self)
        blocks = Blocks.of(self._whole_table(X, y, sample_weight), self.schema_, self._threads())
        (block,) = self._with_codes(blocks) if self._predicts_classes() else self._learn_target(blocks)
        assert block.y is not None  # checked above
        return align(block.X, self.schema_), block.y, block.w

    def samples(self, sample_weight: Any = None) -> list[NDArray[np.intp]]:
        """Give the rows that each member has learned from, drawn again from the seed.

        Pass the weights of the fit, if it had any.

        Parameters
        ----------
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        rows : list of ndarray
            Positions in the table of the fit, as often as they were drawn.
        """
        check_is_fitted(self)
        w = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if w is not None and w.shape != (self.n_rows_,):
            raise ValueError(
                f"{type(self).__name__}: parameter 'sample_weight' must have a weight for each of the "
                f"{self.n_rows_} training rows; got shape {w.shape}."
            )
        samples = self._samples(self.n_rows_, w)
        return [samples.rows(t) for t in range(len(self.estimators_))]

    @property
    def estimators_samples_(self) -> list[NDArray[np.intp]]:
        """The rows of each member, as often as they were drawn."""
        check_is_fitted(self)
        rows = self.samples(vars(self).get("_drawn_by"))
        if [len(np.unique(drawn)) for drawn in rows] != self.sample_sizes_.tolist():
            raise AttributeError(
                "estimators_samples_ draws rows again by their weights, which model files lack: pass them to "
                "samples(sample_weight)."
            )
        return rows

    def __len__(self) -> int:
        return len(self.estimators_)

    def __bool__(self) -> bool:
        return True  # also without members, before the fit

    def __getitem__(self, t: int) -> Any:
        return self.estimators_[t]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    @property
    def estimator_(self) -> Any:
        """The learner that members are clones of."""
        return self._inner()

    def member_predictions(self, X: Any) -> NDArray[Any]:
        """Give what each member predicts; `hornbook.ensembles.vote_margins` and `vote_losses` read it.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        predictions : ndarray of shape (n_members, n_rows)
            Classes, or numbers.
        """
        answers = np.stack(list(self._ask_each(self._prepared(X), member_answers)))
        return np.asarray(self.classes_[answers] if self._predicts_classes() else answers)

    def _staged_answers(self, rows: Frame) -> Iterator[NDArray[Any]]:
        for t, total in enumerate(self._stages(rows)):
            yield self.classes_[total.argmax(axis=1)] if self._predicts_classes() else total[:, 0] / (t + 1)

    staged_errors = staged_errors

    def _errors_so_far(self, X: Any, y: Any, sample_weight: Any) -> Floats:
        frame, target, w = self._known(X, y, sample_weight)
        classes, sums = self._predicts_classes(), enumerate(self._stages(frame))
        return np.array([mean_error(total / (t + 1), target, w, classes=classes) for t, total in sums])

    def _unseen_errors(self, X: Any, y: Any, sample_weight: Any, every_row: bool) -> Floats:
        self._require_left_out("oob")
        frame, target, w = self._known(X, y, sample_weight)
        if len(target) != self.n_rows_:
            raise ValueError(
                f"{type(self).__name__}: staged_errors with oob=True needs the {self.n_rows_} training "
                f"rows; got {len(target)}."
            )
        stages = self._unseen(self._samples(self.n_rows_, w), frame, target, w)
        return np.array([part.error_of_all_rows if every_row else part.error for part in stages])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        errors = getattr(self, "oob_errors_", None)
        return draw_members(self, "Rows that each member has seen", self.sample_sizes_, X, y, ax, errors)

    def _describe(self) -> Description:
        facts: dict[str, Any] = {"rows of a member": HOW[self.bootstrap]}
        columns: dict[str, Any] = {"different rows": self.sample_sizes_.tolist()}
        drawn = getattr(self, "estimators_features_", None)
        if drawn is not None:
            facts["columns of a member"] = f"{drawn.shape[1]} of {len(self.schema_)}"
            names = self.schema_.names
            columns["columns"] = [", ".join(names[j] for j in row[:NAMED]) for row in drawn.tolist()]
        if hasattr(self, "oob_score_"):
            facts["out-of-bag score"] = self.oob_score_
            columns["out-of-bag error"] = self.oob_member_errors_.tolist()
        return describe_members(self, facts, columns)
