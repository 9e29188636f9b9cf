"""The figures of a clustering."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from hornbook import plots
from hornbook.display import Table
from hornbook.evaluation import ClusterCountCurve
from hornbook.studies._study_data import StudyData
from hornbook.studies.clusters._findings import ClusterFindings, ClusterPlane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cluster_figures"]

MOST_ARROWS = 30  # columns of a biplot that can be read
CRITERIA = {
    "stability": "Agreement of the models of two halves; the largest is preferred.",
    "silhouette": "How much nearer rows are to their own cluster than to the next, outside the half that was "
    "clustered; the largest is preferred.",
    "calinski_harabasz": "Scatter between clusters over scatter within; the largest is preferred.",
    "davies_bouldin": "Width of clusters over distance to the most similar one; the smallest is preferred.",
    "bic": "Bayesian information criterion of Gaussian mixtures, for each row; the smallest is preferred.",
    "gap": "How much tighter clusters of KMeans are than those of uniform rows, with one standard error; the "
    "first number is preferred whose gap the next one does not exceed by more. It may prefer one cluster.",
}

Plan = tuple[str, str, str, Callable[[], "Axes"], Table | None]


def cluster_figures(study: StudyData) -> Iterator[Plan]:
    """Give name, title, caption, drawing and data of each figure.

    Parameters
    ----------
    study : StudyData
        The study.
    """
    findings = study.clusters
    if findings is None:
        return
    if findings.plane is not None:
        yield from _of_plane(findings.plane, findings, study.n_rows)
    if findings.structure is not None and study.verdict is not None:
        structure, alpha = findings.structure, study.verdict.alpha
        yield (
            "structure",
            "Stability of each clustering, and its range on tables without clusters",
            (
                "Dots are this table; lines reach from the smallest to the largest stability on tables "
                "drawn from one normal distribution, uniform ones, and ones with shuffled columns. A filled "
                "dot exceeds what tables without clusters give, after correction for the number of "
                "clusterings."
            ),
            lambda: plots.cluster_structure(structure, alpha=alpha),
            structure.table,
        )
    for curve in findings.curves:
        name = curve.criterion.replace("_", " ")
        yield (
            f"count_{curve.criterion}",
            f"{name.capitalize()} by the number of clusters",
            f"{CRITERIA[curve.criterion]} Here {curve.best}.",
            partial(plots.cluster_count, curve),
            _curve_table(curve),
        )


def _of_plane(plane: ClusterPlane, findings: ClusterFindings, n_rows: int) -> Iterator[Plan]:
    titles = [
        f"component {i + 1} ({100 * share:.0f} % of the variance)" for i, share in enumerate(plane.shares)
    ]
    some = "" if len(plane.points) == n_rows else f" {len(plane.points)} of {n_rows} rows are drawn."
    yield (
        "plane",
        f"{findings.n_clusters} clusters in the plane of two principal components",
        (
            f"Standardized columns, in the two directions in which they vary most.{some} Clusters that "
            "overlap here may be apart in other directions."
        ),
        lambda: plots.clusters(plane.points, plane.labels, names=titles),
        None,
    )
    if len(plane.columns) <= MOST_ARROWS:
        names = ["noise" if label < 0 else f"cluster {label}" for label in plane.labels.tolist()]
        yield (
            "biplot",
            "The columns in the same plane",
            "Arrows point to where a column increases; columns with long arrows are well represented here.",
            lambda: plots.biplot(plane.points, plane.loadings, plane.columns, classes=names, titles=titles),
            None,
        )


def _curve_table(curve: ClusterCountCurve) -> Table:
    columns = {"clusters": curve.sizes.tolist(), curve.criterion: curve.values.tolist()}
    if curve.low is not None and curve.high is not None:
        columns |= {"low": curve.low.tolist(), "high": curve.high.tolist()}
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return Table(f"{curve.criterion.replace('_', ' ')} by the number of clusters", [*columns], rows)
