from collections.abc import Callable, Iterable

def check_is_fitted(
    estimator: object,
    attributes: str | Iterable[str] | None = None,
    *,
    msg: str | None = None,
    all_or_any: Callable[[Iterable[object]], bool] = ...,
) -> None: ...
def has_fit_parameter(estimator: object, parameter: str) -> bool: ...
