"""Stacking: a combiner learns from what the members say (Wolpert 1992, Breiman 1996)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import (
    Accepts,
    Description,
    NamedMembers,
    Transformer,
    Working,
    draw_beside_rows,
    member_rows,
)
from hornbook.ensembles.combining._description import member_description
from hornbook.ensembles.combining._folds import Splits, held_out, is_fraction
from hornbook.ensembles.combining._inputs import StackMethod, input_table, inputs_of, method_of
from hornbook.ensembles.combining._members import (
    Task,
    check_tasks,
    fit_member,
    fitted_members,
    kind_of,
    rows_for,
)
from hornbook.frame import Frame
from hornbook.params import Floats, ParameterError, Seed, Shape
from hornbook.plots import bars

__all__ = ["StackedMembers"]


class StackedMembers(NamedMembers, Transformer):
    """Members, and a combiner that learns from what they say of rows."""

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True)
    supervised: ClassVar[bool] = True
    scale_sensitive: ClassVar[bool] = True
    model_class = "models of the combiner, over the predictions of one model of each member"
    objective = "that of each member, then that of the combiner"
    optimizer = "that of each member, then that of the combiner"
    task: ClassVar[Task]

    final_estimator_: Any
    stack_method_: Annotated[list[str], Shape("n_members")]

    final_estimator: Any
    cv: Any
    stack_method: StackMethod
    passthrough: bool
    random_state: Seed
    n_jobs: int | None
    _combiner: Callable[[], Any]

    def _known_classes(self) -> NDArray[Any] | None:
        """The classes, or None where numbers are predicted."""
        return getattr(self, "classes_", None)

    def _given(self) -> bool:
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _fit_stack(self, frame: Frame, codes: NDArray[Any], y: NDArray[Any], w: Floats | None) -> None:
        kind, members = type(self).__name__, self._members()
        check_tasks(kind, [*members, ("final_estimator", self._combiner())], self.task)
        self.member_names_ = [name for name, _ in members]
        self.stack_method_ = [method_of(kind, name, one, self.stack_method) for name, one in members]
        splits = self._splits(frame, codes, w)
        everything = np.arange(len(y))
        # Members that predict new rows come first: of a fraction, those that learn from the rest.
        rounds = splits if splits and is_fraction(self.cv) else [(everything, everything), *splits]
        # What members say of rows they have learned from would make the combiner trust those that overfit
        # (Wolpert 1992).
        outputs: list[list[Floats]] = []
        asked: list[NDArray[np.intp]] = []
        for i in self.iterate(len(rounds), name="round"):  # a fold at a time is in memory
            train, test = rounds[i]
            # `frame[everything]` would copy the table.
            part = (frame if train is everything else frame[train]).prepared()
            fitted = self._fit_members(part, y[train], None if w is None else w[train])
            if i == 0:
                self.estimators_ = fitted
            if train is not everything:
                outputs.append(self._inputs(frame[test], fitted))
                asked.append(test)
        if not outputs:
            outputs, asked = [self._inputs(frame)], [everything]
        rows = np.concatenate(asked)
        # Back in the order of the table: the combiner must not see rows grouped by fold.
        order = np.argsort(rows, kind="stable")
        inputs, rows = [np.concatenate(parts)[order] for parts in zip(*outputs, strict=True)], rows[order]
        table = self._table(inputs, frame[rows] if self.passthrough else None)
        weights = None if w is None else w[rows]
        # A combiner that gets rows of one class only becomes a Baseline, as members do.
        self.final_estimator_ = fit_member(self._combiner(), table, y[rows], weights, self.task)

    def _fit_members(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> list[Any]:
        """A member of each type that has learned from these rows, or was given."""
        return list(
            fitted_members(
                type(self).__name__,
                self._members(),
                frame,
                y,
                w,
                classes=self._known_classes(),
                given=self._given(),
                n_threads=self._threads(),
            )
        )

    def _splits(self, frame: Frame, codes: NDArray[Any], w: Floats | None) -> Splits:
        """Rows that are held out; none where the combiner learns from the rows of the members."""
        if isinstance(self.cv, str):
            if self.cv in ("none", "prefit"):
                return []
            raise ParameterError(
                f"{type(self).__name__}: parameter 'cv' must be a number of folds, a fraction to hold out, a "
                f"splitter, pairs of rows, 'none' or 'prefit'; got {self.cv!r}."
            )
        classes = self.task == "classification"
        return held_out(
            type(self).__name__, self.cv, frame, codes, w, classes=classes, seed=self.random_state
        )

    def _inputs(self, frame: Frame, members: list[Any] | None = None) -> list[Floats]:
        """What each member says of rows, those that predict new rows when left out."""
        frame = frame.prepared()
        methods: Any = self.stack_method_
        return [
            inputs_of(member, rows_for(member, frame, given=self._given()), method, self._known_classes())
            for member, method in zip(self.estimators_ if members is None else members, methods, strict=True)
        ]

    def _table(self, inputs: list[Floats], passed: Frame | None) -> Frame:
        methods: Any = self.stack_method_
        table = input_table(inputs, self.member_names_, methods, self._known_classes(), passed)
        names = table.schema.names
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ValueError(
                f"{type(self).__name__}: the column {twice[0]!r} has the name of a member's input: rename "
                "the member in parameter 'estimators', or set passthrough=False."
            )
        return table

    def _second(self, frame: Frame) -> Frame:
        """The rows as the combiner knows them."""
        return self._table(self._inputs(frame), frame if self.passthrough else None)

    def _combined_rows(self, frame: Frame) -> Any:
        return member_rows(self.final_estimator_, self._second(frame))

    def _transform(self, frame: Frame) -> Floats:
        return np.hstack(self._inputs(frame))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:  # noqa: ARG002 - scikit-learn passes it
        """Name the columns of `transform`: the name of a member, and of a class where it gives several.

        Parameters
        ----------
        input_features : array-like of str, optional
            Not used; here because scikit-learn passes it.

        Returns
        -------
        names : ndarray of str
            stackingclassifier_bayes, ...; with the position of the class where there are several.
        """
        prefix, classes = type(self).__name__.lower(), self._known_classes()
        several = [] if classes is None or len(classes) == 2 else list(range(len(classes)))
        names = [
            f"{prefix}_{name}{k}"
            for name, method in zip(self.member_names_, self.stack_method_, strict=True)
            for k in (several if several and method != "predict" else [""])
        ]
        return np.array(names, dtype=object)

    def _describe(self) -> Description:
        how = {"none": "the rows of the members", "prefit": "all rows, with given members"}
        learned = how.get(self.cv) if isinstance(self.cv, str) else None
        if learned is None:
            learned = (
                f"{self.cv:g} of the rows, held out" if is_fraction(self.cv) else "rows held out in folds"
            )
        facts = {"combiner": kind_of(self.final_estimator_), "learns from": learned}
        words = ["classes" if m == "predict" else m for m in self.stack_method_]
        if self._known_classes() is None:
            words = ["numbers"] * len(words)
        own = member_description(type(self).__name__, facts, self._named(), ["inputs"], words)
        if not hasattr(self.final_estimator_, "_describe"):
            return own
        inside = self.final_estimator_.describe()
        tables = [replace(table, title=f"Combiner: {table.title}") for table in inside.tables]
        return replace(own, tables=[*own.tables, *tables])

    def _inner_working(self, row: Frame) -> Working | None:
        """The working of the combiner; None where it shows none."""
        if not hasattr(self.final_estimator_, "_working"):
            return None
        working: Working = self.final_estimator_.working(self._second(row))
        texts = [str(prediction) for prediction in self._member_predictions(row)]
        pairs = ", ".join(f"{name} {text}" for name, text in zip(self.member_names_, texts, strict=True))
        return replace(working, title=f"Members predict {pairs}; the combiner: {working.title}")

    def _member_predictions(self, row: Frame) -> list[Any]:
        """What each member predicts for one row."""
        twin = copy(self)
        # A shallow copy with another method: the labels members would give, without fitting anything.
        twin.stack_method_ = ["predict"] * len(self.estimators_)
        values = [float(part[0, 0]) for part in twin._inputs(row)]  # noqa: SLF001 - itself
        classes = self._known_classes()
        return [f"{v:.4g}" for v in values] if classes is None else [classes[int(v)] for v in values]

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        if hasattr(self.final_estimator_, "_plot"):
            return self.final_estimator_.plot(None if X is None else self._second(X), y, ax)
        names = self.get_feature_names_out().tolist()  # of a combiner that draws nothing, its inputs
        return draw_beside_rows(
            self,
            lambda place: bars(np.ones(len(names)), names, place, title="Inputs of the combiner"),
            X,
            y,
            ax,
        )
