"""Trees, forests, extra-trees, boosting on tables of many shapes: speed and test scores, mean and worst."""

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
Scores = dict[str, float]  # R2 or accuracy on new rows
SEEDS = range(1, 5)  # beside 0, the one that is timed


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
    """Return speed beside the fastest peer's and the test scores on each shape, mean and worst of both."""
    measured = [
        _measured(shape, family(shape, setting.jobs), sample(shape), setting)
        for shape in shapes(quick=setting.quick)
    ]
    speeds = np.array([row.speed for row, _ in measured])
    mean, worst = float(np.exp(np.log(speeds).mean())), float(speeds.min())
    title = f"{family.__name__.replace('_', ' ')}: fit on {len(measured)} shapes, {setting.jobs} threads"
    targets = [
        Target("mean at least 2 times the fastest peer", f"{mean:.2f}", judged(setting.quick, mean >= 2)),
        Target(
            "nowhere below 1.5 times the fastest peer", f"{worst:.2f}", judged(setting.quick, worst >= 1.5)
        ),
    ]
    scores = [score for _, score in measured]
    targets += [_equal_quality(who, scores, setting) for who in scores[0] if who != OURS]
    return Table(title, [row for row, _ in measured], targets)


def _equal_quality(who: str, scores: list[Scores], setting: Setting) -> Target:
    ahead = np.array([score[OURS] - score[who] for score in scores])
    mean, worst = float(ahead.mean()), float(ahead.min())
    text = f"mean test score at most .002 below that of {who}"
    return Target(text, f"{mean:+.4f}, worst {worst:+.4f}", judged(setting.quick, mean >= -0.002))


def _measured(shape: Shape, makers: Makers, table: Sample, setting: Setting) -> tuple[Row, Scores]:
    works = {who: partial(_fit, make, who, table) for who, make in makers.items()}
    is_large = shape.rows * shape.columns > 1_000_000
    timed = best_of(works, 1 if is_large else setting.rounds)
    scores = {who: _score(run.result, table) for who, run in timed.items()}
    if shape.rows <= 1_000:  # few rows to test on: more seeds
        for who, make in makers.items():
            more = [_score(_fit(seeded, who, table), table) for seeded in _other_seeds(make)]
            scores[who] = float(np.mean([scores[who], *more]))
    fastest = min((who for who in timed if who != OURS), key=lambda who: timed[who].seconds)
    speed = timed[fastest].seconds / timed[OURS].seconds
    text = f"fastest {fastest}; test " + ", ".join(f"{who} {score:.4f}" for who, score in scores.items())
    return Row(str(shape), timed[OURS].seconds, speed, text), scores


def _score(learner: Any, table: Sample) -> float:
    return float(learner.score(table.new, table.truth))


def _other_seeds(make: Callable[[], Any]) -> list[Callable[[], Any]]:
    """Return makers of the same learner with other seeds, if it draws."""
    if not isinstance(make, partial) or "random_state" not in make.keywords:
        return []
    return [partial(make, random_state=seed) for seed in SEEDS]


def _fit(make: Callable[[], Any], who: str, table: Sample) -> Any:
    """Return the fitted learner; peers that take no text get codes, which are a part of their work."""
    learner = make()
    if isinstance(table.X, pl.DataFrame) and not (who == OURS or isinstance(learner, OnPandas)):
        learner = make_pipeline(OrdinalEncoder(), learner)
    return learner.fit(table.X, table.y)
