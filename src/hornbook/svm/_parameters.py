"""The parameters of kernel learners and linear machines in groups, each explained once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

from hornbook.kernels import Kernel
from hornbook.params import Jobs, MaxIter, Range, Seed, Tol, Tune, Verbose, parameter_group

__all__ = [
    "Cost",
    "KernelChoice",
    "KernelForm",
    "LinearMachineWork",
    "MistakePasses",
    "SmoWork",
    "WarmStart",
    "Width",
]

KernelName: TypeAlias = str | Kernel | Callable[[Any, Any], Any]
Width: TypeAlias = (
    Annotated[float, Range(low=0.0, open_low=True), Tune(1e-4, 10.0, log=True)] | Literal["scale", "auto"]
)
Positive: TypeAlias = Annotated[float, Range(low=0.0, open_low=True)]
Cost: TypeAlias = Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 1e3, log=True)]


@parameter_group
class KernelForm:
    """Which kernel, but for its width.

    Parameters
    ----------
    kernel : str, Kernel or callable
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, a kernel of `hornbook.kernels`, a
        function of two rows or of two tables, or ``"precomputed"``: X is the kernel matrix of all rows, and
        for new rows that with all rows of the fit.
    degree : int
        Degree of ``"poly"``.
    coef0 : float
        Constant term of ``"poly"`` and ``"sigmoid"``.
    """

    kernel: KernelName = "rbf"
    degree: Annotated[int, Range(low=1)] = 3
    coef0: float = 0.0


@parameter_group
class KernelChoice(KernelForm):
    """Which kernel, and how wide.

    Parameters
    ----------
    gamma : float, "scale" or "auto"
        Coefficient of all kernels by name but the linear one: 1 / (columns times variance) with ``"scale"``,
        1 / columns with ``"auto"``.
    """

    gamma: Width = "scale"


@parameter_group
class SmoWork:
    """How sequential minimal optimization works, and when it stops.

    Parameters
    ----------
    tol : float
        How much the optimality conditions may be violated.
    shrinking : bool
        Whether the solver leaves out rows that will most likely not change any more; the result is the same.
    cache_size : float
        Memory for kernel values, in MB; at least 64 are used for many rows. Up to 32,768 rows the result does
        not depend on it.
    verbose : int
        Whether to print the objective on the way.
    max_iter : int
        Limit on the number of steps, of each problem if there are several; -1 stands for 10 million.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    tol: Tol = 1e-3
    shrinking: bool = True
    # Megabytes, as in LIBSVM: rows of the kernel matrix that are kept.
    cache_size: Positive = 200.0
    verbose: Verbose = 0
    # -1 is no limit, as in scikit-learn; each step changes two multipliers.
    max_iter: Annotated[int, Range(low=-1)] = -1
    n_jobs: Jobs = None


@parameter_group
class WarmStart:
    """Where a fit begins.

    Parameters
    ----------
    warm_start : bool
        Whether the next fit begins with the coefficients of the last one, scaled to the new bounds, if rows
        and classes are as many as before: for a path of values of C. The result is the same within ``tol``.
    """

    warm_start: bool = False


@parameter_group
class MistakePasses:
    """How often rows are presented to a perceptron.

    Parameters
    ----------
    max_iter : int
        Maximum number of passes over the rows.
    n_iter_no_change : int or None
        Stop when the smallest number of mistakes in a pass has not improved for this many passes; None never
        stops.
    """

    max_iter: MaxIter = 1000
    # Classes that cannot be separated would go on until max_iter.
    n_iter_no_change: Annotated[int, Range(low=1)] | None = 50


@parameter_group
class LinearMachineWork:
    """Intercept and work of machines whose weights belong to columns.

    Parameters
    ----------
    fit_intercept : bool
        Whether to fit an intercept.
    intercept_scaling : float
        Value of a further column that is the same in every row; its weight is penalized like the others, and
        ``intercept_`` is the product of the two. The larger, the freer the intercept.
    verbose : int
        Whether to print the objective on the way.
    random_state : int or RandomState, optional
        Seed of the order in which the dual solver visits the rows; 0 when left out.
    max_iter : int
        Limit on the number of steps, or of passes over the rows, for each class.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    """

    fit_intercept: bool = True
    intercept_scaling: Positive = 1.0
    verbose: Verbose = 0
    random_state: Seed = None
    max_iter: MaxIter = 1000
    n_jobs: Jobs = None
