"""Random forests against scikit-learn's and scikit-learn-intelex's: fit, prediction, memory, test AUC."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier as ScikitLearn

from benchmarks._measure import Setting, Timed, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import RandomForestClassifier
from hornbook.evaluation import auc

COLUMNS = 28


def numbers(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns that hang together, and a class drawn by a bent function of some of them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, COLUMNS))
    X[:, : COLUMNS // 2] += 0.5 * X[:, COLUMNS // 2 :]
    z = (
        X[:, 0] * X[:, 1]
        + np.sin(2 * X[:, 2])
        + np.abs(X[:, 3])
        - 0.5 * X[:, 4]
        + 0.3 * X[:, 5:10].sum(axis=1)
    )
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(0.7 - z))).astype(np.int64)


def memory(model: Any) -> int:
    """Return the bytes of everything a fitted learner holds, written out the same way for all."""
    return len(pickle.dumps(model, protocol=pickle.HIGHEST_PROTOCOL))


def learners(n_trees: int, jobs: int) -> dict[str, Any]:
    """Return the forests to compare; all grow fully on bootstrap samples with sqrt(28) columns a node."""
    forests: dict[str, Any] = {
        "hornbook, all thresholds": RandomForestClassifier(n_trees, random_state=0, n_jobs=jobs),
        "hornbook, 255 bins": RandomForestClassifier(n_trees, max_bins=255, random_state=0, n_jobs=jobs),
        "scikit-learn": ScikitLearn(n_trees, random_state=0, n_jobs=jobs),
    }
    if peer("sklearnex") is not None:
        from sklearnex.ensemble import RandomForestClassifier as Intelex  # noqa: PLC0415 - only if installed

        forests["scikit-learn-intelex"] = Intelex(n_trees, random_state=0, n_jobs=jobs)
    return forests


def run(setting: Setting) -> Iterator[Table]:
    many = setting.jobs if setting.quick else max(2, setting.jobs)
    for jobs in sorted({1, many}):
        yield from compared(setting, jobs)


def compared(setting: Setting, jobs: int) -> Iterator[Table]:
    """Fit, prediction and memory on so many threads."""
    n_rows, n_trees = setting.size(100_000, 2_000), setting.size(100, 10)
    X, y = numbers(2 * n_rows)
    new, truth = X[n_rows:], y[n_rows:]
    models = learners(n_trees, jobs)
    fits = {who: (lambda model=model: model.fit(X[:n_rows], y[:n_rows])) for who, model in models.items()}
    fitted = best_of(fits, 1)
    asked = {who: (lambda model=run.result: model.predict_proba(new)) for who, run in fitted.items()}
    answered = best_of(asked, setting.rounds)
    areas = {who: auc(truth, run.result[:, 1]) for who, run in answered.items()}
    size = f"{n_rows:,} x {COLUMNS}, {n_trees} trees, {jobs} threads"
    quality = {who: f"test AUC {area:.4f}" for who, area in areas.items()}
    yield table(f"fit, {size}", fitted, quality, good(areas, setting), setting)
    yield table(f"predict_proba, {size}", answered, quality, [], setting)
    if jobs == 1:
        yield sizes(f"fitted forest, {size}", {who: memory(model) for who, model in models.items()})


def sizes(title: str, memory: dict[str, int]) -> Table:
    """Return the memory of each fitted forest beside scikit-learn's."""
    theirs = memory["scikit-learn"]
    rows = [
        Row(who, quality=f"{size / 2**20:.1f} MB, {size / theirs:.2f} of scikit-learn's")
        for who, size in memory.items()
    ]
    targets = [
        Target(f"{who}: at most half of scikit-learn's memory", f"{size / theirs:.2f}", size <= 0.5 * theirs)
        for who, size in memory.items()
        if is_ours(who)
    ]
    return Table(title, rows, targets)


def is_ours(who: str) -> bool:
    return who.startswith("hornbook")


def good(areas: dict[str, float], setting: Setting) -> list[Target]:
    """Return whether our forests rank as well as the best peer's."""
    best = max(area for who, area in areas.items() if not is_ours(who))
    text = "test AUC within 0.002 of the best peer's, or above"
    return [
        Target(f"{who}: {text}", f"{area - best:+.4f}", judged(setting.quick, area >= best - 0.002))
        for who, area in areas.items()
        if is_ours(who)
    ]


def table(
    title: str, timed: dict[str, Timed], quality: dict[str, str], more: list[Target], setting: Setting
) -> Table:
    """Return the times beside the fastest peer's."""
    peers = min(run.seconds for who, run in timed.items() if not is_ours(who))
    speeds = {who: peers / run.seconds for who, run in timed.items()}
    rows = [Row(who, run.seconds, speeds[who], quality[who]) for who, run in timed.items()]
    if peer("sklearnex") is None:
        rows.append(Row("scikit-learn-intelex"))
    fast = [
        Target(f"{who}: at least 2 times the fastest peer", f"{speed:.2f}", judged(setting.quick, speed >= 2))
        for who, speed in speeds.items()
        if is_ours(who)
    ]
    return Table(title, rows, [*fast, *more])
