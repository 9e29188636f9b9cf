"""What the first import of one learner costs in a fresh process, against scikit-learn's counterpart.

Processor time of the whole process is measured, less that of a process that imports nothing, so that other
work of the machine does not count.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks._measure import Setting
from benchmarks._report import Row, Table, Target, judged

# Ours, and where scikit-learn has the same.
COUNTERPARTS = {
    "LogisticRegression": "sklearn.linear_model",
    "DecisionTreeClassifier": "sklearn.tree",
    "RandomForestClassifier": "sklearn.ensemble",
    "HistGradientBoostingClassifier": "sklearn.ensemble",
    "KNeighborsClassifier": "sklearn.neighbors",
    "KMeans": "sklearn.cluster",
    "SVC": "sklearn.svm",
    "MLPClassifier": "sklearn.neural_network",
    "PCA": "sklearn.decomposition",
}
ONLY_WHEN_USED = ("matplotlib", "jinja2", "rich")
PROGRAM = """
import resource, sys
{statement}
usage = resource.getrusage(resource.RUSAGE_SELF)
print(usage.ru_utime + usage.ru_stime, *({libraries!r} & sys.modules.keys()))
"""


def cost(statement: str, rounds: int) -> tuple[float, set[str]]:
    """The least processor time of a process, and which of the heavy libraries it has imported."""
    code = PROGRAM.format(statement=statement, libraries=set(ONLY_WHEN_USED))
    seconds, libraries = float("inf"), set()
    for _ in range(rounds):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        first, *loaded = run.stdout.split()
        seconds, libraries = min(seconds, float(first)), libraries | set(loaded)
    return seconds, libraries


def run(setting: Setting) -> Iterator[Table]:
    """One table for all learners."""
    rounds = 2 * setting.rounds
    nothing, _ = cost("pass", rounds)
    rows, targets, loaded = [], [], set()
    for name, home in COUNTERPARTS.items():
        ours, libraries = cost(f"from hornbook import {name}", rounds)
        theirs, _ = cost(f"from {home} import {name}", rounds)
        ratio = (theirs - nothing) / (ours - nothing)
        rows.append(Row(name, ours - nothing, ratio))
        loaded |= libraries
        targets.append(
            Target(
                f"{name}: no slower than scikit-learn", f"{ratio:.2f}x", judged(setting.quick, ratio >= 1.0)
            )
        )
    absent = Target(f"none of {', '.join(ONLY_WHEN_USED)}", ", ".join(sorted(loaded)) or "none", not loaded)
    yield Table(
        "import of one learner, processor time; speed is against scikit-learn", rows, [*targets, absent]
    )
