"""The program: ``python -m benchmarks [NAME...] [--quick] [--jobs N] [--json FILE] [--pictures DIR]``."""

from __future__ import annotations

import argparse
import json
import os
import platform
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from benchmarks._measure import Setting

PEERS = ("numpy", "scipy", "scikit-learn", "polars")


def names() -> list[str]:
    """Return all benchmarks there are."""
    modules = iter_modules([str(Path(__file__).parent)])
    return sorted(module.name for module in modules if not module.name.startswith("_"))


def arguments(line: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help="which to run; all when left out")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: does it still run?")
    parser.add_argument("--jobs", type=int, default=1, help="threads for everybody (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to FILE, too")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="draw into DIR what can be drawn")
    options = parser.parse_args(line)
    unknown = sorted(set(options.name) - set(names()))
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(names())}")
    return options


def machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        **{name: version(name) for name in PEERS},
    }


def main(line: list[str] | None = None) -> None:
    options = arguments(line)
    # Thread pools read these when their libraries are imported, which the benchmarks do.
    os.environ["OMP_NUM_THREADS"] = os.environ["POLARS_MAX_THREADS"] = str(options.jobs)
    setting = Setting(options.quick, options.jobs, 1 if options.quick else 3, options.pictures)
    results = []
    for name in options.name or names():
        for table in import_module(f"benchmarks.{name}").run(setting):
            print(f"{name}: {table}\n", flush=True)
            results.append({"benchmark": name, **table.to_dict()})
    if options.json:
        report = {"machine": machine(), "jobs": options.jobs, "quick": options.quick, "tables": results}
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
