"""A type checker sees what our learners return, also where scikit-learn's own types are unknown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = """
from hornbook import KMeans, NaiveBayes, PCA, Ridge
from hornbook.sklearn import GaussianNB

model = NaiveBayes().fit([[1.0], [2.0]], ["a", "b"])
reveal_type(model)
reveal_type(model.predict([[1.0]]))
reveal_type(model.predict_proba([[1.0]]))
reveal_type(model.describe())
reveal_type(model.working([1.0]))
reveal_type(KMeans(2).fit_predict([[1.0], [2.0]]))
reveal_type(PCA().fit([[1.0], [2.0]]).transform([[1.0]]))
reveal_type(Ridge().fit([[1.0], [2.0]], [1.0, 2.0]).score([[1.0]], [1.0]))
reveal_type(GaussianNB().predict([[1.0]]))
axes = model.plot()
model.forecast([[1.0]])
GaussianNB().forecast([[1.0]])
"""
# As in a user's project: no stubs of scikit-learn, and no report of what is inside an installed package.
CONFIG = """
[mypy]
strict = True
[mypy-hornbook.*]
follow_imports = silent
"""
SEEN = [
    "hornbook.bayes._naive_bayes.NaiveBayes",
    "numpy.ndarray[",
    "numpy.ndarray[",
    "hornbook.display._description.Description",
    "hornbook.base._working.Working",
    "numpy.ndarray[",
    "numpy.ndarray[",
    "float",
    "numpy.ndarray[",
]


@pytest.mark.slow
def test_a_user_sees_types_and_unknown_methods_are_errors(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "mypy.ini").write_text(CONFIG)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "program.py"],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.partition(": ")[2] for line in run.stdout.splitlines() if line.startswith("program.py")]
    notes = [line.partition('Revealed type is "')[2] for line in lines if "Revealed type" in line]
    assert len(notes) == len(SEEN), run.stdout + run.stderr
    assert all(note.startswith(seen) for note, seen in zip(notes, SEEN, strict=True)), notes
    errors = [line for line in lines if line.startswith("error")]
    assert errors == [
        'error: "NaiveBayes" has no attribute "forecast"  [attr-defined]',
        'error: "NaiveBayes" has no attribute "forecast"  [attr-defined]',
    ]
