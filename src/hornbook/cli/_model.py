"""A model file and the rows of new data, brought together by the names of the columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import hornbook
from hornbook.cli._console import Console

__all__ = ["Matched", "load_model", "model_path"]


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
            f"'{path}' is a folder without model.hornbook: name a model file or a study's folder."
        )
    return place / "model.hornbook"


@dataclass(frozen=True)
class Matched:
    """Which columns of new data a model gets.

    Parameters
    ----------
    schema : Schema
        The columns of the fit.
    names : tuple of str
        The columns of the data that take their places, in the same order.
    target : str or None
        The column of the data with the truth.
    """

    schema: hornbook.frame.Schema
    names: tuple[str, ...]
    target: str | None

    @classmethod
    def of(
        cls, model: Any, data: hornbook.frame.Schema, console: Console, target: str | None = None
    ) -> Matched:
        """Find the columns by name, and say what is moved and what is left out.

        Parameters
        ----------
        model : learner
            The fitted model.
        data : Schema
            The columns there are.
        console : Console
            Where to say it.
        target : str, optional
            The column with the truth; the model's own when left out and there.
        """
        if target is not None:
            target = data.names[data.position(target)]
        else:
            known = getattr(model, "target_name_", None)
            target = known if known in data.names else None
        fitted = model.schema_
        rest = [name for name in data.names if name != target]
        if not (fitted.named and data.named) and not set(fitted.names) <= set(rest):
            return cls._by_place(fitted, rest, target, console)
        _refuse_lacking(fitted.names, rest)
        if extra := [name for name in rest if name not in fitted.names]:
            console.note(f"ignored, because the model does not know them: {_listed(extra)}.")
        if [name for name in rest if name in fitted.names] != list(fitted.names):
            console.note("the columns are put into the order in which the model learned them.")
        return cls(fitted, fitted.names, target)

    @classmethod
    def _by_place(
        cls, fitted: hornbook.frame.Schema, rest: list[str], target: str | None, console: Console
    ) -> Matched:
        """Without names on one of the sides, the first column is the first."""
        if len(rest) != len(fitted):
            raise ValueError(
                f"the data have {len(rest)} columns and the model learned from {len(fitted)}: without a "
                "header line in both files, columns cannot be found by name; leave out or add columns."
            )
        console.note(
            "one of the files had no header line: the columns are taken in the order in which they stand."
        )
        return cls(fitted, tuple(rest), target)

    def features(self, rows: hornbook.Frame) -> hornbook.Frame:
        """The columns for the model, under its own names.

        Parameters
        ----------
        rows : Frame
            New rows.
        """
        chosen = rows.select(list(self.names))
        columns = tuple(
            replace(column, name=name)
            for column, name in zip(chosen.schema.columns, self.schema.names, strict=True)
        )
        schema = hornbook.frame.Schema(columns, self.schema.named)
        return hornbook.Frame.from_columns(schema, [chosen.column(j) for j in range(len(columns))], len(rows))

    def known_rows(self, block: hornbook.frame.Block) -> hornbook.frame.Block:
        """The columns for the model, and the truth.

        Parameters
        ----------
        block : Block
            New rows, with the column of the truth.
        """
        assert self.target is not None
        return hornbook.frame.Block(self.features(block.X), block.X[self.target], start=block.start)

    def predictions(
        self, model: Any, blocks: hornbook.Blocks, methods: Iterable[str], weight: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """What a model says about all rows, block by block, for output.

        Parameters
        ----------
        model : learner
            The fitted model.
        blocks : Blocks
            The rows.
        methods : iterable of str
            Methods of the model to ask.
        weight : str, optional
            The column with the weights of the rows.

        Yields
        ------
        dict of arrays
            ``row``, the number of each row; ``truth`` and ``weight``, where there are such columns; and what
            each method returned.
        """
        for block in blocks:
            rows = self.features(block.X)
            columns: dict[str, Any] = {"row": range(block.start, block.start + len(block))}
            if self.target is not None:
                columns["truth"] = block.X[self.target]
            if weight is not None:
                columns["weight"] = block.X[weight]
            yield columns | {method: getattr(model, method)(rows) for method in methods}


def _refuse_lacking(wanted: tuple[str, ...], names: list[str]) -> None:
    lacking = [name for name in wanted if name not in names]
    if lacking:
        spare = [name for name in names if name not in wanted]
        near = hornbook.params.suggest(lacking[0], spare)
        raise ValueError(
            f"the data lack {_listed(lacking)}, which the model needs; they have {_listed(names)}.{near}"
        )


def _listed(names: list[str], most: int = 6) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
