"""Look into a wheel, then use it in a fresh environment that has no compiler.

python scripts/check_wheel.py dist/hornbook-*.whl
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
# Everything a first user does: import, fit, look inside, save, load.
FIRST_USE = """
import shutil, sys
import hornbook
from pathlib import Path
assert Path(hornbook.__file__).is_relative_to(sys.prefix), hornbook.__file__
assert not any(shutil.which(name) for name in ("cc", "gcc", "g++", "clang", "cmake", "ninja"))
table = hornbook.datasets.iris()
model = hornbook.NaiveBayes().fit(table)
assert model.score(table.features, table.y) > 0.9
assert "petal_length" in str(model.describe())
assert "prediction: setosa" in str(model.working(table.features[:1]))
hornbook.save(model, "iris.hornbook")
again = hornbook.load("iris.hornbook")
assert (again.predict_proba(table.features) == model.predict_proba(table.features)).all()
"""


def say(text: str) -> None:
    print(f"wheel: {text}", flush=True)


def wanted() -> set[str]:
    """Return the files of the package that a wheel must hold, as they lie in the sources."""
    kinds = {".py", ".pyi", ".csv", ".gz", ".typed", ".jinja", ".css", ".js", ".json"}
    files = (path for path in (SOURCES / "hornbook").rglob("*") if path.suffix in kinds)
    return {path.relative_to(SOURCES).as_posix() for path in files}


def problems(names: set[str]) -> list[str]:
    """Return what is wrong with a list of files in a wheel, in words."""
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    package = {name for name in names if ".dist-info/" not in name}
    faults = [f"{name} is missing" for name in sorted(wanted() - names)]
    faults += [f"{name} does not belong there" for name in sorted(package - compiled - wanted())]
    strange = [name for name in compiled if not name.startswith("hornbook/_native/_ext.")]
    faults += [f"{name} is compiled, but not ours" for name in strange]
    if len(compiled) != 1:
        faults.append(f"there must be one compiled module, found {sorted(compiled)}")
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        faults.append("the license is missing")
    return faults


def run(folder: Path, program: str, *arguments: str) -> str:
    """Run a program of the clean environment with nothing else on the path; return what it prints."""
    bin_folder = folder / "venv" / "bin"
    environment = {"PATH": str(bin_folder), "HOME": str(folder), "MPLBACKEND": "Agg"}
    line = [bin_folder / program, *arguments]
    return subprocess.run(
        line, check=True, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ).stdout


def try_out(wheel: Path, folder: Path) -> None:
    """Install a wheel into a fresh environment and use it there."""
    say("creating a clean environment")
    venv.create(folder / "venv", with_pip=True)
    bin_folder = folder / "venv" / "bin"
    constraints = ROOT / "requirements" / "dev.txt"
    say("installing the wheel and what it needs")
    install = [bin_folder / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    subprocess.run([*install, "--only-binary", ":all:", "--constraint", constraints, wheel], check=True)
    say("fitting, describing, saving and loading a model")
    run(folder, "python", "-W", "error", "-c", FIRST_USE)
    shown = run(folder, "hornbook", "--version")
    version = wheel.name.split("-")[1]
    if version not in shown:
        raise SystemExit(f"hornbook --version says {shown!r}, the wheel says {version}")


def main() -> None:
    wheel = Path(sys.argv[1]).resolve()
    say(f"looking into {wheel.name}")
    faults = problems(set(ZipFile(wheel).namelist()))
    if faults:
        raise SystemExit("\n".join(faults))
    with TemporaryDirectory() as folder:
        try_out(wheel, Path(folder))
    say("works")


if __name__ == "__main__":
    main()
