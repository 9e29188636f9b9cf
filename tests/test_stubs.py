"""The typed stubs in stubs/ say what the installed libraries say, name by name."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

STUBS = Path(__file__).parents[1] / "stubs"
# Names of several modules of scikit-learn that learners derive from, which users have types of, too.
SHIPPED = Path(__file__).parents[1] / "src" / "hornbook" / "_scikit.pyi"
# scikit-learn documents this one for authors of third-party estimators.
DOCUMENTED = {"_init_callback_context"}


def module_of(path: Path) -> str:
    if path == SHIPPED:
        return "hornbook._scikit"
    parts = path.relative_to(STUBS).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def definitions() -> list[tuple[str, ast.stmt]]:
    kinds = (ast.ClassDef, ast.FunctionDef)
    paths = [*sorted(STUBS.rglob("*.pyi")), SHIPPED]
    return [
        (module_of(p), node)
        for p in paths
        for node in ast.parse(p.read_text()).body
        if isinstance(node, kinds)
    ]


def parameters_of_stub(node: ast.FunctionDef) -> list[tuple[str, int, bool]]:
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    first_default = len(positional) - len(spec.defaults)
    kinds = inspect.Parameter
    parameters = [(a.arg, kinds.POSITIONAL_OR_KEYWORD, i >= first_default) for i, a in enumerate(positional)]
    if spec.vararg:
        parameters.append((spec.vararg.arg, kinds.VAR_POSITIONAL, False))
    parameters += [
        (a.arg, kinds.KEYWORD_ONLY, d is not None)
        for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
    ]
    if spec.kwarg:
        parameters.append((spec.kwarg.arg, kinds.VAR_KEYWORD, False))
    return parameters


def parameters_of(signature: inspect.Signature) -> list[tuple[str, int, bool]]:
    return [(p.name, p.kind, p.default is not p.empty) for p in signature.parameters.values()]


def method_of(kind: type, name: str) -> Any:
    """Return the function behind a method, also behind a class method or an `available_if`."""
    method = inspect.getattr_static(kind, name)
    method = getattr(method, "__func__", method)
    return method if callable(method) else getattr(kind, name)


def literal_defaults(node: ast.FunctionDef) -> dict[str, Any]:
    spec = node.args
    pairs = list(zip(spec.args[len(spec.args) - len(spec.defaults) :], spec.defaults, strict=True))
    pairs += [(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if d is not None]
    return {a.arg: value for a, d in pairs if (value := ast.literal_eval(d)) is not ...}


def check_function(node: ast.FunctionDef, real: Any) -> None:
    signature = inspect.signature(real)
    assert parameters_of_stub(node) == parameters_of(signature), node.name
    for name, value in literal_defaults(node).items():
        assert signature.parameters[name].default == value, f"{node.name}({name}=)"


def check_class(node: ast.ClassDef, real: type) -> None:
    for base in node.bases:
        assert base.id in [kind.__name__ for kind in real.__mro__]
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
    if node.decorator_list:
        stated = {item.target.id: ast.unparse(item.annotation) for item in fields}
        assert stated == {f.name: f.type for f in real.__dataclass_fields__.values()}
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            check_function(item, method_of(real, item.name))
            dunder = item.name.startswith("__")
            assert dunder or not item.name.startswith("_") or item.name in DOCUMENTED


@pytest.mark.parametrize(("module", "node"), definitions(), ids=lambda part: getattr(part, "name", part))
def test_every_stubbed_name_is_public_and_has_the_real_signature(module, node):
    real = getattr(import_module(module), node.name)
    assert not node.name.startswith("_")
    home = import_module(module)
    assert node.name in getattr(home, "__all__", [node.name])
    if isinstance(node, ast.ClassDef):
        check_class(node, real)
    else:
        check_function(node, real)


def test_the_comparison_notices_a_wrong_signature():
    wrong = ast.parse("def get_tags(estimator: object, deep: bool = True) -> Tags: ...").body[0]
    with pytest.raises(AssertionError, match="get_tags"):
        check_function(wrong, import_module("sklearn.utils").get_tags)


def test_context_attributes_exist_on_a_real_context():
    from sklearn.base import BaseEstimator
    from sklearn.callback import CallbackSupportMixin

    class Watched(CallbackSupportMixin, BaseEstimator):
        pass

    context = Watched()._init_callback_context()
    tree = ast.parse((STUBS / "sklearn" / "callback.pyi").read_text())
    stub = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "CallbackContext")
    names = [item.target.id for item in stub.body if isinstance(item, ast.AnnAssign)]
    assert len(names) == 10
    assert [name for name in names if not hasattr(context, name)] == []
