"""What functions on clusterings are told, each parameter explained once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["explained"]

_F = TypeVar("_F", bound=Callable[..., Any])

OF_ROWS = {
    "X": """table of shape (n, n_columns)
    The rows; with ``metric="precomputed"`` the distances between them.""",
    "labels": """array-like of shape (n,)
    The cluster of each row; separation takes at least two clusters. Noise, which `DBSCAN` labels -1, counts
    as a cluster like any other, as in scikit-learn: leave its rows out.""",
    "metric": """str, Distance or callable, default "euclidean"
    As in `hornbook.distances.pairwise`, or "precomputed".""",
    "p": """float, default 2.0
    The power of "minkowski".""",
    "n_jobs": """int, optional
    Threads; all available when left out. The result does not depend on it.""",
}
OF_TWO = {
    "reference": """array-like of shape (n,)
    The cluster or class of each row in the reference.""",
    "labels": """array-like of shape (n,)
    The cluster of each row in the clustering that is judged.""",
}
_HEAD = re.compile(r"^(\w+) : ", re.MULTILINE)


def explained(function: _F) -> _F:
    """Add the shared texts of those parameters that the docstring does not explain itself.

    Examples
    --------
    >>> @explained
    ... def share(reference, labels, least=0.0):
    ...     \"\"\"Share.
    ...
    ...     Parameters
    ...     ----------
    ...     least : float, default 0.0
    ...         At least.
    ...
    ...     Returns
    ...     -------
    ...     float
    ...     \"\"\"
    >>> [line for line in share.__doc__.splitlines() if " : " in line][0]
    'reference : array-like of shape (n,)'
    """
    if function.__doc__ is None:  # python -OO
        return function
    names = inspect.signature(function).parameters
    shared = OF_TWO if "reference" in names else OF_ROWS
    # Texts are inserted at import, so help() and the docs show every parameter though each is written
    # once.
    before, rule, after = inspect.cleandoc(function.__doc__).partition("Parameters\n----------\n")
    if not rule:  # all are shared
        before, _, after = before.partition("Returns\n-------\n")
        after = "\n\nReturns\n-------\n" + after
    own, blank, rest = after.partition("\n\n")
    heads = list(_HEAD.finditer(own))
    ends = [head.start() for head in heads[1:]] + [len(own)]
    texts = {head[1]: own[head.end() : end].rstrip() for head, end in zip(heads, ends, strict=False)}
    entries = "\n".join(f"{name} : {texts.get(name) or shared[name]}" for name in names)
    function.__doc__ = f"{before}Parameters\n----------\n{entries}{blank}{rest}"
    return function
