"""The beginning of a study: its processes start before the rest of the library is imported."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hornbook.studies._settings import Settings
from hornbook.studies._worker_pools import pool_of

if TYPE_CHECKING:
    from hornbook.studies._study import Study
    from hornbook.studies.prepare._portfolio import Learners
    from hornbook.studies.run._progress import Progress

__all__ = ["study"]


def study(
    data: Any = None,
    target: str | None = None,
    *,
    learners: Learners = None,
    test: Any = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = None,
    cluster: Any = None,
    **settings: Any,
) -> Study:
    """Take a table from a first look to a verdict, a report and a model.

    The table is checked before anything is fitted. All learners are compared on the same folds, in processes
    of their own, so that one that fails, hangs or crashes is shown and does not stop the others. With a
    folder, every finished fold is kept: an interrupted study resumes when it is called again, and Ctrl-C
    returns what is finished (``interrupted`` is then True).

    Parameters
    ----------
    data : str, path, Frame, DataFrame or other table
        A file, the name of a table of `hornbook.datasets`, or a table in memory.
    target : str, optional
        The column to predict; the last one when left out. In a clustering it is set aside, and the clusters
        are compared with it; where outliers are looked for, it is only set aside.
    learners : names, estimators, or mapping of names to estimators, optional
        What is compared: learners of this library by name, or objects, also those of scikit-learn, which get
        the encoded table; the default set for the task, at most a dozen, when left out. `Baseline` is always
        included.
    test : str, path, Frame, DataFrame or other table, optional
        Rows with a known target that no fit and no choice sees: the recommended model is tested on them in
        the end.
    out : str or path, optional
        The folder for report, results, model and records; nothing is kept when left out.
    progress : function, bool or None
        Takes an `Event` for everything that happens; True shows a bar on standard error, and so does None on
        a terminal.
    cluster : str or distributed.Client, optional
        Where folds are fitted: the scheduler of a Dask cluster, like ``"tcp://10.0.0.1:8786"``; ``"local:4"``
        for four Dask workers on this machine; or a client. Records are the same as without, so that a study
        can be begun here and finished there.
    **settings
        Further settings, see `hornbook.studies.Settings`: ``task``, ``metric``, ``cv``, ``repeats``,
        ``seed``, ``time_limit``, ``budget``, ``ignore``, ``keep``, ``weight``, ``group``, ``jobs``, ...

    Returns
    -------
    Study
        Prints as the verdict, with the table behind it.

    Examples
    --------
    >>> import hornbook
    >>> result = hornbook.study("iris", learners=["NaiveBayes"], cv=5, repeats=1)
    >>> accuracies = result.beside["accuracy"].values()
    >>> result.recommended, result.verdict.best, [round(value, 2) for value in accuracies]
    ('NaiveBayes', 'NaiveBayes', [0.33, 0.95])
    """
    begun = datetime.now(UTC)
    named = test is None or isinstance(test, str | os.PathLike)
    held_out = None if test is None else os.fspath(test) if named else ""
    # Wrong settings are refused before the table is read.
    asked = Settings.of({**settings, "target": target, "learners": _names(learners), "test": held_out})
    # Imports take longer than the fits of a small study, so that all processes do theirs at the same time.
    with pool_of(asked, cluster) as team:
        from hornbook.studies.run._run import run_study  # noqa: PLC0415 - as above

        return run_study(
            data, asked, team, learners=learners, test=test, out=out, progress=progress, begun=begun
        )


def _names(learners: Learners) -> tuple[str, ...]:
    if isinstance(learners, str):
        return (learners,)
    entries = list(learners or ())
    if isinstance(learners, Mapping):
        return tuple(map(str, entries))
    return tuple(one if isinstance(one, str) else type(one).__name__ for one in entries)
