"""Base class of gradient boosting: the fit, the scores, the rounds one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Description, Predictor, member_answers, member_rows
from hornbook.ensembles.forests._fitted_forest import cells_of
from hornbook.ensembles.gradient_boosting._boosted_trees import BoostedTrees
from hornbook.ensembles.gradient_boosting._boosting_fit import BoostingFit, StoppingRule, require_shapes
from hornbook.ensembles.gradient_boosting._contradictions import refuse_contradictions
from hornbook.ensembles.gradient_boosting._description import describe_booster, draw_booster
from hornbook.ensembles.gradient_boosting._losses_by_name import refuse_infinite
from hornbook.ensembles.gradient_boosting._member_rounds import MemberRounds
from hornbook.ensembles.gradient_boosting._parameters import BoostedMembers, ColumnShares, Penalty, Rounds
from hornbook.ensembles.gradient_boosting._progress import HeldOut, Improves, LossCurves
from hornbook.ensembles.gradient_boosting._row_sampling import RowSampling
from hornbook.ensembles.gradient_boosting._start import best_constant, first_scores, fitted_start, spread_base
from hornbook.ensembles.gradient_boosting._tree_rounds import RoundMaker, TreeRecipe, TreeRounds
from hornbook.ensembles.gradient_boosting._validation import (
    BoostingRows,
    GivenRows,
    kept_by_warm_start,
    require_same_table,
    split_rows,
)
from hornbook.frame import Blocks, Frame, Schema, align
from hornbook.losses import Loss
from hornbook.params import Floats, Shape
from hornbook.random import seed_of
from hornbook.trees import (
    GrowerSettings,
    TreeWork,
    WeightedTrees,
    as_categorical,
    contributions,
    in_memory,
    settings_of,
    weighted,
)

__all__ = ["Booster"]


class Booster(TreeWork, Rounds, ColumnShares, Penalty, BoostedMembers, Predictor):
    """Learners whose fitted model is a sum of members: ``forest_``, or ``estimators_`` with ``factors_``.

    Attributes
    ----------
    forest_ : BoostedTrees
        The nodes of all trees as parallel arrays; the values of leaves are what they add to the score. With
        more than two classes, the trees of a round follow each other in the order of the classes.
    factors_ : ndarray
        With ``estimator``, the factors of the predictions of its members, ``estimators_``.
    base_score_ : ndarray of shape (n_scores,)
        Where the scores start: the constant that minimizes the loss, or 0 with ``init``.
    init_ : learner
        With an estimator as ``init``, the estimator, fitted.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the total gain of all splits.
    train_score_, validation_score_ : ndarray
        Losses of the training rows and of the validation rows by round, where they are computed.
    oob_scores_, oob_improvement_ : ndarray of shape (n_rounds,)
        With ``subsample`` below 1, loss of the rows that a round has not drawn, and how much the round
        lowers it; the sum of the latter estimates how far the loss of new rows falls.
    oob_score_ : float
        The last of ``oob_scores_``.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    title: ClassVar[str]
    criterion: ClassVar[str] = "squared_error"
    # Whether the training loss is always computed, and whether curves begin before the first round.
    always_scores: ClassVar[bool]
    from_start: ClassVar[bool]

    forest_: BoostedTrees
    gains_: Annotated[Floats, Shape("n_columns")]
    estimators_: Annotated[list[Any], Shape("n_members")]
    factors_: Annotated[Floats, Shape("n_members")]
    base_score_: Annotated[Floats, Shape("n_scores")]
    init_: Any
    boosted_schema_: Schema
    n_iter_: int
    n_rows_: int
    seed_: int
    train_score_: Annotated[Floats, Shape("n_scored")]
    validation_score_: Annotated[Floats, Shape("n_validated")]
    oob_scores_: Annotated[Floats, Shape("n_unseen")]
    oob_improvement_: Annotated[Floats, Shape("n_unseen")]
    oob_score_: float

    # What the faces say: how many rounds there are at most, whether they may end early, the penalty, what
    # losses are multiplied by to be scores, and when they improve.
    _n_rounds: Callable[[], int]
    _stops_early: Callable[[int, bool], bool]
    _l2: Callable[[], float]
    _score_factor: Callable[[], float]
    _improves: Callable[[], Improves]
    # What the kinds of targets say: the parameter, and the loss that it stands for.
    loss: Any
    _loss: Callable[[], Loss]

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Learn from a table, and stop early by the loss of other rows if there are any.

        If anything goes wrong, the learner is left as it was.

        Parameters
        ----------
        X : Frame, DataFrame, array-like of shape (n_rows, n_columns), or Blocks
            The table. A Frame with a target needs no y, nor do Blocks.
        y : array-like of shape (n_rows,), optional
            The target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.
        X_val : table of shape (n_validation_rows, n_columns), optional
            Rows by which early stopping judges, in place of rows that are held out. Without early stopping,
            their loss is recorded only.
        y_val : array-like of shape (n_validation_rows,), optional
            Their target.
        sample_weight_val : array-like of shape (n_validation_rows,), optional
            Their weights.

        Returns
        -------
        self : object
            The fitted learner.
        """
        given = GivenRows(X_val, y_val, sample_weight_val).checked(type(self).__name__)
        self._leave_intact(self._fit_beside, X, y, sample_weight, given)
        return self

    def _fit_beside(self, X: Any, y: Any, sample_weight: Any, given: GivenRows | None) -> None:
        self._given = given
        self._fit_watched(X, y, sample_weight)
        vars(self).pop("_given", None)

    def _class_factors(self, blocks: Blocks) -> Floats | None:  # noqa: ARG002 - for classes
        return None

    def _refuse_extremes(self, low: float, high: float) -> None:
        """Reject targets between these that the loss is not defined for; those of classes always are."""

    def _coded_target(self, blocks: Blocks) -> Blocks:
        return self._learn_target(blocks)

    def _n_classes(self) -> int:
        return 0

    def _forget(self) -> None:
        kept = kept_by_warm_start(vars(self)) if self.warm_start else {}
        super()._forget()
        self._before = kept

    def _fit(self, features: Frame, y: NDArray[Any], w: Floats | None) -> None:
        before, given = vars(self).pop("_before"), vars(self).pop("_given", None)
        chosen = None if isinstance(self.categorical_features, str) else self.categorical_features
        self._refuse_extremes(float(y.min()), float(y.max()))
        frame, loss = as_categorical(features, chosen), self._loss()
        factors = self._class_factors(in_memory(y, w))
        w = weighted(w, None if factors is None else factors[y])
        self.boosted_schema_, self.n_rows_ = frame.schema, len(y)
        stops = self._stops_early(len(y), given is not None)
        refuse_contradictions(self, loss)
        # A fit that draws nothing has the seed 0: its model file is then the same every time.
        self.seed_ = seed_of(self.random_state) if self.random_state is not None or self._draws(stops) else 0
        require_same_table(before, vars(self), type(self).__name__, self._n_rounds())
        self.seed_ = before.get("seed_", self.seed_)  # further rounds continue the draws of the first fit
        rows, held = BoostingRows(frame, y, w), None
        if given is not None:
            held = self._given_rows(given)
        elif stops and not (self.validation_fraction is None or self.validation_fraction == "oob"):
            rows, held = split_rows(
                rows,
                self.validation_fraction,
                self.seed_,
                n_classes=self._n_classes(),
                learner=type(self).__name__,
            )
        if self._n_classes() == 1:
            self.base_score_, self.n_iter_ = np.zeros(1), 0
            return
        self._boost(rows, held, loss, before, stops=stops)

    def _boost(
        self,
        rows: BoostingRows,
        held: BoostingRows | None,
        loss: Loss,
        before: dict[str, Any],
        *,
        stops: bool,
    ) -> None:
        vars(self).update({name: before[name] for name in ("base_score_", "init_") if name in before})
        if not before:
            self._start(rows, loss)
        maker = self._maker(rows, before)
        watched = None
        if held is not None:
            z = self._scores_so_far(held.frame, before)
            watched = HeldOut(maker.rows_of(held.frame), held.y, held.w, z)
        rule = self._rule(held, rows) if stops else None
        sampling = RowSampling(self.subsample, self.sampling, self.seed_)
        factor = self._score_factor()
        curves = LossCurves.of(before, factor)
        z = self._scores_so_far(rows.frame, before)
        fit = BoostingFit(self, loss, maker, rows.y, rows.w, z, sampling, watched, rule)
        del z  # the fit may have a copy, in another order
        self.n_iter_ = fit.run(
            curves,
            before.get("n_iter_", 0),
            self._n_rounds(),
            train_loss=self.always_scores or stops,
            from_start=self.from_start,
        )
        vars(self).update(maker.model())
        vars(self).update(curves.scores(factor))

    def _draws(self, stops: bool) -> bool:
        """Whether a fit draws anything, so that two need not be the same."""
        all_columns = self.max_features is None or repr(self.max_features) == "1.0"  # 1 is a single column
        all_columns &= self.colsample_bytree == 1 and self.colsample_bylevel == 1
        return stops or self.subsample < 1 or not all_columns or self.estimator is not None

    def _start(self, rows: BoostingRows, loss: Loss) -> None:
        n_scores = self._n_classes() if self._n_classes() > 2 else 1
        self.base_score_ = np.zeros(n_scores)
        if loss is self.loss:
            require_shapes(loss, rows.y, type(self).__name__)
        if self.init is None:
            base = best_constant(loss, in_memory(rows.y, rows.w), self._n_classes())
            self.base_score_ = np.asarray(base, dtype=np.float64).reshape(n_scores)
            refuse_infinite(self.base_score_, self.loss, type(self).__name__)
        elif not isinstance(self.init, str):
            self.init_ = fitted_start(
                self.init, rows.frame, rows.y, rows.w, n_classes=self._n_classes(), seed=self.seed_
            )

    def _maker(self, rows: BoostingRows, before: dict[str, Any]) -> RoundMaker:
        if self.estimator is not None:
            earlier = (before["estimators_"], before["factors_"]) if before else None
            return MemberRounds(
                self.estimator,
                rows.frame,
                rows.w,
                self.step,
                self.learning_rate,
                seed=self.seed_,
                before=earlier,
            )
        recipe = TreeRecipe(
            self.step, self.leaf, self.learning_rate, getattr(self, "ccp_alpha", 0.0), self.min_hessian
        )
        return TreeRounds(
            rows.frame,
            rows.w,
            recipe,
            self._tree_settings(),
            (before["forest_"], before["gains_"]) if before else None,
            seed=self.seed_,
            n_threads=self._threads(),
        )

    def _tree_settings(self) -> GrowerSettings:
        return replace(
            settings_of(self),
            l2=self._l2(),
            l1=getattr(self, "reg_alpha", 0.0),
            columns_per_tree=self.colsample_bytree,
            columns_per_level=self.colsample_bylevel,
        )

    def _rule(self, held: BoostingRows | None, rows: BoostingRows) -> StoppingRule:  # noqa: ARG002 - for scores
        return self._loss_rule(watched=held is not None)

    def _loss_rule(self, *, watched: bool) -> StoppingRule:
        judge: Literal["held_out", "oob", "train"] = "held_out"
        if not watched:
            judge = "oob" if self.validation_fraction == "oob" else "train"
        assert self.n_iter_no_change is not None  # there is no rule without
        # tol is in units of the score that is shown; the rule compares losses.
        tol = self.tol / abs(self._score_factor())
        return StoppingRule(judge, self._improves(), self.n_iter_no_change, tol)

    def _given_rows(self, given: GivenRows) -> BoostingRows:
        """Validation rows as those of the fit: checked, in the same columns, with coded targets."""
        target = given.target(type(self).__name__)
        try:
            whole = self._whole_table(self._new_rows(given.X), target, given.w)
            (block,) = self._coded_target(Blocks.of(whole, self.schema_, self._threads()))
        except ValueError as error:  # which speaks of X and y
            raise ValueError(f"In the validation rows X_val and y_val: {error}") from None
        assert block.y is not None  # checked above
        return BoostingRows(align(block.X, self.boosted_schema_), block.y, block.w)

    def _first_scores(self, frame: Frame) -> Floats:
        if "init_" in vars(self):
            return first_scores(self.init_, frame, self._loss(), self._n_classes())
        return spread_base(self.base_score_, len(frame))

    def _scores_so_far(self, frame: Frame, before: dict[str, Any]) -> Floats:
        """Scores after the rounds of an earlier fit, summed as in that fit, round by round."""
        z = self._first_scores(frame)
        if before:
            vars(self).update(
                {name: before[name] for name in ("forest_", "estimators_", "factors_") if name in before}
            )
            for z in self._staged(frame):  # noqa: B007 - the last one
                pass
        return z

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns that members know: marked numbers are categories."""
        return align(features, self.boosted_schema_)

    def _scores(self, features: Frame) -> Floats:
        """Scores of rows: (n_rows,), or (n_rows, n_classes)."""
        frame = self._coded(features)
        z = self._first_scores(frame)
        if "factors_" in vars(self):
            for z in self._staged(frame):  # noqa: B007 - the last one
                pass
            return z
        if "forest_" not in vars(self):  # a single class
            return z
        cells, n_threads = cells_of(frame), self._threads(len(frame))
        if z.ndim == 1:
            return np.asarray(z + self.forest_.answers(cells, n_threads)[:, 0])
        return self.forest_.add_scores(cells, z, n_threads)

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:  # noqa: ARG002 - any rows
        """The trees of all rounds, each of which adds to one score."""
        if "forest_" not in vars(self) or "init_" in vars(self):
            raise ValueError(
                f"{type(self).__name__}: contributions are those of trees to scores that start from a "
                "constant: fit without 'estimator' and 'init', on two classes or more."
            )
        scores = np.arange(len(self.forest_)) % len(self.base_score_)
        return self.forest_.weighted(1.0, self.base_score_, "score", output=scores)

    def _staged(self, frame: Frame) -> Iterator[Floats]:
        """Scores after 1, 2, ... rounds; the array is reused."""
        z = self._first_scores(frame)
        n_scores = 1 if z.ndim == 1 else z.shape[1]
        for number, update in enumerate(self._updates(frame)):
            if n_scores == 1:
                z += update
            else:
                z[:, number % n_scores] += update
            if number % n_scores == n_scores - 1:
                yield z

    def _updates(self, frame: Frame) -> Iterator[Floats]:
        """What one member after the other adds to its score."""
        if "factors_" in vars(self):
            rows = None
            for member, factor in zip(self.estimators_, self.factors_, strict=True):
                rows = member_rows(member, frame) if rows is None else rows
                yield np.asarray(factor * member_answers(member, rows))
        elif "forest_" in vars(self):
            for answer in self.forest_.each(frame, self._threads()):
                yield answer[:, 0]

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the total gain of all splits; all 0 without any split."""
        if "gains_" not in vars(self):
            raise AttributeError("feature_importances_ exist for boosted trees only")
        return np.asarray(self.gains_ / (self.gains_.sum() or 1.0))

    def _describe(self) -> Description:
        return describe_booster(self)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_booster(self, X, y, ax)
