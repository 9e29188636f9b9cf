from typing import Any

import numpy as np
from numpy.typing import NDArray

# The type of ``tree_``, which the documentation of scikit-learn's trees names for what it holds.
class Tree:
    n_features: int
    n_classes: NDArray[np.intp]
    n_outputs: int
    max_n_classes: int
    max_depth: int
    node_count: int
    n_leaves: int
    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    value: NDArray[np.float64]
    weighted_n_node_samples: NDArray[np.float64]
    missing_go_to_left: NDArray[np.uint8]

    impurity: NDArray[np.float64]
    n_node_samples: NDArray[np.int64]

    def __new__(*args: Any, **kwargs: Any) -> Tree: ...
    def __getstate__(self) -> dict[str, Any]: ...
    def __setstate__(self, d: dict[str, Any]) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def compute_partial_dependence(
        self, X: NDArray[np.float32], target_features: NDArray[np.intp], out: NDArray[np.float64]
    ) -> None: ...
