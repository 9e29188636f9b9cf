"""The shape of the source: sizes, names, layers and what may be imported."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import hornbook

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "hornbook"
LONGEST_FILE = 400
LONGEST_FUNCTION = 80
LARGEST_FOLDER = 20
# Variables are named by the noun: scores, levels, split, row.
NO_NOUNS = {"found", "each", "told", "said"}
# The picture of a verdict has had this parameter from the start, and users may name it.
NAMED_BY_USERS = {"chances", "verdict"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}
# scikit-learn's measures and splitters are judges in tests; the frame works without pandas and pyarrow.
NOT_FOR_US = ("sklearn.metrics", "sklearn.model_selection", "pandas", "pyarrow")

SOURCES = sorted(PACKAGE.rglob("*.py"))
SCRIPTS = sorted(
    path for folder in ("tests", "benchmarks", "examples") for path in (ROOT / folder).rglob("*.py")
)
KERNELS = sorted(path for ending in ("cpp", "hpp", "h") for path in (ROOT / "native").rglob(f"*.{ending}"))


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def function_lengths(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Each function and the lines from its ``def`` to its end, without the docstring."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = ast.get_docstring(node) is not None
            docstring = first.end_lineno - first.lineno + 1 if documented else 0
            yield node.name, node.end_lineno - node.lineno + 1 - docstring


def imported(module: ast.Module) -> Iterator[str]:
    """Every name that is imported anywhere, with its module in front."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ("." * node.level + f"{node.module or ''}.{alias.name}" for alias in node.names)


# scikit-learn's documentation names this one as the type of ``tree_``.
DOCUMENTED = {"sklearn.tree._tree.Tree"}


def is_private(name: str) -> bool:
    """Whether a dotted name of another project goes through a part that is not public."""
    parts = name.split(".")
    if name in DOCUMENTED:
        return False
    return parts[0] != "hornbook" and any(part.startswith("_") and not part.endswith("__") for part in parts)


def is_elsewhere(name: str, package: str) -> bool:
    """Whether a dotted name goes through a private file of another of our packages."""
    parts = name.split(".")
    return (
        parts[0] == "hornbook"
        and ".".join(parts[:2]) != package
        and any(p.startswith("_") for p in parts[2:])
    )


def is_for_others(name: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in NOT_FOR_US)


def has_docstring_and_all(module: ast.Module) -> bool:
    targets = [
        target
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    listed = any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)
    return listed and ast.get_docstring(module) is not None


def has_future_annotations(module: ast.Module) -> bool:
    code = [node for node in module.body if not isinstance(node, ast.Expr)]
    return not code or "__future__.annotations" in imported(module)


def test_there_is_something_to_look_at():
    assert len(SOURCES) > 20
    assert len(SCRIPTS) > 20
    assert len(KERNELS) > 10


