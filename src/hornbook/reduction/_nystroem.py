"""Nyström's approximation of a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Description, KernelColumns, Transformer
from hornbook.kernels import Kernel, kernel_of
from hornbook.params import Floats, Range, Seed, Shape, Tune, blas_threads
from hornbook.plots import spectrum
from hornbook.random import Stream, seed_of
from hornbook.reduction._kernel_agreement import draw_agreement

__all__ = ["Nystroem"]

ROW_STREAM = 3  # random numbers that choose rows
RANK = 1e-12  # of the largest eigenvalue: smaller ones count as 0
CELLS = 1 << 22  # kernel values that are held at once


class Nystroem(KernelColumns, Transformer):
    """Nyström's approximation (Williams and Seeger 2001): columns whose products are nearly a kernel.

    A row is described by its kernel values with a few training rows, rotated so that scalar products of the
    new columns are exact between these rows. Unlike scikit-learn's, it draws among distinct rows, in
    proportion to their weights, and takes categories and missing cells (through its Encoder).

    Parameters
    ----------
    kernel : str, Kernel or callable, default "rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, a kernel of `hornbook.kernels`, a
        function of two rows, or ``"precomputed"``: X is the kernel matrix of all rows, and for new rows that
        with all rows of the fit.
    gamma : float, "scale" or "auto", optional
        Of kernels by name but the linear one: 1 / (columns times variance) with ``"scale"``, 1 / columns with
        ``"auto"`` and, as in scikit-learn, when left out.
    degree : int, default 3
        Of ``"poly"``.
    coef0 : float, default 1.0
        Of ``"poly"`` and ``"sigmoid"``.
    n_components : int, default 100
        Number of rows that are drawn, and of new columns; where there are fewer distinct rows, all of them.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    components_ : ndarray of shape (n_drawn, n_encoded)
        The rows that were drawn.
    component_indices_ : ndarray of shape (n_drawn,)
        Which training rows they are; of equal rows the first.
    normalization_ : ndarray of shape (n_drawn, n_drawn)
        The inverse root of their kernel matrix.
    spectrum_ : ndarray of shape (n_drawn,)
        Eigenvalues of their kernel matrix, largest first.
    kernel_ : Kernel
        The kernel with its width.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    RBFSampler : Random features of the Gaussian kernel.
    KernelRidge : Ridge regression in the space of a kernel.

    Examples
    --------
    >>> from hornbook import Nystroem
    >>> from hornbook.kernels import Polynomial, kernel_matrix
    >>> rows = [[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [1.0, 1.0]]
    >>> kernel = Polynomial(2, constant=0.0)  # of 3 dimensions, so that 3 rows tell all
    >>> Z = Nystroem(kernel, n_components=3, random_state=0).fit_transform(rows)
    >>> bool(abs(Z @ Z.T - kernel_matrix(rows, kernel=kernel)).max() < 1e-9)
    True
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "kernel values with a few training rows"
    objective = "scalar products equal to kernel values between these rows"
    optimizer = "random draws, and the inverse root of a matrix"

    components_: Annotated[Floats, Shape("n_drawn", "n_encoded")]
    component_indices_: Annotated[NDArray[np.int64], Shape("n_drawn")]
    normalization_: Annotated[Floats, Shape("n_drawn", "n_drawn")]
    spectrum_: Annotated[Floats, Shape("n_drawn")]
    kernel_: Kernel

    def __init__(
        self,
        kernel: str | Kernel | Callable[[Any, Any], float] = "rbf",
        *,
        gamma: Annotated[float, Range(low=0.0, open_low=True), Tune(1e-3, 1e1, log=True)]
        | Literal["scale", "auto"]
        | None = None,
        degree: Annotated[int, Range(low=1)] = 3,
        coef0: float = 1.0,
        n_components: Annotated[int, Range(low=1)] = 100,
        random_state: Seed = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.random_state = random_state

    def _fit(self, data: Floats, y: Any, w: Floats | None) -> None:
        del y
        weights = np.ones(len(data)) if w is None else w
        chosen = self._drawn(data, weights)
        gamma = "auto" if self.gamma is None else self.gamma
        with blas_threads(1), np.errstate(over="ignore", invalid="ignore"):
            self.kernel_ = kernel_of(
                self.kernel,
                data,
                w,
                gamma=gamma,
                degree=self.degree,
                coef0=self.coef0,
                sizes=self._sizes(),
            )
            rows = data[chosen]
            K = rows[:, chosen] if self._precomputed else self.kernel_.matrix(rows, rows)
        if not np.isfinite(K).all():
            raise ValueError(
                "Nystroem: the kernel has values that are not finite: scale the columns, or choose another "
                "kernel."
            )
        with blas_threads(1):
            values, vectors = np.linalg.eigh((K + K.T) / 2)
            # K**(-1/2): products of k(x, rows) K**(-1/2) are k(x, rows) K**-1 k(rows, y), Nyström's
            # approximation. Directions of no size are left out, since dividing by the root of a rounding
            # error would fill the columns with noise.
            solid = values > RANK * max(float(values[-1]), 0.0)
            roots = np.divide(1.0, np.sqrt(np.maximum(values, 0.0)), out=np.zeros_like(values), where=solid)
            self.normalization_ = (vectors * roots) @ vectors.T
        self.components_, self.component_indices_ = rows.copy(), chosen
        self.spectrum_ = np.maximum(values[::-1], 0.0)

    def _drawn(self, data: Floats, w: Floats) -> NDArray[np.int64]:
        """Rows drawn without replacement among distinct ones, in proportion to their weights."""
        places = np.flatnonzero(w > 0)
        if self._precomputed:
            mass = w[places]
        else:
            # Sorted, so that neither the order of the rows nor how often they are there decides.
            cells = np.nan_to_num(data[places], nan=np.inf)  # gaps are equal
            _, first, copies = np.unique(cells, axis=0, return_index=True, return_inverse=True)
            mass = np.asarray(np.bincount(copies.ravel(), weights=w[places]), dtype=np.float64)
            places = places[first]
        draws = Stream(seed_of(self.random_state), ROW_STREAM).uniform(len(places))
        # The smallest of exponential times with these rates (Efraimidis and Spirakis 2006).
        order = np.argsort(-np.log1p(-draws) / mass, kind="stable")[: self.n_components]
        return np.asarray(places[np.sort(order)], dtype=np.int64)

    def _transform(self, X: Floats) -> Floats:
        step = max(1, CELLS // len(self.components_))
        with blas_threads(1):
            parts = [self._values(X[i : i + step]) @ self.normalization_ for i in range(0, len(X), step)]
        return np.concatenate(parts)

    def _values(self, X: Floats) -> Floats:
        return (
            X[:, self.component_indices_] if self._precomputed else self.kernel_.matrix(X, self.components_)
        )

    def _n_new_columns(self) -> int:
        return len(self.components_)

    def _describe(self) -> Description:
        n = len(self.components_)
        facts = {
            "kernel": str(self.kernel_) if isinstance(self.kernel, str | Kernel) else "a function",
            "dimensions": int((self.spectrum_ > RANK * self.spectrum_[0]).sum()),
        }
        return Description(f"Nystroem: kernel values with {n} rows", facts, [])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        del y
        if X is not None and not self._precomputed:
            return draw_agreement(self, self._prepared(X), ax)
        ax = spectrum(self.spectrum_, ax=ax)
        ax.set(ylabel="eigenvalue of the kernel matrix")
        return ax
