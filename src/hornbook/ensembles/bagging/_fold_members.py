"""Members of a cross-validation, each of which has not seen one of the folds."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from hornbook._scikit import available_if
from hornbook.base import Description, Predictor, adopted
from hornbook.ensembles._out_of_bag import UnseenRows
from hornbook.ensembles.bagging._committee import Committee
from hornbook.ensembles.bagging._description import describe_members, draw_members
from hornbook.ensembles.bagging._folds import Cv, folds_of
from hornbook.ensembles.bagging._samples import member_seed
from hornbook.ensembles.bagging._training import Training, in_order
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Shape
from hornbook.random import seed_of

__all__ = ["FoldMembers", "predicts_classes"]


def predicts_classes(estimator: Any) -> bool:
    """Whether an estimator, which may be anything that the user passed, is a classifier."""
    return hasattr(estimator, "get_params") and not isinstance(estimator, type) and is_classifier(estimator)


class FoldMembers(Committee, Predictor):
    """Members fitted to all folds but one each."""

    wants: ClassVar[Literal["frame"]] = "frame"
    counts_absent = True  # rows of weight 0 are in no fold

    estimator: Any
    cv: Cv
    random_state: Any

    sample_sizes_: Annotated[NDArray[np.intp], Shape("n_members")]
    fold_errors_: Annotated[Floats, Shape("n_members")]

    @property
    def scale_sensitive(self) -> bool:  # type: ignore[override]  # it is that of the members
        """Whether the unit of a column changes what members learn."""
        return bool(getattr(self.estimator, "scale_sensitive", False))

    def _inner(self) -> Any:
        return self.estimator

    def _predicts_classes(self) -> bool:
        return predicts_classes(self.estimator)

    def _learn_target(self, blocks: Blocks) -> Blocks:
        """Whether y are classes or numbers depends on the estimator, so that is checked first."""
        adopted(self.estimator)
        return super()._learn_target(blocks)

    def _fit(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> None:
        self._refuse_ties()
        self.seed_ = seed_of(self.random_state)
        classes = self._predicts_classes()
        training = Training(self.estimator, frame, y, w, "classification" if classes else "regression")
        folds = folds_of(type(self).__name__, frame, y, w, self.cv, self.seed_)

        def member(t: int) -> Any:
            seed = member_seed(self.seed_, t)
            return training.member(folds.rows(t), weighted=True, columns=None, seed=seed)

        members: list[Any] = []
        n_folds = len(folds.pairs)
        with closing(in_order(member, range(n_folds), min(self._threads(), n_folds))) as fitted:
            for _ in self.iterate(n_folds, name="fold", model=lambda: {"estimators_": list(members)}):
                members.append(next(fitted))  # noqa: PERF401 - callbacks see those so far
        self.estimators_ = members
        self.sample_sizes_ = np.array([len(folds.rows(t)) for t in range(len(members))], dtype=np.intp)
        # Each row is predicted by the one member that has not seen it: fold errors cost no further
        # fit.
        unseen = UnseenRows(y, w, len(self.classes_) if classes else 0, folds.left_out, hard=False)
        for t, ballot in enumerate(self._ask_each(frame, self._ballot, unseen.left_out)):
            unseen.take(unseen.left_out(t), ballot)
        self.fold_errors_ = np.array(unseen.member_errors)

    @available_if(lambda learner: learner._predicts_classes())  # noqa: SLF001 - of its own class
    def _proba(self, frame: Frame) -> Floats:
        return self._shares(frame)

    def _describe(self) -> Description:
        facts = {"error on the fold left out, the mean": float(self.fold_errors_.mean())}
        columns = {"rows": self.sample_sizes_.tolist(), "error": self.fold_errors_.tolist()}
        return describe_members(self, facts, columns)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_members(self, "Error on the fold left out", self.fold_errors_, X, y, ax)
