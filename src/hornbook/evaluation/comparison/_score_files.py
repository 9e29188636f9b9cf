"""Scores and predictions as files: one line for each learner and fold, or for each row."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.comparison._scores import Scores
from hornbook.frame import csv_safe, csv_unsafe

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PredictionFile", "read_predictions", "read_scores", "write_scores"]

FOLD = ("repeat", "fold", "n_train", "n_test")  # what must agree for a fold to be the same fold
SCORE_COLUMNS = ("learner", "repeat", "fold", "n_train", "n_test", "measure", "greater_is_better", "score")


def write_scores(
    scores: Scores,
    path: str | Path,
    *,
    folds_per_repeat: int | None = None,
    settings: Mapping[tuple[str, int], str] | None = None,
    safe: bool = False,
) -> None:
    """Write scores as CSV, one line for each learner and fold.

    Parameters
    ----------
    scores : Scores
        The scores.
    path : str or path
        Where to write; an existing file is replaced.
    folds_per_repeat : int, optional
        Folds in one repeat; all of them when left out.
    settings : mapping of (str, int) to str, optional
        What was chosen for a learner in a fold, counted over all repeats; nothing when left out.
    safe : bool, default False
        Whether text that a spreadsheet would run as a formula gets an apostrophe before.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> scores = Scores("mse", False, ["a"], np.array([[0.5, 0.25]]), np.array([6, 6]), np.array([3, 3]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_scores(scores, Path(folder, "scores.csv"))
    ...     Path(folder, "scores.csv").read_text().splitlines()[1]
    'a,0,0,6,3,mse,false,0.5,,,,,'
    """
    import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

    n_folds = scores.values.shape[1]
    per_repeat = n_folds if folds_per_repeat is None else folds_per_repeat
    lines = [
        {
            "learner": name,
            "repeat": k // per_repeat,
            "fold": k % per_repeat,
            "n_train": int(scores.n_train[k]),
            "n_test": int(scores.n_test[k]),
            "measure": scores.measure,
            "greater_is_better": scores.greater_is_better,
            "score": None if np.isnan(scores.values[i, k]) else float(scores.values[i, k]),
            "seconds": scores.seconds.get(name),
            "stored": scores.stored.get(name),
            "error": scores.errors.get(name),
            "setting": (settings or {}).get((name, k)) or None,
            "positive": scores.positive,
        }
        for i, name in enumerate(scores.names)
        for k in range(n_folds)
    ]
    target = Path(path)
    part = target.with_name(target.name + ".part")
    # infer_schema_length=None reads all lines before it decides on types: the first score may be a
    # failure.
    table = pl.DataFrame(lines, infer_schema_length=None)
    (csv_safe(table) if safe else table).write_csv(part)
    part.replace(target)  # readers never see half a file


def read_scores(path: str | Path) -> Scores:
    """Read scores written by `write_scores`.

    Parameters
    ----------
    path : str or path
        A CSV file, or a folder with ``scores.csv``.

    Returns
    -------
    Scores
        Learners in the order of the file; folds that a learner lacks are missing.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> scores = Scores("mse", False, ["a"], np.array([[0.5, 0.25]]), np.array([6, 6]), np.array([3, 3]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_scores(scores, Path(folder, "scores.csv"))
    ...     read_scores(folder).values.tolist()
    [[0.5, 0.25]]
    """
    table = _read(path, "scores.csv", SCORE_COLUMNS)
    if table["measure"].n_unique() != 1:
        raise ValueError(f"{path}: scores of one measure are needed; got {sorted(set(table['measure']))}.")
    folds = table.select(FOLD).unique().sort("repeat", "fold")
    place = {key: k for k, key in enumerate(folds.select("repeat", "fold").rows())}
    # Unique on all four columns: a fold with two sizes makes two lines of one key.
    if len(place) != folds.height:
        raise ValueError(
            f"{path}: a fold has different sizes for different learners: they were not the same."
        )
    names = table["learner"].unique(maintain_order=True).to_list()
    values = np.full((len(names), len(place)), np.nan)
    for learner, repeat, fold, score in table.select("learner", "repeat", "fold", "score").rows():
        values[names.index(learner), place[repeat, fold]] = np.nan if score is None else score
    return Scores(
        table["measure"][0],
        bool(table["greater_is_better"][0]),
        names,
        values,
        folds["n_train"].to_numpy().astype(np.int64),
        folds["n_test"].to_numpy().astype(np.int64),
        errors={name: text for name, text in _per_learner(table, "error").items() if text},
        seconds=_per_learner(table, "seconds"),
        stored=_per_learner(table, "stored"),
        positive=next((csv_unsafe(text) for text in _per_learner(table, "positive").values()), None),
    )


def _per_learner(table: pl.DataFrame, column: str) -> dict[str, Any]:
    if column not in table.columns:
        return {}
    pairs = table.select("learner", column).rows()
    return {name: value for name, value in pairs if value is not None}


class PredictionFile:
    """Predictions of one learner for the rows of one table.

    Parameters
    ----------
    path : str or path
        A CSV file with the columns ``row``, ``truth``, ``prediction`` and, where there are folds, ``fold``
        (and ``repeat``); a probability for class c stands in a column ``p(c)``.
    in_words : bool, default False
        Whether truth and predictions are words even where they look like numbers.
    """

    def __init__(self, path: str | Path, *, in_words: bool = False) -> None:
        self.path = Path(path)
        words = ("truth", "prediction") if in_words else ()
        table = _read(path, "predictions.csv", ("row", "truth", "prediction"), words)
        keys = [name for name in ("repeat", "row") if name in table.columns]
        if table.select(keys).is_duplicated().any():
            raise ValueError(f"{path}: a row occurs twice: each row needs one prediction.")
        self.table = table.sort(*keys)
        columns = [name for name in table.columns if name.startswith("p(") and name.endswith(")")]
        self.labels = [name[2:-1] for name in columns]
        self.probabilities: NDArray[np.float64] | None = (
            self.table.select(columns).to_numpy() if columns else None
        )

    def column(self, name: str) -> NDArray[Any]:
        """Values of a column, in the order of the rows."""
        return self.table[name].to_numpy()

    @property
    def has_words(self) -> bool:
        """Whether some classes are words, so that all are: 1 beside x, 007, or a number beyond all types."""
        import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

        truth, prediction = (self.table[name] for name in ("truth", "prediction"))
        if pl.Int128 in (truth.dtype, prediction.dtype) or (truth.dtype == pl.String) != (
            prediction.dtype == pl.String
        ):
            return True
        # Column names are text, so labels like 1.0 or 007 match only if the truth is read as text.
        return bool(self.labels) and not set(map(str, truth.unique().to_list())) <= set(self.labels)

    @property
    def is_classification(self) -> bool:
        """Whether truth and predictions are classes."""
        return bool(self.labels) or self.column("truth").dtype.kind != "f"

    @property
    def folds(self) -> list[NDArray[np.intp]]:
        """Positions of the rows of each fold; none when the file has no folds."""
        names = [name for name in ("repeat", "fold") if name in self.table.columns]
        if "fold" not in names:
            return []
        keys = self.table.select(names).rows()
        # Sorted by (repeat, fold): the order is the same in both files even if their lines are not.
        order = {key: k for k, key in enumerate(sorted(set(keys)))}
        codes = np.array([order[key] for key in keys])
        return [np.flatnonzero(codes == k) for k in range(len(order))]


def read_predictions(paths: Sequence[str | Path]) -> list[PredictionFile]:
    """Read prediction files of the same rows, and make sure that they are.

    Parameters
    ----------
    paths : sequence of str or path
        The files.
    """
    files = [PredictionFile(path) for path in paths]
    if any(file.has_words for file in files):
        files = [PredictionFile(path, in_words=True) for path in paths]
    first = files[0]
    for other in files[1:]:
        same = [name for name in ("repeat", "fold", "row") if name in first.table.columns]
        lacking = [name for name in same if name not in other.table.columns]
        if lacking or first.table.height != other.table.height:
            raise ValueError(
                f"{first.path} and {other.path} do not hold the same rows: "
                f"{first.table.height} and {other.table.height} lines; compare predictions for one table."
            )
        for name in [*same, "truth"]:
            differ = np.flatnonzero(first.column(name) != other.column(name))
            if len(differ):
                row = first.column("row")[differ[0]]
                raise ValueError(
                    f"{first.path} and {other.path} differ in {name!r} at row {row}: "
                    "compare predictions for the same rows and folds."
                )
    return files


def _read(path: str | Path, name: str, needed: Sequence[str], words: Sequence[str] = ()) -> pl.DataFrame:
    import polars as pl  # noqa: PLC0415 - slow to import, and only files need it

    source = Path(path)
    source = source / name if source.is_dir() else source
    if not source.exists():
        raise FileNotFoundError(f"there is no file {source}: pass a CSV file, or a folder with {name}.")
    types = dict.fromkeys(words, pl.String)
    table = pl.read_csv(source, infer_schema_length=None, schema_overrides=types)
    with source.open(encoding="utf-8", newline="") as file:  # polars keeps quotation marks in names doubled
        table.columns = next(csv.reader(file))
    lacking = [column for column in needed if column not in table.columns]
    if lacking:
        raise ValueError(f"{source} lacks the column {lacking[0]!r}; it has {', '.join(table.columns)}.")
    return table
