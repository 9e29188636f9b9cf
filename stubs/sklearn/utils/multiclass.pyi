from typing import Any, Literal

def check_classification_targets(y: Any) -> None: ...
def type_of_target(
    y: Any, input_name: str = "", raise_unknown: bool = False
) -> Literal[
    "continuous",
    "continuous-multioutput",
    "binary",
    "multiclass",
    "multiclass-multioutput",
    "multilabel-indicator",
    "unknown",
]: ...
