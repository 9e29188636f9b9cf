"""Bagging of trees and of naive Bayes against scikit-learn's, of the same members."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from sklearn.ensemble import BaggingClassifier as TheirBagging
from sklearn.naive_bayes import GaussianNB

from benchmarks._measure import Setting, best_of
from benchmarks._report import Row, Table, Target, judged
from benchmarks.trees import COLUMNS, data
from hornbook import BaggingClassifier, NaiveBayes
from hornbook.evaluation import auc

THEIRS = "scikit-learn"


def run(setting: Setting) -> Iterator[Table]:
    # Our members and theirs, and how many times as fast we must be.
    yield compare("10 trees", None, None, 4.0, setting)
    yield compare("10 naive Bayes", NaiveBayes(), GaussianNB(), 1.0, setting)


def compare(members: str, ours: Any, theirs: Any, wanted: float, setting: Setting) -> Table:
    n = setting.size(50_000, 2_000)
    (X, score), (test, truth) = data(n, 0), data(n, 1)
    learners: dict[str, Any] = {
        "hornbook": BaggingClassifier(ours, random_state=0, n_jobs=setting.jobs),
        THEIRS: TheirBagging(theirs, random_state=0, n_jobs=setting.jobs),
    }
    works = {name: partial(learner.fit, X, score > 0) for name, learner in learners.items()}
    timed = best_of(works, setting.rounds)
    quality = {
        name: float(auc(truth > 0, timing.result.predict_proba(test)[:, 1])) for name, timing in timed.items()
    }
    slow = timed[THEIRS].seconds
    rows = [
        Row(name, timing.seconds, slow / timing.seconds, f"test AUC {quality[name]:.4f}")
        for name, timing in timed.items()
    ]
    speed, behind = slow / timed["hornbook"].seconds, quality[THEIRS] - quality["hornbook"]
    targets = [
        Target(f"at least {wanted:g} times as fast", f"{speed:.1f}", judged(setting.quick, speed >= wanted)),
        Target("test AUC at most 0.005 behind", f"{behind:+.4f}", judged(setting.quick, behind <= 0.005)),
    ]
    return Table(f"bagging of {members}, {n:,} x {COLUMNS}, {setting.jobs} threads", rows, targets)
