"""Which tests of a file use only public names.

A test is private if it, or any function of its file that it refers to, reads an attribute that begins with
one underscore (but for those of `self`, an estimator of the test), names one in a text, or uses such a name
that is imported from scikit-learn. Helpers in `sklearn.utils`, which compare arrays, are no learners.
"""

from __future__ import annotations

import ast
import re

__all__ = ["private_tests"]

_PRIVATE = re.compile(r"_[A-Za-z]\w*")
_HELPERS = "sklearn.utils"


def private_tests(source):
    """Names of the functions and classes of a file that use private names."""
    tree = ast.parse(source)
    imported = {
        name.asname or name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(_HELPERS)
        for name in node.names
    }
    tops = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    private = {
        name for name, node in tops.items() if any(_is_private(part, imported) for part in ast.walk(node))
    }
    refers = {
        name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} & tops.keys()
        for name, node in tops.items()
    }
    while more := {name for name in tops.keys() - private if refers[name] & private}:
        private |= more
    return private


def _is_private(node, imported):
    if isinstance(node, ast.Attribute):
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return not own and bool(_PRIVATE.fullmatch(node.attr))
    if isinstance(node, ast.Name):
        return node.id in imported and bool(_PRIVATE.fullmatch(node.id))
    text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return text and bool(_PRIVATE.fullmatch(node.value))
