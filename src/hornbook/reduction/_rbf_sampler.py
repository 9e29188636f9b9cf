"""Random Fourier features of the Gaussian kernel."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from scipy.special import ndtri

from hornbook.base import Accepts, Description, Transformer
from hornbook.frame import Block, Blocks, Moments
from hornbook.kernels import Gaussian
from hornbook.params import Floats, Range, Seed, Shape, Tune, blas_threads
from hornbook.random import Stream, seed_of
from hornbook.reduction._kernel_agreement import draw_agreement

__all__ = ["RBFSampler"]

WEIGHT_STREAM, OFFSET_STREAM = 1, 2  # of random numbers


class RBFSampler(Transformer):
    """Random Fourier features (Rahimi and Recht 2007): columns whose products are nearly a Gaussian kernel.

    A linear model on these columns is nearly a kernel machine with the kernel exp(-gamma |x - y|²), at a cost
    that grows with the rows alone: √(2/m) cos(w·x + b), with w normal and b uniform. Unlike scikit-learn's,
    it takes categories and missing cells (through its Encoder) and files larger than memory.

    Parameters
    ----------
    gamma : float or "scale", default 1.0
        Of the kernel; 1 / (columns times variance of all cells) with ``"scale"``.
    n_components : int, default 100
        Number of new columns, m; the error of the kernel values shrinks with its square root.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    random_weights_ : ndarray of shape (n_encoded, n_components)
        The w, normal with variance 2 gamma.
    random_offset_ : ndarray of shape (n_components,)
        The b, uniform in [0, 2π).
    kernel_ : Gaussian
        The kernel that the products approximate.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    Nystroem : Features of a kernel from some of the rows.
    SVC : Classifier with a wide margin in the space of a kernel.

    Examples
    --------
    >>> from hornbook import RBFSampler
    >>> rows = [[0.0, 0.0], [1.0, 1.0]]
    >>> Z = RBFSampler(gamma=0.5, n_components=20000, random_state=0).fit_transform(rows)
    >>> abs(float(Z[0] @ Z[1]) - 0.3679) < 0.02  # exp(-0.5 * 2)
    True
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "waves in random directions"
    objective = "scalar products equal to kernel values on average"
    optimizer = "random draws"

    random_weights_: Annotated[Floats, Shape("n_encoded", "n_waves")]
    random_offset_: Annotated[Floats, Shape("n_waves")]
    kernel_: Gaussian

    def __init__(
        self,
        *,
        gamma: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 1e1, log=True)]
        | Literal["scale"] = 1.0,
        n_components: Annotated[int, Range(low=1)] = 100,
        random_state: Seed = None,
    ) -> None:
        self.gamma = gamma
        self.n_components = n_components
        self.random_state = random_state

    def _fit_blocks(self, blocks: Blocks) -> None:
        d, m = len(self.encoded_names_), self.n_components
        gamma = _scale(blocks) if self.gamma == "scale" else float(self.gamma)
        seed = seed_of(self.random_state)
        # Half a step above 0, which has no normal quantile.
        normal = ndtri(Stream(seed, WEIGHT_STREAM).uniform(d * m) + 2.0**-54).reshape(m, d)
        self.random_weights_ = np.ascontiguousarray(math.sqrt(2 * gamma) * normal.T)
        self.random_offset_ = 2 * math.pi * Stream(seed, OFFSET_STREAM).uniform(m)
        self.kernel_ = Gaussian.of_gamma(gamma)

    def _transform(self, X: Floats) -> Floats:
        with blas_threads(1):  # so that sums do not depend on threads
            waves = X @ self.random_weights_
        waves += self.random_offset_
        np.cos(waves, out=waves)
        waves *= math.sqrt(2 / len(self.random_offset_))
        return waves

    def _n_new_columns(self) -> int:
        return len(self.random_offset_)

    def _describe(self) -> Description:
        m = len(self.random_offset_)
        facts = {
            "kernel": str(self.kernel_),
            "gamma": self.kernel_.gamma,
            "standard error of a kernel value": f"at most {1 / math.sqrt(m):.3g}",
        }
        return Description(f"RBFSampler: {m} random waves of {len(self.random_weights_)} columns", facts, [])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        del y
        return draw_agreement(self, None if X is None else self._prepared(X), ax)


def _scale(blocks: Blocks) -> float:
    """1 / (columns times variance of all cells), by the moments of the columns."""
    moments: Moments = blocks.reduce(_moments, merge=Moments.merge)
    mean, variance = moments.mean[0], moments.variance()[0]
    # The law of total variance: within the columns, plus between their means.
    spread = float((variance + np.square(mean - mean.mean())).sum())
    return 1 / spread if 0 < spread < math.inf else 1.0


def _moments(block: Block) -> Moments:
    return Moments.of_rows(block.X, block.w)
