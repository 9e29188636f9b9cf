"""Splits of a node by trying everything, in plain NumPy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import xlogy


def impurity(weights, criterion, beta=2.0):
    """Of class weights: entropy -sum p log2 p, Gini 1 - sum p^2, 1 - max p, and Daroczy's family."""
    p = weights / weights.sum()
    p = p[p > 0]
    shannon = -(p * np.log2(p)).sum()
    if criterion == "daroczy" and beta != 1.0:
        return 2 ** (beta - 1) / (2 ** (beta - 1) - 1) * (1 - (p**beta).sum())
    if criterion == "misclassification":
        return 1 - p.max()
    return 1 - (p**2).sum() if criterion in ("gini", "cart") else shannon


def gain(table, criterion, beta=2.0):
    """Of a split; a row of the table holds the class weights of a branch."""
    share, classes = table.sum(axis=1) / table.sum(), table.sum(axis=0)
    if criterion == "cart":  # 2 P(l) P(r) sum |P(c|l) - P(c|r)|
        one, other = table / table.sum(axis=1, keepdims=True)
        return 2 * share[0] * share[1] * np.abs(one - other).sum()
    if criterion == "quadratic_gain":  # H(C) + H(A) - H(A, C), H = 2 - 2 sum p^2
        parts = (classes, share, table.ravel())
        return sum(s * 2 * impurity(part, "gini") for s, part in zip((1, 1, -1), parts, strict=True))
    left = sum(s * impurity(row, criterion, beta) for s, row in zip(share, table, strict=True))
    fall = impurity(classes, criterion, beta) - left
    below = {
        "raw_gain_ratio": impurity(share, "entropy"),
        "symmetric_gain_ratio": impurity(table.ravel(), "entropy"),
        "symmetric_gain_ratio_sum": impurity(share, "entropy") + impurity(classes, "entropy"),
    }.get(criterion, 1.0)
    return fall / below if below > 0 else 0.0


