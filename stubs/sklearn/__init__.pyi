"""The scikit-learn names that Hornbook imports, typed.

Only these: an import that is not here fails the type check, which keeps the list of what we lean on short.
tests/test_stubs.py compares every signature with the installed scikit-learn.
"""

from contextlib import AbstractContextManager
from typing import Any, Literal

_Display = Literal["diagram", "text"]
_Container = Literal["default", "pandas", "polars"]

def get_config() -> dict[str, Any]: ...
def set_config(
    assume_finite: bool | None = None,
    working_memory: int | None = None,
    print_changed_only: bool | None = None,
    display: _Display | None = None,
    pairwise_dist_chunk_size: int | None = None,
    enable_cython_pairwise_dist: bool | None = None,
    array_api_dispatch: bool | None = None,
    transform_output: _Container | None = None,
    enable_metadata_routing: bool | None = None,
    skip_parameter_validation: bool | None = None,
    sparse_interface: str | None = None,
) -> None: ...
def config_context(
    *,
    assume_finite: bool | None = None,
    working_memory: int | None = None,
    print_changed_only: bool | None = None,
    display: _Display | None = None,
    pairwise_dist_chunk_size: int | None = None,
    enable_cython_pairwise_dist: bool | None = None,
    array_api_dispatch: bool | None = None,
    transform_output: _Container | None = None,
    enable_metadata_routing: bool | None = None,
    skip_parameter_validation: bool | None = None,
    sparse_interface: str | None = None,
) -> AbstractContextManager[None]: ...
