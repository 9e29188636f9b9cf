"""Parameters of learners, written once.

An annotation such as ``Annotated[float, Range(low=0), Tune(0.001, 1000.0, log=True)]`` in ``__init__`` drives
the check at ``fit``, the table in the documentation, the option of the program and the tuning grid. Here are
the markers, the aliases for parameters that recur, the check, the one reading of ``n_jobs``, and the threads
that it asks for.
"""

from __future__ import annotations

from hornbook.params._annotate import Jobs, MaxDepth, MaxIter, NEstimators, Range, Seed, Tol, Tune, Verbose
from hornbook.params._arrays import Finite, Floats, Index, Shape, size_of
from hornbook.params._check import Parameter, ParameterError, check, parameters, settle, suggest
from hornbook.params._declared import declared, parameter_group
from hornbook.params._docs import SHARED_DOCS
from hornbook.params._team import Team, let_ctrl_c_through
from hornbook.params._threads import blas_threads, threads
from hornbook.params._threads import one_thread as one_thread

__all__ = [
    "SHARED_DOCS",
    "Finite",
    "Floats",
    "Index",
    "Jobs",
    "MaxDepth",
    "MaxIter",
    "NEstimators",
    "Parameter",
    "ParameterError",
    "Range",
    "Seed",
    "Shape",
    "Team",
    "Tol",
    "Tune",
    "Verbose",
    "blas_threads",
    "check",
    "declared",
    "let_ctrl_c_through",
    "parameter_group",
    "parameters",
    "settle",
    "size_of",
    "suggest",
    "threads",
]
