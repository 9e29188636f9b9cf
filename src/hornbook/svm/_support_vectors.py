"""What machines whose answers are sums over support vectors have in common."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, KernelColumns
from hornbook.frame import SparseRows, require_memory
from hornbook.kernels import Kernel, kernel_of
from hornbook.params import Floats, Shape
from hornbook.svm._kernel_table import KernelTable, reads_stored
from hornbook.svm._warnings import warn_scales

__all__ = ["SupportVectors"]

FEW = 0.125  # of the cells: where fewer are stored, kernel values are computed from those alone
KEPT = ("support_", "dual_coef_", "margin_", "objective_")  # for a warm start


class SupportVectors(KernelColumns):
    """Mixin of machines with a kernel and support vectors.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        Rows of the fit that are support vectors.
    support_vectors_ : ndarray of shape (n_support, n_encoded)
        Those rows; none with a kernel matrix.
    kernel_ : Kernel
        The kernel with its width.
    history_ : dict
        Dual and primal objective, and the gap between them, on the way. While the solver leaves out rows,
        the primal objective is the lowest that is known.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    accepts: ClassVar[Accepts] = Accepts(sparse=True, stored=True)

    support_: Annotated[NDArray[np.int32], Shape("n_support")]
    support_vectors_: Annotated[Floats, Shape("n_kept", "n_encoded")]
    kernel_: Kernel
    gamma: float | Literal["scale", "auto"]
    degree: int
    coef0: float

    def _rows_for_kernel(self, data: Floats | SparseRows) -> Floats | SparseRows:
        """The rows, dense where many cells are stored or the kernel cannot be computed from those alone."""
        if not isinstance(data, SparseRows):
            return data
        few = len(data.values) < FEW * len(data) * data.n_columns
        if few and reads_stored(self.kernel):
            return data
        require_memory(len(data), data.n_columns, "use the linear, poly, rbf or sigmoid kernel")
        return data.dense()

    def _fitted_kernel(self, data: Floats | SparseRows, w: Floats | None) -> Kernel:
        """The kernel with what it learns from the rows."""
        if not self._precomputed:
            warn_scales(self, data)
        return kernel_of(
            self.kernel,
            data,
            w,
            gamma=self.gamma,
            degree=self.degree,
            coef0=self.coef0,
            sizes=self._sizes(),
        )

    def _kernel_table(self, data: Floats | SparseRows) -> KernelTable:
        return KernelTable.of(self.kernel_, data, type(self).__name__)

    def _keep_vectors(self, data: Floats | SparseRows, rows: NDArray[np.int32]) -> None:
        self.support_ = rows
        # A precomputed matrix has no rows to keep: new rows come as kernel values, and `support_` chooses
        # among those.
        vectors = data[rows[:0] if self._precomputed else rows]
        if isinstance(vectors, SparseRows):
            require_memory(len(rows), vectors.n_columns, "use fewer rows or columns")
            vectors = vectors.dense()
        self.support_vectors_ = np.ascontiguousarray(vectors)

    def _values_with_support(self, X: Floats) -> Floats:
        """What kernel values are computed from: of a kernel matrix, the columns of support vectors."""
        return np.ascontiguousarray(X[:, self.support_]) if self._precomputed else X

    def _forget(self) -> None:
        kept = {name: vars(self)[name] for name in KEPT if name in vars(self)}
        super()._forget()  # type: ignore[misc]  # of the learner this is mixed into
        if getattr(self, "warm_start", False) and len(kept) > 1:
            self._before = kept

    def _last_fit(self, n_rows: int) -> dict[str, Any] | None:
        """Facts of the last fit with ``coef``, one for each of so many rows, if it is to be gone on from."""
        before: dict[str, Any] | None = vars(self).pop("_before", None)
        if before is None or (len(before["support_"]) and before["support_"].max() >= n_rows):
            return None
        coef = np.zeros((len(before["dual_coef_"]), n_rows))
        coef[:, before["support_"]] = before["dual_coef_"]
        return {**before, "coef": coef}
