"""What all tests share: how modules are imported, and where draws without a seed begin.

Modules whose examples are tested are imported by name first. Otherwise pytest imports the file a second time
after its package has: two copies of each class, of which one is not what its name leads to.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

SOURCES = Path(__file__).parent / "src"


def pytest_collect_file(file_path: Path) -> None:
    """Import a module of the package, before pytest does."""
    if SOURCES in file_path.parents and file_path.suffix == ".py" and file_path.stem != "__main__":
        names = file_path.relative_to(SOURCES).with_suffix("").parts
        import_module(".".join(name for name in names if name != "__init__"))


@pytest.fixture(autouse=True)
def global_draws() -> None:
    """Start from the same state of NumPy, from which learners without a ``random_state`` draw their seed."""
    np.random.seed(0)  # noqa: NPY002
