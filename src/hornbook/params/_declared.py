"""Parameters declared as fields of a class, so that learners of one family write and explain them once."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform, get_type_hints

__all__ = ["declared"]

Class = TypeVar("Class", bound=type)
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"\n(?=\S)")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def declared(owner: Class) -> Class:
    """Make the annotated names of a class the parameters of its constructor, and document all of them.

    The class becomes a dataclass of which only the constructor is used: parameters are given by name, unless
    ``field(kw_only=False)`` says otherwise, and stored as they are. They are inherited, and a class that
    wants another default declares just that. Texts are inherited too: ``Parameters`` of the docstring lists
    what the constructor takes with the defaults of this class, and ``Attributes`` what the bases have.

    Parameters
    ----------
    owner : type
        The class. Its docstring has the texts of what it declares itself.

    Returns
    -------
    owner : type
        The same class.

    Examples
    --------
    >>> @declared
    ... class Drawn:
    ...     bootstrap: bool = True
    >>> @declared
    ... class Careful(Drawn):
    ...     bootstrap: bool = False
    ...     n_jobs: int | None = None
    >>> inspect.signature(Careful)
    <Signature (*, bootstrap: 'bool' = False, n_jobs: 'int | None' = None) -> None>
    """
    made: Any = dataclass(eq=False, repr=False, match_args=False, kw_only=True)(owner)
    # Hints are resolved here, where the names of each base are known; the constructor knows only this module.
    # People are shown them as they were written.
    hints = get_type_hints(made, include_extras=True)
    made.__init__.__signature__ = inspect.signature(made.__init__)
    made.__init__.__annotations__ = {each.name: hints[each.name] for each in fields(made)} | {"return": None}
    made.__doc__ = _whole(made)
    return owner


def _whole(cls: Any) -> str:
    """The docstring of a class with the parameters and attributes of its bases."""
    texts: dict[str, dict[str, str]] = {"Parameters": {}, "Attributes": {}}
    for base in reversed(cls.__mro__):
        found = _sections(vars(base).get("__doc__"))
        for section, entries in texts.items():
            if section in found:
                entries.update({_name(entry): entry for entry in _ENTRY.split(found[section])})
    known = texts["Parameters"]
    parameters = [_with_default(known[each.name], each.default) for each in fields(cls) if each.name in known]
    sections = {
        "": "",
        "Parameters": "\n".join(parameters),
        "Attributes": "\n".join(texts["Attributes"].values()),
    }
    own = sections | {title: body for title, body in _sections(cls.__doc__).items() if title not in texts}
    return "\n\n".join(_titled(title, body) for title, body in own.items() if body)


def _sections(doc: str | None) -> dict[str, str]:
    """The sections of a docstring by title; what stands before the first has none."""
    first, *rest = _SECTION.split(inspect.cleandoc(doc or ""))
    titled = zip(rest[::2], rest[1::2], strict=True)
    return {"": first.strip(), **{title: body.strip() for title, body in titled}}


def _titled(title: str, body: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{body}" if title else body


def _name(entry: str) -> str:
    return entry.partition(" :")[0]


def _with_default(entry: str, default: Any) -> str:
    """An entry whose first line ends with the default, unless the parameter is optional."""
    head, _, text = entry.partition("\n")
    head = head.partition(", default ")[0]
    if not head.endswith(", optional"):
        head += f', default "{default}"' if isinstance(default, str) else f", default {default}"
    return f"{head}\n{text}"
