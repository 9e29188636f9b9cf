"""Which rows are for training and which for testing, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.plots.canvas._canvas import axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["folds"]

_UNUSED, _TRAINING, _TEST = range(3)
_SHADES = ("white", "#D6E6F2", color(0))
_HIGH = 0.8  # of the height of a round


def folds(
    splits: Iterable[tuple[ArrayLike, ArrayLike]],
    ax: Axes | None = None,
    *,
    scores: Sequence[float] = (),
    name: str = "score",
    title: str = "",
) -> Axes:
    """Draw a scheme of cross-validation: one bar per round, with its training and its test rows.

    Rows stand in the order of the rounds that test them, so that each fold is one block.

    Parameters
    ----------
    splits : iterable of (training rows, test rows)
        What a splitter gives, such as ``KFold(10).split(X)``.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    scores : sequence of float, default ()
        A score for each round, written beside it, and their mean below.
    name : str, default "score"
        Name of the score.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = folds([([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])], scores=[0.8, 1.0, 0.9])
    >>> [text.get_text() for text in ax.texts]
    ['D1', 'D2', 'D3', '0.800', '1.000', '0.900', 'mean 0.900', 'score']
    """
    rounds = [(np.asarray(train, dtype=np.intp), np.asarray(test, dtype=np.intp)) for train, test in splits]
    if not rounds or any(not len(test) for _, test in rounds):
        raise ValueError("folds: 'splits' must have at least one round, each with rows to test.")
    if scores and len(scores) != len(rounds):
        raise ValueError(
            f"folds: 'scores' must have one number for each of the {len(rounds)} rounds; got {len(scores)}."
        )
    table = _table(rounds)
    ax = axes(ax, size=(6.4, 1.3 + 0.32 * len(rounds)))
    for i, row in enumerate(table):
        edges = np.concatenate([[0], np.flatnonzero(np.diff(row)) + 1, [len(row)]])
        for start, stop in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            ax.barh(
                i, stop - start, _HIGH, start, color=_SHADES[row[start]], edgecolor="#7F7F7F", linewidth=0.6
            )
    for i, row in enumerate(table):
        tested = np.flatnonzero(row == _TEST)
        # In the order of testing a fold is one block, unless rounds test rows of earlier ones again.
        if tested[-1] - tested[0] + 1 == len(tested):
            ax.text(
                float(tested.mean()) + 0.5,
                i,
                f"D{i + 1}",
                ha="center",
                va="center",
                color="white",
                fontsize=8,
            )
    ax.set_yticks(range(len(rounds)), [f"round {i + 1}" for i in range(len(rounds))])
    ax.set_ylim(len(rounds) + (0.4 if scores else -0.4), -0.6)
    ax.set_xlim(0, table.shape[1])
    _write_scores(ax, scores, name)
    ax.set_xlabel(f"{table.shape[1]} rows, in the order in which they are tested")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_title(title)
    _legend(ax, table)
    return ax


def _table(rounds: list[tuple[NDArray[np.intp], NDArray[np.intp]]]) -> NDArray[np.intp]:
    """Return for each round and row what the row is used for."""
    n = 1 + max(int(rows.max()) for pair in rounds for rows in pair if len(rows))
    table = np.full((len(rounds), n), _UNUSED, dtype=np.intp)
    for use, (train, test) in zip(table, rounds, strict=True):
        use[train] = _TRAINING
        use[test] = _TEST
    tested = table == _TEST
    # Rows that no round tests come last.
    first = np.where(tested.any(axis=0), tested.argmax(axis=0), len(rounds))
    return np.asarray(table[:, np.argsort(first, kind="stable")])


def _write_scores(ax: Axes, scores: Sequence[float], name: str) -> None:
    if not scores:
        return
    place = ax.get_yaxis_transform()
    for i, score in enumerate(scores):
        ax.text(1.02, i, f"{score:.3f}", va="center", fontsize=9, transform=place)
    mean = f"mean {float(np.mean(scores)):.3f}"
    ax.text(1.02, len(scores), mean, va="center", fontsize=9, weight="bold", transform=place)
    ax.annotate(name, (1.02, 1.0), xycoords="axes fraction", fontsize=9, va="bottom")


def _legend(ax: Axes, table: NDArray[np.intp]) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    uses = [use for use in (_TRAINING, _TEST, _UNUSED) if (table == use).any()]
    names = {_TRAINING: "training rows", _TEST: "test rows", _UNUSED: "not used"}
    handles = [Patch(facecolor=_SHADES[use], edgecolor="#7F7F7F") for use in uses]
    ax.legend(
        handles,
        [names[use] for use in uses],
        loc="upper center",
        bbox_to_anchor=(0.5, -0.08),
        ncols=3,
        frameon=False,
        fontsize=9,
    )
