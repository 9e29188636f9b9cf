"""Races: learners that cannot become best are stopped early, by a rule that the final test pays for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hornbook.evaluation.comparison._comparison_with_best import compare_with_best
from hornbook.evaluation.comparison._scores import Scores, Stopped

__all__ = ["looks_of", "raced"]

LEAST = 5  # folds that a look has at least
MOST = 3  # looks
SHARE = 0.1  # of alpha that one look may spend; the final test has what is left


def looks_of(cv: int, repeats: int) -> tuple[int, ...]:
    """After how many folds learners may be stopped: in the middle of the first repeat, and after repeats.

    Parameters
    ----------
    cv, repeats : int
        Folds in one repeat, and repeats.

    Examples
    --------
    >>> looks_of(10, 3), looks_of(5, 2), looks_of(5, 1)
    ((5, 10, 20), (5,), ())
    """
    # The middle of the first repeat, rounded up; then whole repeats, whose folds cover every row.
    counts = [-(-cv // 2), *(cv * repeat for repeat in range(1, repeats))]
    return tuple(count for count in counts if LEAST <= count < cv * repeats)[:MOST]


def raced(scores: Scores, looks: Sequence[int], *, alpha: float, equivalence: float) -> Scores:
    """Return the scores with the learners that a race has stopped, and without what they did afterwards.

    After the number of folds of each look, all learners that are still in the race are tested as in the final
    comparison, but at a tenth of alpha: those that are worse than the best by more than the region of
    equivalence are stopped. The final test has the rest of alpha, so that the probability of calling any
    learner worse that is as good as the best is at most alpha over the looks and the final test together
    (Bonferroni's bound). Looks are at fixed numbers of folds, never at moments in time, and one that some
    learner has not reached does not count. Baseline is the reference and never stopped.

    Parameters
    ----------
    scores : Scores
        Fold by fold; NaN where one is missing.
    looks : sequence of int
        Numbers of folds, ascending.
    alpha : float
        Probability of calling any learner worse that is as good as the best.
    equivalence : float
        Differences up to this are of no practical interest.
    """
    stopped: dict[str, Stopped] = {}
    for count in looks:
        part = scores.losses[:, :count]
        known = np.asarray(np.isfinite(part).all(axis=1))
        racing = [i for i, name in enumerate(scores.names) if name not in stopped and known[i]]
        waited_for = set(scores.names) - set(scores.errors) - set(stopped)
        # Parallel workers finish in any order: a look waits until all running learners have these
        # folds, so that the race does not depend on timing.
        if len(racing) < 2 or waited_for - {scores.names[i] for i in racing}:
            break
        overlap = (
            0.0 if scores.overlap == 0 else float(np.mean(scores.n_test[:count] / scores.n_train[:count]))
        )
        tested = compare_with_best(part[racing], overlap, equivalence=equivalence, alpha=SHARE * alpha)
        for place, i in enumerate(racing):
            name, p = scores.names[i], float(tested.adjusted_p[place])
            if p <= SHARE * alpha and name != scores.baseline:
                rival = scores.names[racing[int(tested.rival[place])]]
                # Divided by its share: comparable with the whole alpha, like the p-values of the
                # final test.
                stopped[name] = Stopped(count, min(1.0, p / SHARE), rival)
    values = scores.values.copy()
    for name, stop in stopped.items():
        # Folds run beyond the stop are dropped: whether they were computed at all is a matter of
        # timing.
        values[list(scores.names).index(name), stop.folds :] = np.nan
    # alpha is split over looks in advance (Bonferroni over time), used or not: otherwise the number
    # of looks taken would depend on the data.
    return replace(scores, values=values, stopped=stopped, spent=SHARE * len(looks))
