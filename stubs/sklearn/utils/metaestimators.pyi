from collections.abc import Callable
from typing import Any, TypeVar

_F = TypeVar("_F", bound=Callable[..., Any])

# The method keeps its own type: callers see a plain method that may be absent at run time.
def available_if(check: Callable[[Any], object]) -> Callable[[_F], _F]: ...