@pytest.mark.parametrize("paths", [SOURCES, KERNELS], ids=["python", "c++"])
def test_files_are_short(paths):
    lines = {short(path): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    assert {path: n for path, n in lines.items() if n > LONGEST_FILE} == {}


@pytest.mark.parametrize("paths", [SOURCES, KERNELS], ids=["python", "c++"])
def test_folders_are_small(paths):
    sizes = Counter(short(path.parent) for path in paths)
    assert {folder: n for folder, n in sizes.items() if n > LARGEST_FOLDER} == {}


def test_kernels_are_on_the_map():
    text = (ROOT / "native" / "core" / "README.md").read_text(encoding="utf-8")
    places = [path.relative_to(ROOT / "native").with_suffix("").parts for path in KERNELS]
    places = [place[1:] for place in places if place[0] == "core"]
    rooms = {f"{place[0]}/" for place in places if len(place) > 1}
    files = {place[-1] for place in places if place[0] != "tree"}  # which has a map of its own
    assert sorted(name for name in rooms | files if f"`{name}`" not in text) == []


def test_functions_are_short():
    lengths = {(short(path), name): n for path in SOURCES for name, n in function_lengths(tree(path))}
    assert {place: n for place, n in lengths.items() if n > LONGEST_FUNCTION} == {}


def test_the_lines_of_a_function_do_not_count_its_docstring():
    code = 'def f():\n    """One.\n\n    Two.\n    """\n    return 1\n\n\ndef g(): ...\n'
    assert dict(function_lengths(ast.parse(code))) == {"f": 2, "g": 1}


def test_names_say_what_is_inside():
    paths = [*SOURCES, *SCRIPTS, *KERNELS]
    vague = [short(path) for path in paths if path.stem.strip("_").removeprefix("test_") in VAGUE]
    assert vague == []
    assert [short(path.parent) for path in SOURCES if path.parent.name.strip("_") in VAGUE] == []


def variables(module: ast.Module) -> Iterator[str]:
    """Names of variables and of parameters."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in NAMED_BY_USERS:
            arguments = node.args
            yield from (one.arg for one in (*arguments.args, *arguments.kwonlyargs))


def test_variables_are_nouns():
    places = {short(path): NO_NOUNS.intersection(variables(tree(path))) for path in [*SOURCES, *SCRIPTS]}
    assert {path: names for path, names in places.items() if names} == {}
    assert set(variables(ast.parse("def f(each, said): (told, [found]) = 1, [2]"))) == NO_NOUNS


def returning(module: ast.Module) -> list[str]:
    """Tests that end early, so that for some learners they show less than their name says."""
    return [
        node.name
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and any(isinstance(inner, ast.Return) for inner in ast.walk(node))
    ]


def test_contract_tests_run_to_their_end():
    contract = [path for path in SCRIPTS if path.parent.name == "contract"]
    assert len(contract) > 5
    assert {short(path): names for path in contract if (names := returning(tree(path)))} == {}
    assert returning(ast.parse("def test_a():\n    if x:\n        return\n    assert y")) == ["test_a"]


def test_files_inside_a_package_are_private():
    inside = [path for path in SOURCES if path.parent != PACKAGE]
    assert [short(path) for path in inside if not path.name.startswith("_")] == []


def is_room(folder: Path) -> bool:
    """Whether a folder lies inside a package: its files are imported by name, it offers nothing."""
    return folder.parent not in {PACKAGE.parent, PACKAGE}


def test_every_class_name_occurs_once():
    names = Counter(
        node.name for path in SOURCES for node in tree(path).body if isinstance(node, ast.ClassDef)
    )
    assert [name for name, n in names.items() if n > 1 and not name.startswith("_")] == []


def test_the_type_of_arrays_of_numbers_is_defined_once():
    places = [short(path) for path in SOURCES if "\nFloats = " in path.read_text(encoding="utf-8")]
    assert places == ["src/hornbook/params/_arrays.py"]


def packages() -> list[ModuleType]:
    inits = [path for path in SOURCES if path.name == "__init__.py" and not is_room(path.parent)]
    paths = [path.parent.relative_to(PACKAGE.parent) for path in inits]
    return [importlib.import_module(".".join(path.parts)) for path in paths]


def test_nothing_inside_a_package_has_the_name_of_what_it_offers():
    # Tools look for a dotted name among the modules first: rooms have names of their own, too.
    wrong = []
    for package in packages():
        children = {path.stem for path in Path(package.__file__).parent.iterdir()}
        clashes = [name for name in children & set(dir(package)) if not name.startswith("__")]
        wrong += [name for name in clashes if not isinstance(getattr(package, name), ModuleType)]
    assert wrong == []


def test_every_package_says_what_it_is_and_what_it_offers():
    # The root offers what the registry lists.
    inits = [path for path in SOURCES if path.name == "__init__.py" and path.parent != PACKAGE]
    rooms = [path for path in inits if is_room(path.parent)]
    offering = [path for path in inits if path not in rooms]
    assert [short(path) for path in offering if not has_docstring_and_all(tree(path))] == []
    assert [
        short(path)
        for path in rooms
        if ast.unparse(tree(path)).count("\n") or not ast.get_docstring(tree(path))
    ] == []
    folders = {path.parent for path in SOURCES}
    assert [short(folder) for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_what_a_package_offers_is_there():
    absent = []
    for package in packages():
        names = dir(package) if package is hornbook else package.__all__
        absent += [(package.__name__, name) for name in names if not hasattr(package, name)]
    assert absent == []


def lent_names() -> set[tuple[str, str]]:
    """What packages bind for each other: in `LENT`, or imported by ``__init__`` as themselves."""
    lent = set()
    for package in packages():
        if package is hornbook:
            continue
        nodes = [node for node in ast.walk(tree(Path(package.__file__))) if isinstance(node, ast.ImportFrom)]
        names = {alias.name for node in nodes for alias in node.names if alias.name == alias.asname}
        lent |= {(package.__name__, name) for name in names | set(getattr(package, "LENT", ()))}
    return lent


def used_names(path: Path) -> Iterator[tuple[str, str]]:
    """Names of our packages that a file uses, as ``from hornbook.frame import x`` or ``frame.x``."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").count(".") == 1:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Attribute):
            package = ast.unparse(node.value).removeprefix("hornbook.")
            yield f"hornbook.{package}", node.attr


