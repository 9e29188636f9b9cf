"""Trees, forests, extra-trees and boosting on tables of many shapes: the worst speed beside the mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl
import sklearn.ensemble as forests
import sklearn.tree as trees
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import hornbook
from benchmarks._boosters import OURS, OnPandas, boosters
from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from benchmarks._shapes import Sample, Shape, sample, shapes

Makers = dict[str, Callable[[], Any]]  # an untrained learner for each contender


def run(setting: Setting) -> Iterator[Table]:
    for family in (single_trees, random_forests, extra_trees, boosting):
        yield compared(family, setting)


def single_trees(shape: Shape, jobs: int) -> Makers:
    """Return fully grown trees."""
    name = "DecisionTree" + _suffix(shape)
    return {
        OURS: partial(getattr(hornbook, name), random_state=0, n_jobs=jobs),
        "scikit-learn": partial(getattr(trees, name), random_state=0),
    }


def random_forests(shape: Shape, jobs: int) -> Makers:
    """Return forests of fully grown trees, with as many columns a node for all."""
    return _forests("RandomForest", shape, jobs)


def extra_trees(shape: Shape, jobs: int) -> Makers:
    """Return extremely randomized trees."""
    return _forests("ExtraTrees", shape, jobs)


def boosting(shape: Shape, jobs: int) -> Makers:
    """Return histogram gradient boosting; the peers have their own categories, LightGBM all its ways."""
    return boosters(_suffix(shape), _n_trees(shape), jobs, ways=True)


def _forests(kind: str, shape: Shape, jobs: int) -> Makers:
    name = kind + _suffix(shape)
    options = {"n_estimators": _n_trees(shape), "max_features": "sqrt", "random_state": 0, "n_jobs": jobs}
    makers: Makers = {
        OURS: partial(getattr(hornbook, name), **options),
        "scikit-learn": partial(getattr(forests, name), **options),
    }
    intelex = peer("sklearnex.ensemble")
    if intelex is not None:
        makers["scikit-learn-intelex"] = partial(getattr(intelex, name), **options)
    return makers


def _n_trees(shape: Shape) -> int:
    return {1_000: 100, 10_000: 50, 100_000: 10}.get(shape.rows, 4)


def _suffix(shape: Shape) -> str:
    return "Classifier" if shape.classes else "Regressor"


def compared(family: Callable[[Shape, int], Makers], setting: Setting) -> Table:
    """Return our speed beside the fastest peer's on each shape, the worst and the geometric mean."""
    rows = [
        _row(shape, family(shape, setting.jobs), sample(shape), setting)
        for shape in shapes(quick=setting.quick)
    ]
    speeds = np.array([row.speed for row in rows])
    mean, worst = float(np.exp(np.log(speeds).mean())), float(speeds.min())
    title = f"{family.__name__.replace('_', ' ')}: fit on {len(rows)} shapes, {setting.jobs} threads"
    targets = [
        Target("mean at least 2 times the fastest peer", f"{mean:.2f}", judged(setting.quick, mean >= 2)),
        Target(
            "nowhere below 1.5 times the fastest peer", f"{worst:.2f}", judged(setting.quick, worst >= 1.5)
        ),
    ]
    return Table(title, rows, targets)


def _row(shape: Shape, makers: Makers, table: Sample, setting: Setting) -> Row:
    works = {who: partial(_fit, make, who, table) for who, make in makers.items()}
    timed = best_of(works, 1 if shape.rows * shape.columns > 1_000_000 else setting.rounds)
    scores = {who: float(run.result.score(table.new, table.truth)) for who, run in timed.items()}
    fastest = min((who for who in timed if who != OURS), key=lambda who: timed[who].seconds)
    speed = timed[fastest].seconds / timed[OURS].seconds
    text = f"test {scores[OURS]:.4f}; {fastest} {scores[fastest]:.4f}"
    return Row(str(shape), timed[OURS].seconds, speed, text)


def _fit(make: Callable[[], Any], who: str, table: Sample) -> Any:
    """Return the fitted learner; peers that take no text get codes, which are a part of their work."""
    learner = make()
    if isinstance(table.X, pl.DataFrame) and not (who == OURS or isinstance(learner, OnPandas)):
        learner = make_pipeline(OrdinalEncoder(), learner)
    return learner.fit(table.X, table.y)
