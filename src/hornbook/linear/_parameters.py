"""The parameters of penalized regressions in groups, each explained once."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from numpy.typing import NDArray

from hornbook.params import Jobs, MaxIter, Range, Seed, Tol, parameter_group

__all__ = ["CoordinateSweeps", "Intercept", "LinearWork", "NotNegative", "OrderOfWork", "UntouchedRows"]

NotNegative: TypeAlias = Annotated[float, Range(low=0.0)]


@parameter_group
class Intercept:
    """The constant term.

    Parameters
    ----------
    fit_intercept : bool
        Whether to fit an intercept.
    """

    fit_intercept: bool = True


@parameter_group
class UntouchedRows:
    """What scikit-learn asks about the rows and the signs of the weights.

    Parameters
    ----------
    copy_X : bool
        As in scikit-learn; the rows are never changed, whatever it is.
    positive : bool
        Whether no weight may be negative; the intercept may.
    """

    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    positive: bool = False


@parameter_group
class LinearWork:
    """Threads.

    Parameters
    ----------
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    n_jobs: Jobs = None


@parameter_group
class CoordinateSweeps:
    """When coordinate descent begins and ends.

    Parameters
    ----------
    max_iter : int
        Maximum number of sweeps over the coefficients.
    tol : float
        Stop when the duality gap is at most this times the mean square of the target, and a sweep changes no
        coefficient by more than this times the largest.
    warm_start : bool
        Start from the coefficients of the previous fit, if the columns are the same.
    """

    max_iter: MaxIter = 1000
    tol: Tol = 1e-4
    warm_start: bool = False


@parameter_group
class OrderOfWork:
    """What decides about the way to the minimum in scikit-learn, and nothing here.

    Parameters
    ----------
    precompute : bool or array-like of shape (n_encoded, n_encoded)
        As in scikit-learn; products of columns are computed wherever that pays, and the minimum is the same.
    selection : {"cyclic", "random"}
        As in scikit-learn; coefficients are always visited in turn, and the minimum is the same.
    random_state : int, optional
        Seed of the draws; a fresh one each time when left out.
    """

    precompute: bool | NDArray[Any] = False
    selection: Literal["cyclic", "random"] = "cyclic"
    random_state: Seed = None