def test_what_packages_lend_each_other_is_apart_from_what_users_import():
    lent = lent_names()
    assert ("hornbook.frame", "require_memory") in lent
    assert ("hornbook.trees", "Grower") in lent
    public = {(package.__name__, name) for package in packages() for name in getattr(package, "__all__", ())}
    assert not lent & public


def test_what_a_package_lends_is_used_elsewhere():
    uses = set()
    for path in [*SOURCES, *SCRIPTS]:
        own = ".".join(path.relative_to(PACKAGE.parent).parts[:2]) if path in SOURCES else ""
        uses |= {(package, name) for package, name in used_names(path) if package != own}
    assert sorted(lent_names() - uses) == []


def test_documents_and_examples_use_what_is_for_users():
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    texts += [path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*.py")]
    texts.append((ROOT / "README.md").read_text(encoding="utf-8"))
    wrong = []
    for package, name in sorted(lent_names()):
        imported = rf"from {package} import \(?[\w\s,]*\b{name}\b"
        used = rf"\b{package.removeprefix('hornbook.')}[.]{name}\b"
        wrong += [(package, name) for text in texts if re.search(f"{imported}|{used}", text)]
    assert wrong == []


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ('"""Doc."""\n__all__ = ["a"]\n', True),
        ('"""Doc."""\n__all__: list[str] = []\n', True),
        ('"""Doc."""\n', False),
        ('__all__ = ["a"]\n', False),
    ],
)
def test_a_docstring_and_a_list_are_recognized(code, answer):
    assert has_docstring_and_all(ast.parse(code)) is answer


def test_annotations_are_not_evaluated_on_import():
    assert [short(path) for path in [*SOURCES, *SCRIPTS] if not has_future_annotations(tree(path))] == []
    assert not has_future_annotations(ast.parse("import os\n"))


def test_imports_are_absolute():
    relative = {
        short(path): name for path in SOURCES for name in imported(tree(path)) if name.startswith(".")
    }
    assert relative == {}


def test_only_public_names_of_other_projects_are_imported():
    private = {short(path): name for path in SOURCES for name in imported(tree(path)) if is_private(name)}
    assert private == {}


def test_private_files_are_imported_inside_their_package_only():
    wrong = []
    for path in SOURCES:
        package = ".".join(path.relative_to(PACKAGE.parent).parts[:2])
        wrong += [(short(path), name) for name in imported(tree(path)) if is_elsewhere(name, package)]
    assert wrong == []


def test_what_is_for_tests_and_users_is_not_imported():
    wrong = {short(path): name for path in SOURCES for name in imported(tree(path)) if is_for_others(name)}
    assert wrong == {}


@pytest.mark.parametrize(
    ("code", "private", "for_others"),
    [
        ("from sklearn.utils._tags import Tags", True, False),
        ("from sklearn.base import _fit_context", True, False),
        ("import sklearn.utils._param_validation as check", True, False),
        ("def f():\n    from sklearn import metrics", False, True),
        ("from sklearn.model_selection import KFold", False, True),
        ("import pandas.api.types", False, True),
        ("import pyarrow as pa", False, True),
        ("from hornbook.params._check import check", False, False),
        ("from sklearn.utils import Tags", False, False),
        ("from sklearn.metrics_are_fine import x", False, False),
        ("from __future__ import annotations", False, False),
    ],
)
def test_imports_are_told_apart(code, private, for_others):
    (name,) = imported(ast.parse(code))
    assert (is_private(name), is_for_others(name)) == (private, for_others)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("hornbook.params._check.check", False),
        ("hornbook.frame._frame.Frame", True),
        ("hornbook.frame._frame", True),
        ("hornbook.frame.Frame", False),
        ("hornbook._native.philox", False),
        ("sklearn.utils._tags", False),
    ],
)
def test_private_files_of_other_packages_are_recognized(name, answer):
    assert is_elsewhere(name, "hornbook.params") is answer


def test_a_relative_import_is_recognized():
    assert list(imported(ast.parse("from . import a\nfrom ..b import c"))) == ["..a", "..b.c"]


def test_arrows_go_one_way():
    code = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", code, "--no-cache", "--config", "pyproject.toml"],
        cwd=ROOT,
        env={"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 kept, 0 broken" in done.stdout


def test_the_source_looked_at_is_the_source_imported():
    assert Path(hornbook.__file__).parent == PACKAGE