def branches(codes, *, nominal, multiway=False, most=None):
    """Every way to split a column: lists of masks over the rows that have a value (code >= 0)."""
    levels = np.unique(codes[codes >= 0])
    if not nominal:
        return [[(codes >= 0) & (codes <= cut), codes > cut] for cut in levels[:-1]]
    if multiway:
        return [[codes == code for code in levels]] if len(levels) > 1 else []
    sizes = range(1, (most or len(levels) // 2) + 1)
    chosen = [set(s) for size in sizes for s in combinations(levels, size) if size < len(levels)]
    return [[np.isin(codes, list(s)), (codes >= 0) & ~np.isin(codes, list(s))] for s in chosen]


def with_missing(split, missing):
    """The rows that lack a value added to each branch in turn."""
    return [
        [branch | missing if i == chosen else branch for i, branch in enumerate(split)]
        for chosen in range(len(split))
    ]


def class_score(y, w, n_classes, criterion, beta=2.0):
    """Gain of masks as a function, for classes."""
    onehot = np.eye(n_classes)[y] * w[:, None]
    return lambda masks: gain(np.array([onehot[mask].sum(axis=0) for mask in masks]), criterion, beta)


def number_score(y, w, criterion):
    """Gain of masks for numbers: fall of the variance, of the mean deviation from the median, or of half the
    Poisson deviance, sum of y log(y / mean); no branch of it may be all zeros."""

    def spread(mask):
        if criterion == "poisson":
            mean = np.average(y[mask], weights=w[mask])
            return (w[mask] * xlogy(y[mask], y[mask] / mean)).sum() if mean > 0 else np.inf
        if criterion == "squared_error":
            return (w[mask] * (y[mask] - np.average(y[mask], weights=w[mask])) ** 2).sum()
        return min((w[mask] * np.abs(y[mask] - center)).sum() for center in y[mask])

    def score(masks):
        known, left = np.logical_or.reduce(masks), sum(spread(mask) for mask in masks)
        return (spread(known) - left) / w[known].sum() if left < np.inf else -np.inf

    return score


def score_in_order(score, values, w, sign, bounds):
    """The same for a monotone column: means of both branches within bounds, and in order; else -inf."""

    def scored(masks):
        one, two = (np.average(values[mask], weights=w[mask]) for mask in masks)
        low, high = bounds
        allowed = (one - two) * sign <= 0 and low <= min(one, two) and max(one, two) <= high
        return score(masks) if allowed else -np.inf

    return scored


def gradient_score(g, h, l2):
    """Gain of masks for gradient pairs: the rise of sum G^2 / (H + l2) over the branches, divided by H."""

    def quality(mask):
        return g[mask].sum() ** 2 / (h[mask].sum() + l2)

    def score(masks):
        known = np.logical_or.reduce(masks)
        return (sum(quality(mask) for mask in masks) - quality(known)) / h[known].sum()

    return score


def candidates(codes, nominal, w, *, multiway=False, most=None, fractional=False, least=1):
    """Splits of a column by cut, with missing values in each branch; and the share of the rows that count."""
    missing = codes < 0
    cuts = [[split] for split in branches(codes, nominal=nominal, multiway=multiway, most=most)]
    share = 1.0
    if missing.any() and fractional:  # rho: the share of the rows that have a value
        share = w[~missing].sum() / w.sum()
    elif missing.any():
        cuts = [with_missing(split, missing) for (split,) in cuts]
        if not (nominal and multiway) and not missing.all():
            cuts.append([[~missing, missing]])
    allowed = [[split for split in cut if min(mask.sum() for mask in split) >= least] for cut in cuts]
    return [cut for cut in allowed if cut], share


def best_gain(columns, nominal, w, score, **how):
    """The largest gain over all columns and splits; None when nothing can be split."""
    gains = []
    for codes, is_nominal in zip(columns, nominal, strict=True):
        cuts, share = candidates(codes, is_nominal, w, **how)
        gains += [share * score(split) for cut in cuts for split in cut]
    return max(gains, default=None)


def best_ratio(columns, nominal, w, score, rows, many_valued, **how):
    """The gain ratio of C4.5, least and largest over equal gains of a column; None when nothing can be split.

    A column offers its largest gain g, of numbers g - log2(cuts) / n, which must be above 0. Of the columns
    with at least the average of these, the one with the largest g / H(A) wins; rows that go to all branches
    are one more in H(A), and many-valued columns stay out of the average.
    """
    offers = []
    for codes, is_nominal, many in zip(columns, nominal, many_valued, strict=True):
        cuts, share = candidates(codes, is_nominal, w, **how)
        splits = [split for cut in cuts for split in cut]
        gains = np.array([share * score(split) for split in splits])
        if not len(gains):
            continue
        tied = np.flatnonzero(gains > gains.max() - 1e-12)[: None if is_nominal else 1]
        best = gains.max() - (0.0 if is_nominal else np.log2(len(cuts)) / (rows * w.sum()))
        if not is_nominal and best <= 1e-12:
            continue
        weights = [[*(w[mask].sum() for mask in splits[i]), w[codes < 0].sum()] for i in tied]
        weights = [np.array(line if how.get("fractional") else line[:-1]) for line in weights]
        ratios = [best / impurity(line, "entropy") for line in weights]
        offers.append((many, best, min(ratios), max(ratios)))
    few = [best for many, best, *_ in offers if not many] or [best for _, best, *_ in offers]
    eligible = [ratios for _, best, *ratios in offers if best >= np.mean(few) - 1e-12]
    return tuple(np.max(eligible, axis=0)) if eligible else None


def weighted_bins(values, weights, max_bins):
    """Bin of each value, by the middle of its weight: three parts share of all weight, one part log odds."""
    order = np.unique(values)
    mass = np.array([weights[values == v].sum() for v in order])
    if len(order) <= max_bins:
        return np.searchsorted(order, values)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    odds = np.log(middle / (1 - middle)) / np.log(2 * len(order) - 1)
    place = 0.75 * middle + 0.25 * 0.5 * (1 + np.clip(odds, -1, 1))
    part = np.minimum((place * max_bins).astype(int), max_bins - 1)
    return np.unique(part, return_inverse=True)[1][np.searchsorted(order, values)]
