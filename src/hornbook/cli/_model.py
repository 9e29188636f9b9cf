"""Match the columns of new data to those a model was fitted on, and predict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import hornbook
from hornbook.cli._console import Console

__all__ = ["Matched", "load_model", "model_path"]

TOGETHER = 16  # chunks of rows that are predicted in one call on a cluster


def load_model(path: str) -> Any:
    """Load a model file, or the one in the folder of a study.

    Parameters
    ----------
    path : str
        The file or the folder.
    """
    return hornbook.load(model_path(path))


def model_path(path: str) -> Path:
    """Return the model file itself, or the one in the folder of a study.

    Parameters
    ----------
    path : str
        The file or the folder.
    """
    place = Path(path)
    if not place.is_dir():
        return place
    if not (place / "model.hornbook").is_file():
        raise ValueError(
            f"'{path}' is a folder without model.hornbook: pass a model file or the folder of a study."
        )
    return place / "model.hornbook"


@dataclass(frozen=True)
class Matched:
    """Columns of new data, matched to those of the fit.

    Parameters
    ----------
    schema : Schema
        The columns of the fit.
    names : tuple of str
        The matching columns of the data, in the same order.
    target : str or None
        The column of the data with the known target values.
    """

    schema: hornbook.frame.Schema
    names: tuple[str, ...]
    target: str | None

    @classmethod
    def of(
        cls, model: Any, data: hornbook.frame.Schema, console: Console, target: str | None = None
    ) -> Matched:
        """Match columns by name, and print what is reordered and what is ignored.

        Parameters
        ----------
        model : learner
            The fitted model.
        data : Schema
            The columns of the data.
        console : Console
            Where to print it.
        target : str, optional
            The column with the target values; by default that of the model, if the data have it.
        """
        if target is not None:
            target = data.names[data.position(target)]
        else:
            # New rows often have no target; where they have it, it must not be counted as an unknown column.
            known = getattr(model, "target_name_", None)
            target = known if known in data.names else None
        fitted = model.schema_
        rest = [name for name in data.names if name != target]
        # Without header lines, both sides may have the made-up names x0, x1, ...; those match like others.
        if not (fitted.named and data.named) and not set(fitted.names) <= set(rest):
            return cls._by_place(fitted, rest, target, console)
        _refuse_lacking(fitted.names, rest)
        if extra := [name for name in rest if name not in fitted.names]:
            console.note(f"ignored, because the model was not fitted on them: {_listed(extra)}.")
        if [name for name in rest if name in fitted.names] != list(fitted.names):
            console.note("the columns are reordered to match the model.")
        return cls(fitted, fitted.names, target)

    @classmethod
    def _by_place(
        cls, fitted: hornbook.frame.Schema, rest: list[str], target: str | None, console: Console
    ) -> Matched:
        """Match columns by position, where one side has no names."""
        if len(rest) != len(fitted):
            raise ValueError(
                f"the data have {len(rest)} columns and the model was fitted on {len(fitted)}: without a "
                "header line in both files, columns are matched by position; remove or add columns."
            )
        console.note("one of the files has no header line: the columns are matched by position.")
        return cls(fitted, tuple(rest), target)

    def features(self, rows: hornbook.Frame) -> hornbook.Frame:
        """The columns of the model, under the names of the fit.

        Parameters
        ----------
        rows : Frame
            New rows.
        """
        chosen = rows.select(list(self.names))
        # Renamed to the names of the fit: where columns are matched by position, `predict` would otherwise
        # refuse them by name.
        columns = tuple(
            replace(column, name=name)
            for column, name in zip(chosen.schema.columns, self.schema.names, strict=True)
        )
        schema = hornbook.frame.Schema(columns, self.schema.named)
        return hornbook.Frame.from_columns(schema, [chosen.column(j) for j in range(len(columns))], len(rows))

    def known_rows(self, block: hornbook.frame.Block) -> hornbook.frame.Block:
        """The columns of the model, and the target.

        Parameters
        ----------
        block : Block
            New rows, including the target column.
        """
        assert self.target is not None
        return hornbook.frame.Block(self.features(block.X), block.X[self.target], start=block.start)

    def predictions(
        self, model: Any, blocks: hornbook.Blocks, methods: Iterable[str], weight: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Predictions for all rows, block by block, for output.

        Parameters
        ----------
        model : learner
            The fitted model.
        blocks : Blocks
            The rows.
        methods : iterable of str
            Methods of the model to call.
        weight : str, optional
            The column with the weights of the rows.

        Yields
        ------
        dict of arrays
            ``row``, the row numbers; ``truth`` and ``weight``, if there are such columns; and the result of
            each method.
        """
        methods = list(methods)
        if blocks.elsewhere:  # predicted where the rows are, so that only predictions come here
            how = self, model, methods, weight
            yield from blocks.reduce(_answers_of, *how, together=TOGETHER)
            return
        for block in blocks:
            yield self.answers(model, block, methods, weight)

    def answers(
        self, model: Any, block: hornbook.frame.Block, methods: Iterable[str], weight: str | None = None
    ) -> dict[str, Any]:
        """Predictions for the rows of a block.

        Parameters
        ----------
        model : learner
            The fitted model.
        block : Block
            The rows.
        methods : iterable of str
            Methods of the model to call.
        weight : str, optional
            The column with the weights of the rows.
        """
        rows = self.features(block.X)
        columns: dict[str, Any] = {"row": range(block.start, block.start + len(block))}
        if self.target is not None:
            columns["truth"] = block.X[self.target]
        if weight is not None:
            columns["weight"] = block.X[weight]
        return columns | {method: getattr(model, method)(rows) for method in methods}


def _answers_of(
    block: hornbook.frame.Block, matched: Matched, model: Any, methods: list[str], weight: str | None
) -> list[dict[str, Any]]:
    """Predictions of some rows, in a list that can be added to others."""
    return [matched.answers(model, block, methods, weight)]


def _refuse_lacking(wanted: tuple[str, ...], names: list[str]) -> None:
    lacking = [name for name in wanted if name not in names]
    if lacking:
        spare = [name for name in names if name not in wanted]
        # Only columns that the model does not use can be misspelled versions of the one that it lacks.
        near = hornbook.params.suggest(lacking[0], spare)
        raise ValueError(
            f"the data have no column {_listed(lacking)}, which the model needs; "
            f"they have {_listed(names)}.{near}"
        )


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
