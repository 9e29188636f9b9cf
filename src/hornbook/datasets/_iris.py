"""Fisher's irises, in the two versions that are in circulation and the four views that the notes use."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hornbook.datasets._table import choose, table
from hornbook.frame import Frame

__all__ = ["iris"]

_SPECIES = ("setosa", "versicolor", "virginica")
_MEASURES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
_PLANE = ["sepal_length", "sepal_width"]
_BINS: dict[str | int, list[str]] = {
    "sepal_length": ["Very Short", "Short", "Long", "Very Long"],
    "sepal_width": ["Short", "Medium", "Long"],
}


def iris(
    version: Literal["uci", "fisher"] = "uci",
    view: Literal["table", "plane", "components", "discretized"] = "table",
    *,
    positive: Literal["setosa", "versicolor", "virginica"] | None = None,
) -> Frame:
    """Make the table of 150 irises: four lengths in centimeters and the species, 50 flowers of each.

    The flowers were measured by Anderson and published by Fisher (1936, *Annals of Eugenics* 7, 179-188). The
    file of the UCI repository, offered under the license CC BY 4.0, differs from the paper in two flowers;
    scikit-learn has the paper's.

    Parameters
    ----------
    version : {"uci", "fisher"}, default "uci"
        - "uci": the file of the UCI repository, which the notes use; the flowers in rows 34 and 37 (counted
          from zero) are both (4.9, 3.1, 1.5, 0.1);
        - "fisher": the table of the paper, where they are (4.9, 3.1, 1.5, 0.2) and (4.9, 3.6, 1.4, 0.1).
    view : {"table", "plane", "components", "discretized"}, default "table"
        - "table": all four lengths;
        - "plane": sepal length and width only;
        - "components": ``pc1`` and ``pc2``, the centered lengths on their first two principal components,
          turned so that setosa has positive ``pc1`` and a wide sepal raises ``pc2``;
        - "discretized": sepal length and width in bins of equal width with names, [4.3, 5.2] Very Short,
          (5.2, 6.1] Short, (6.1, 7.0] Long, (7.0, 7.9] Very Long; [2.0, 2.8] Short, (2.8, 3.6] Medium,
          (3.6, 4.4] Long.
    positive : {"setosa", "versicolor", "virginica"}, optional
        Keep this species and call the others "rest", which makes two classes of three.

    Returns
    -------
    Frame
        The table, with target ``species``.

    Examples
    --------
    >>> flowers = iris(view="plane", positive="setosa")
    >>> flowers.features.schema.names, len(flowers)
    (('sepal_length', 'sepal_width'), 150)
    >>> flowers.features.matrix[flowers.y == "setosa"].mean(axis=0).round(3).tolist()
    [5.006, 3.418]
    """
    choose("iris", "version", version, ("uci", "fisher"))
    choose("iris", "view", view, ("table", "plane", "components", "discretized"))
    data = table(f"iris-{version}")
    if positive is not None:
        choose("iris", "positive", positive, _SPECIES)
        data = data.with_columns(_kept_or_rest(data["species"], positive))
    if view == "table":
        return Frame(data, target="species")
    if view == "components":
        return Frame(_components(data), target="species")
    plane = Frame(data.select(*_PLANE, "species"), target="species")
    return plane if view == "plane" else plane.binned(_BINS)


def _kept_or_rest(species: pl.Series, positive: str) -> pl.Series:
    return species.set(species != positive, "rest")


def _components(data: pl.DataFrame) -> dict[str, NDArray[Any]]:
    """Scores on the two directions of largest variance."""
    X = data.select(_MEASURES).to_numpy()
    centered = X - X.mean(axis=0)
    _, vectors = np.linalg.eigh(centered.T @ centered / len(X))  # eigenvalues ascend
    first, second = vectors[:, -1], vectors[:, -2]
    # The sign of an eigenvector is arbitrary: fixed so that petal length lowers pc1 and sepal width raises
    # pc2.
    first = first * -np.sign(first[_MEASURES.index("petal_length")])
    second = second * np.sign(second[_MEASURES.index("sepal_width")])
    scores = centered @ np.column_stack([first, second])
    return {"pc1": scores[:, 0], "pc2": scores[:, 1], "species": data["species"].to_numpy()}
