"""Examples in docstrings are tested in the modules that everybody else imports, not in copies of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COLLECT = """
import sys, pytest
pytest.main(["--collect-only", "-p", "no:cacheprovider", "src/hornbook/display/_description.py"])
import hornbook.display
print(hornbook.display.Table is sys.modules["hornbook.display._description"].Table)
"""


def test_collecting_examples_imports_a_module_once():
    result = subprocess.run(
        [sys.executable, "-c", COLLECT], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert result.stdout.splitlines()[-1] == "True", result.stdout
