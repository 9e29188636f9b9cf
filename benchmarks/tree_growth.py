"""How the cost of trees and forests grows: as n log n in rows, in proportion to the number of trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from benchmarks._growth import numbers
from benchmarks._measure import Setting
from benchmarks._report import Row, Table
from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier


@dataclass(frozen=True)
class Growth:
    """Processor time at each size, and the cost that is expected to grow alike."""

    name: str
    sizes: Sequence[int]
    seconds: Sequence[float]
    law: Callable[[Any], Any]

    @property
    def excess(self) -> list[float]:
        """How much more each size took than the first and the law say."""
        expected = self.law(np.asarray(self.sizes, dtype=float))
        return (np.asarray(self.seconds) / expected * expected[0] / self.seconds[0]).tolist()


def n_log_n(n: Any) -> Any:
    return n * np.log(n)


def in_proportion(n: Any) -> Any:
    return n


def processor_time(work: Callable[[], Any], rounds: int) -> float:
    """Return the least time on one processor, which other work on the machine hardly changes."""
    taken = []
    for _ in range(rounds):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def in_rows(setting: Setting) -> list[Growth]:
    """Time for more and more rows, on one thread."""
    sizes = [setting.size(12_500, 250) * 2**k for k in range(5)]
    X, y, t = numbers(sizes[-1])
    works: dict[str, Callable[[int], Any]] = {
        "one tree for classes": lambda n: DecisionTreeClassifier(n_jobs=1).fit(X[:n], y[:n]),
        "one tree for numbers": lambda n: DecisionTreeRegressor(n_jobs=1).fit(X[:n], t[:n]),
        "one tree, 255 bins": lambda n: DecisionTreeClassifier(max_bins=255, n_jobs=1).fit(X[:n], y[:n]),
        "forest of 10 trees": lambda n: forest(10).fit(X[:n], y[:n]),
    }
    return [
        Growth(name, sizes, [processor_time(partial(work, n), setting.rounds) for n in sizes], n_log_n)
        for name, work in works.items()
    ]


def in_trees(setting: Setting) -> list[Growth]:
    """Time for more and more trees, on one thread."""
    n_rows = setting.size(20_000, 500)
    sizes = [5 * 2**k for k in range(5)]
    X, y, _ = numbers(n_rows)
    seconds = [processor_time(partial(forest(size).fit, X, y), setting.rounds) for size in sizes]
    return [Growth(f"forest on {n_rows:,} rows", sizes, seconds, in_proportion)]


def forest(n_trees: int) -> RandomForestClassifier:
    return RandomForestClassifier(n_trees, random_state=0, n_jobs=1)


def draw(rows: Sequence[Growth], trees: Sequence[Growth], path: Path) -> None:
    """Draw measured times as points and the expected growth as lines, both scales logarithmic."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    for ax, grown, label in zip(figure.subplots(1, 2), (rows, trees), ("rows n", "trees"), strict=True):
        for growth in grown:
            fine = np.geomspace(growth.sizes[0], growth.sizes[-1], 50)
            law = growth.law(fine) / growth.law(float(growth.sizes[0])) * growth.seconds[0]
            (line,) = ax.plot(fine, law, linewidth=1)
            ax.plot(growth.sizes, growth.seconds, "o", color=line.get_color(), label=growth.name)
        ax.set(xscale="log", yscale="log", xlabel=label, ylabel="processor seconds")
        ax.set_title("lines: n log n from the first point" if grown is rows else "line: in proportion")
        ax.set_xticks(grown[0].sizes, [f"{size:,}" for size in grown[0].sizes])
        ax.minorticks_off()
        ax.legend(frameon=False)
    figure.savefig(path, dpi=100)


def growth_table(title: str, law: str, grown: Sequence[Growth]) -> Table:
    rows = [
        Row(
            f"{growth.name}, {growth.sizes[0]:,} to {growth.sizes[-1]:,}",
            growth.seconds[-1],
            None,
            f"{law} times " + ", ".join(f"{part:.2f}" for part in growth.excess),
        )
        for growth in grown
    ]
    return Table(title, rows)


def run(setting: Setting) -> Iterator[Table]:
    rows, trees = in_rows(setting), in_trees(setting)
    yield growth_table(
        "trees on more and more rows of 28 columns, processor time on one thread", "n log n", rows
    )
    yield growth_table(
        "forests of more and more trees, processor time on one thread", "the number of trees", trees
    )
    if setting.pictures is not None:
        setting.pictures.mkdir(parents=True, exist_ok=True)
        draw(rows, trees, setting.pictures / "tree_growth.png")
