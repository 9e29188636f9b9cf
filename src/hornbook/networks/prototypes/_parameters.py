"""Parameters of learning vector quantization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Any, Literal

from numpy.typing import ArrayLike

from hornbook.params import MaxIter, Range, Tol, Tune, parameter_group

__all__ = ["LVQParameters"]


@parameter_group
class LVQParameters:
    """Prototypes, the rule by which rows move them, and when that ends.

    Parameters
    ----------
    prototypes : int or sequence of labels, default 1
        Number of prototypes of each class, at most as many as it has distinct rows with weight; or the class
        of each prototype, for example ``["a", "b", "b"]``.
    variant : {"lvq1", "lvq2.1", "lvq3", "glvq"}, default "lvq1"
        How a row x changes the prototypes. ``"lvq1"``: the nearest one, p, moves by eta (x - p) if it has the
        class of x, else by -eta (x - p). ``"lvq2.1"``: if the two nearest are one of the class of x and one
        of another, and x is near the border between them, the first moves toward x and the second away.
        Start it with a low ``eta0``: nothing keeps prototypes from being pushed ever farther away. The
        prototypes with the fewest errors of all passes are kept.
        ``"lvq3"``: the same, and where both have the class of x they move by ``epsilon`` eta (x - p).
        ``"glvq"`` (Sato and Yamada 1995): the nearest p of the class of x, at squared distance d, and the
        nearest q of another, at e, descend the gradient of f = 1 / (1 + exp(-beta (d - e) / (d + e))): p by
        eta s f' e / (d + e)² (x - p), q by -eta s f' d / (d + e)² (x - q), none farther than its
        distance. s, the sum of the variances of the columns, makes units irrelevant; it is 1 in the paper.
    eta0 : float, default 0.1
        Learning rate eta of the first pass, between 0 and 1.
    learning_rate : {"linear", "inverse", "constant"}, default "linear"
        Learning rate in pass t = 0, 1, ...: eta0 (1 - t / max_iter), eta0 / (1 + t), or eta0.
    init : {"kmeans", "random"} or array of shape (n_prototypes, n_encoded), default "kmeans"
        Initial prototypes: centers of clusters of the rows of the class, or rows of the class drawn with
        probability proportional to weight, or given ones, in the order of ``prototypes``.
    window : float, default 0.3
        For ``"lvq2.1"`` and ``"lvq3"``: a row at distances d <= e of the two nearest is near the border when
        d / e >= (1 - window) / (1 + window).
    epsilon : float, default 0.2
        For ``"lvq3"``: factor of the learning rate where both of the nearest have the class of the row.
    beta : float, default 2.0
        For ``"glvq"``: slope of the logistic function.
    max_iter : int, default 100
        Maximum number of passes over the rows.
    tol : float, default 1e-4
        Passes end when the sum of the squared moves of the prototypes is at most this times the mean variance
        of the columns.
    """

    prototypes: Annotated[int, Range(low=1), Tune(1, 10)] | Sequence[Any] = field(default=1, kw_only=False)
    variant: Literal["lvq1", "lvq2.1", "lvq3", "glvq"] = "lvq1"
    eta0: Annotated[float, Range(0, 1, open_low=True, open_high=True), Tune(0.01, 0.3, log=True)] = 0.1
    learning_rate: Literal["linear", "inverse", "constant"] = "linear"
    init: Literal["kmeans", "random"] | ArrayLike = "kmeans"
    window: Annotated[float, Range(0, 1, open_low=True, open_high=True)] = 0.3
    epsilon: Annotated[float, Range(0, 1)] = 0.2
    beta: Annotated[float, Range(low=0, open_low=True)] = 2.0
    max_iter: MaxIter = 100
    tol: Tol = 1e-4
