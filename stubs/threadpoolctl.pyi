from contextlib import AbstractContextManager
from typing import Any, Literal

class ThreadpoolController:
    def limit(
        self,
        *,
        limits: int | dict[str, int] | Literal["sequential_blas_under_openmp"] | None = None,
        user_api: Literal["blas", "openmp"] | None = None,
    ) -> AbstractContextManager[Any]: ...
