"""The parameters of Bayes classifiers in groups, each explained once.

A classifier names the groups it takes; one that wants another default, range or text declares just that
parameter anew.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from numpy.typing import ArrayLike

from hornbook.params import Jobs, Range, Tune, parameter_group

__all__ = ["BayesWork", "ClassPriors", "FewBins", "KeptRows", "ManyBins", "PairDensities", "Smoothing"]

FewBins: TypeAlias = Annotated[int, Range(low=1, high=65535), Tune(2, 20)]
ManyBins: TypeAlias = Annotated[int, Range(low=1, high=65535), Tune(2, 50)]


@parameter_group
class Smoothing:
    """How counts become probabilities; learners give the formula.

    Parameters
    ----------
    smoothing : {"laplace", "zero_only", "none"}
        What is added to counts: alpha to each, alpha to those that are 0, or nothing.
    alpha : float
        The count added by smoothing.
    """

    smoothing: Literal["laplace", "zero_only", "none"] = "laplace"
    alpha: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 10.0, log=True)] = 1.0


@parameter_group
class ClassPriors:
    """How P(class) is estimated.

    Parameters
    ----------
    smooth_prior : bool
        Estimate P(class) as (N + 1) / (rows + classes) instead of N / rows.
    priors : array-like of shape (n_classes,), optional
        P(class) in the order of ``classes_``, instead of an estimate.
    """

    smooth_prior: bool = False
    priors: ArrayLike | None = None


@parameter_group
class PairDensities:
    """What learners that count pairs of columns do with numbers.

    Parameters
    ----------
    density : {"bins", "gaussian"}
        Numbers are cut into bins of equal width and counted, or have a normal density given the class and the
        parent, and cannot be parents themselves.
    n_bins : int
        Number of bins. Their edges come from the first call of fit or partial_fit.
    var_smoothing : float
        This fraction of each column's variance is added to its variances. A number with one value in a class
        gets a variance as in `NaiveBayes`, and a warning names it.
    """

    density: Literal["bins", "gaussian"] = "bins"
    n_bins: FewBins = 5
    var_smoothing: Annotated[float, Range(low=0.0, open_low=True)] = 1e-9


@parameter_group
class KeptRows:
    """When rows are counted.

    Parameters
    ----------
    lazy : bool
        Keep the training rows and count only when a prediction is requested.
    """

    lazy: bool = False


@parameter_group
class BayesWork:
    """What mistakes cost, and threads.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes), optional
        ``costs[i][j]`` is the cost of deciding for class i when the truth is class j; the class with the
        smallest expected cost is predicted.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    costs: ArrayLike | None = None
    n_jobs: Jobs = None
