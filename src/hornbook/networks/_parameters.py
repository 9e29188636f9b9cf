"""Parameters that all trained networks share."""

from __future__ import annotations

from hornbook.params import Jobs, Seed, Verbose, parameter_group

__all__ = ["NetworkWork"]


@parameter_group
class NetworkWork:
    """Seed, threads, and what is printed.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.
    verbose : bool or int
        Whether to print each iteration.
    """

    random_state: Seed = None
    n_jobs: Jobs = None
    verbose: Verbose = False
