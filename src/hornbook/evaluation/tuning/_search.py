"""Tuning: search for good parameters inside, judge outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from hornbook.evaluation.folds._dataset import Dataset, measure_for
from hornbook.evaluation.folds._experiment import default_folds
from hornbook.evaluation.folds._failure import failure
from hornbook.evaluation.metrics._measure import Measure
from hornbook.evaluation.splits._kfold import Split, Splitter
from hornbook.evaluation.splits._nested import NestedCV
from hornbook.evaluation.tuning._result import Setting, Trials, TuningResult, words
from hornbook.evaluation.tuning._settings import Grid, drawn_settings, grid_settings
from hornbook.params import Seed
from hornbook.random import seed_of

__all__ = ["grid_search", "random_search"]


def grid_search(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    grid: Grid | None = None,
    n_values: int = 5,
    measure: str | Callable[..., Any] | None = None,
    cv: Splitter | NestedCV | None = None,
    nested: bool = True,
    groups: Any = None,
    sample_weight: Any = None,
) -> TuningResult:
    """Try every combination of parameter values, and say honestly how good the best one is.

    The search runs on all rows to find the setting, and once more inside the training rows of every outer
    fold, whose test rows then score what was chosen without them. A setting that fails is shown with its
    sentence; only if all fail the search does. Weights count in fitting and in measuring.

    Parameters
    ----------
    learner : estimator
        It is cloned, not changed.
    X : Frame, DataFrame, array or list
        The table; a Frame brings target, groups and weights.
    y : array-like of shape (n_rows,), optional
        The target.
    grid : dict, optional
        For each parameter the values to try, as a list or as a `Tune`. Left out, the ranges are those that
        the learner names itself.
    n_values : int, default 5
        Values to spread over each range; lists are taken whole.
    measure : str or measure, optional
        Log loss if the learner gives probabilities, else error rate; root mean squared error for numbers.
    cv : splitter or NestedCV, optional
        The folds; a single splitter serves outside and inside. Five shuffled folds, stratified for classes,
        always the same ones, when left out.
    nested : bool, default True
        Whether the honest score is computed, for about as many searches more as there are outer folds.
    groups : array-like of shape (n_rows,), optional
        Group of each row, for splitters that keep groups together.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    TuningResult
        The best setting, the learner fitted with it, the table of all settings and the honest score.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> result = grid_search(NaiveBayes(), datasets.iris(), grid={"density": ["gaussian", "bins"]})
    >>> result.best_params
    {'density': 'gaussian'}
    >>> round(result.best_score, 3), round(result.honest_score, 3)
    (0.158, 0.158)
    """
    if n_values < 1:
        raise ValueError(f"grid_search: 'n_values' must be at least 1; got {n_values}.")
    data = Dataset.of("grid_search", X, y, groups, sample_weight).for_learner(learner)
    return _search(
        "grid_search", learner, data, grid_settings(learner, grid, n_values), measure, cv, nested=nested
    )


def random_search(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    grid: Grid | None = None,
    n_iter: int = 20,
    measure: str | Callable[..., Any] | None = None,
    cv: Splitter | NestedCV | None = None,
    nested: bool = True,
    groups: Any = None,
    sample_weight: Any = None,
    random_state: Seed = None,
) -> TuningResult:
    """Try parameter values drawn at random, and say honestly how good the best ones are.

    Ranges are drawn from evenly (on the logarithm, where they say so), lists with equal chances. The same
    settings are tried inside every outer fold.

    Parameters
    ----------
    learner, X, y
        As for `grid_search`.
    grid : dict, optional
        For each parameter the range or the list to draw from; those that the learner names when left out.
    n_iter : int, default 20
        Settings to draw; those that come again are tried once.
    measure, cv, nested, groups
        As for `grid_search`.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    TuningResult
        As for `grid_search`.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> result = random_search(NaiveBayes(), datasets.iris(), n_iter=5, random_state=0, nested=False)
    >>> sorted(result.best_params)
    ['alpha', 'n_bins', 'var_smoothing']
    """
    if n_iter < 1:
        raise ValueError(f"random_search: 'n_iter' must be at least 1; got {n_iter}.")
    data = Dataset.of("random_search", X, y, groups, sample_weight).for_learner(learner)
    # Random draws test more values of each parameter than a grid of as many settings, and few parameters
    # matter (Bergstra and Bengio 2012).
    settings = drawn_settings(learner, grid, n_iter, seed_of(random_state))
    return _search("random_search", learner, data, settings, measure, cv, nested=nested)


def _search(
    who: str,
    learner: Any,
    data: Dataset,
    settings: Sequence[Setting],
    measure: str | Callable[..., Any] | None,
    cv: Splitter | NestedCV | None,
    *,
    nested: bool,
) -> TuningResult:
    chosen = measure_for([learner], measure)
    folds = _folds(learner, cv)
    scores, outer_settings = [], []
    # Varma and Simon (2006): the outer test rows take no part in the choice, so their score is
    # unbiased.
    for train, test, inner in folds.nested_split(data.X, data.y, data.groups) if nested else ():
        trials = _tried(who, learner, settings, data, inner, chosen)
        setting = trials.settings[trials.best]
        outer_settings.append(setting)
        model = data[train].fit(clone(learner).set_params(**setting)).model
        scores.append(data[test].score(chosen, model))
    # If nested, the outer folds have warned of small ones already; else only the inner folds can.
    pairs = folds.inner_split if nested else folds.inner.split
    # The final choice uses all rows; its own score was chosen to be large, hence the outer folds.
    trials = _tried(who, learner, settings, data, list(pairs(data.X, data.y, data.groups)), chosen)
    best = data.fit(clone(learner).set_params(**trials.settings[trials.best])).model
    if not nested:
        return TuningResult(chosen, trials, best, None, None)
    return TuningResult(chosen, trials, best, np.array(scores), tuple(outer_settings))


def _folds(learner: Any, cv: Splitter | NestedCV | None) -> NestedCV:
    if isinstance(cv, NestedCV):
        return cv
    splitter = default_folds(learner, 5) if cv is None else cv
    return NestedCV(splitter, splitter)


def _tried(
    who: str,
    learner: Any,
    settings: Sequence[Setting],
    data: Dataset,
    pairs: Sequence[Split],
    measure: Measure,
) -> Trials:
    """Score every setting on the same folds; one that fails keeps its sentence instead."""
    scores, errors = np.full((len(settings), len(pairs)), np.nan), [""] * len(settings)
    for j, (train, test) in enumerate(data.folds(pairs)):
        for i, setting in enumerate(settings):
            # Once a setting fails it is out: its mean over the remaining folds would not be
            # comparable.
            if errors[i]:
                continue
            try:
                scores[i, j] = test.score(measure, train.fit(clone(learner).set_params(**setting)).model)
            except Exception as error:  # noqa: BLE001 (one setting's failure must not end the search)
                errors[i] = failure(error)
            else:
                errors[i] = f"{measure.name} is NaN" if np.isnan(scores[i, j]) else ""
    if all(errors):
        raise ValueError(f"{who}: every setting failed; {words(settings[0])} gave {errors[0]}")
    scores[[bool(error) for error in errors]] = np.nan
    return Trials(tuple(settings), scores, tuple(errors), measure.greater_is_better)
