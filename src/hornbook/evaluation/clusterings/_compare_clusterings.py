"""Clusterers compared by the stability of what they find."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hornbook.evaluation.clusterings._halves import (
    Halves,
    agreement,
    half_splits,
    require_clusterer,
    rows_for,
)
from hornbook.evaluation.comparison._fold_scores import (
    FoldScore,
    first_errors,
    mean_seconds,
    mean_stored,
    named_learners,
    progress_bar,
    score_table,
)
from hornbook.evaluation.comparison._model_size import stored_numbers
from hornbook.evaluation.comparison._scores import Scores
from hornbook.evaluation.comparison._verdict import Verdict
from hornbook.evaluation.folds._failure import failure
from hornbook.evaluation.metrics._defaults import EQUIVALENCE
from hornbook.evaluation.splits._rows import count_rows
from hornbook.params import Floats, Seed
from hornbook.random import seed_of

__all__ = ["MEASURE", "compare_clusterings", "stability_scores"]

MEASURE = "stability"


def compare_clusterings(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    *,
    n_splits: int = 20,
    random_state: Seed = None,
    alpha: float = 0.05,
    equivalence: float = EQUIVALENCE,
    progress: bool | None = None,
) -> Verdict:
    """Compare clusterers by their stability on the same splits, and say which can be told apart.

    Each split cuts the rows into two halves; a learner is fitted to both, and its score is the adjusted Rand
    index of the labels that its two models give to all rows, as in `cluster_stability`. The verdict is that
    of `compare`: the test pays for choosing the best on the same scores and for splits that share rows.

    Parameters
    ----------
    learners : mapping of str to clusterer, or sequence of clusterers
        The clusterers, by name or named after their class; each must have ``predict``.
    X : table of shape (n_rows, n_columns)
        The rows.
    n_splits : int, default 20
        Number of splits into halves.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.
    alpha : float, default 0.05
        Probability of calling any learner worse that is as stable as the best, region of equivalence
        included.
    equivalence : float, default 0.01
        Differences of stability up to this are of no practical interest.
    progress : bool, optional
        Whether a progress bar is shown on standard error; on a terminal when left out.

    Returns
    -------
    Verdict
        Prints as a sentence and a table, and gives plain data by ``to_dict()``.

    Examples
    --------
    >>> from hornbook import KMeans, datasets
    >>> learners = {f"k={k}": KMeans(k, random_state=0) for k in (2, 5)}
    >>> compare_clusterings(learners, datasets.iris().features, random_state=0).winners
    ('k=2',)
    """
    named = named_learners("compare_clusterings", learners)
    for name, learner in named.items():
        require_clusterer("compare_clusterings", repr(name), learner)
    splits = list(half_splits("compare_clusterings", X, n_splits, seed_of(random_state)))
    tables = {name: rows_for(learner, X) for name, learner in named.items()}
    results: dict[str, list[FoldScore]] = {name: [] for name in named}
    shown = sys.stderr.isatty() if progress is None else progress
    with progress_bar(len(named) * len(splits), shown=shown) as advance:
        # Every learner gets the same halves, so that differences between learners are paired.
        for halves in splits:
            for name, learner in named.items():
                results[name].append(_scored(learner, tables[name], halves))
                advance(name)
    scores = stability_scores(
        tuple(named),
        score_table(results),
        count_rows(X),
        errors=first_errors(results),
        seconds=mean_seconds(results),
        stored=mean_stored(results),
    )
    return Verdict.of(scores, alpha=alpha, equivalence=equivalence)


def stability_scores(names: Sequence[str], values: Floats, n_rows: int, **facts: Any) -> Scores:
    """Return stabilities over splits into halves as scores, of which a verdict can be made."""
    # Both halves train, so the halves count as training and as test rows: a ratio of 1 for the
    # variance correction of Nadeau and Bengio.
    half = np.full(values.shape[1], n_rows // 2, dtype=np.int64)
    return Scores(MEASURE, True, tuple(names), values, half, half, perfect=1.0, **facts)


def _scored(learner: Any, X: Any, halves: Halves) -> FoldScore:
    """Score a learner on one split; one that fails gives its sentence instead of a score."""
    try:
        score, fitted = agreement(learner, X, halves)
    except Exception as error:  # noqa: BLE001 - one learner's failure must not end the comparison
        return FoldScore(error=failure(error))
    return FoldScore(score, fitted.seconds, stored_numbers(fitted.model))
