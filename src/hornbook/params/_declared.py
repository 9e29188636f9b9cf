"""Parameters declared as fields of a class, so that a family of learners declares and documents them once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, cast, dataclass_transform, get_type_hints

__all__ = ["ParameterGroup", "declared", "parameter_group"]

Class = TypeVar("Class", bound=type)
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"\n(?=\S)")


class ParameterGroup:
    """Parameters that several learners take: what `parameter_group` makes of a class.

    It is written where bases are, and gives a `declared` class its fields and texts without becoming an
    ancestor (PEP 560), so that a learner may take many groups and still have few classes above it.

    Parameters
    ----------
    owner : type
        The class with the fields, made a dataclass.
    """

    def __init__(self, owner: Any) -> None:
        self.__doc__ = owner.__doc__
        self.fields = {field.name: field for field in fields(owner)}
        self.hints = get_type_hints(owner, include_extras=True)
        self.written = owner.__written__
        self.texts = _texts(owner)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return ()


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def parameter_group(owner: Class) -> Class:
    """Make a class whose annotated names are parameters a group, which learners name among their bases.

    For type checkers it stays a class. A group may name other groups and has what they have.

    Parameters
    ----------
    owner : type
        The class. Its docstring has the texts of its parameters.

    Returns
    -------
    group : ParameterGroup
        The parameters.

    Examples
    --------
    >>> @parameter_group
    ... class Sampling:
    ...     bootstrap: bool = True
    >>> @declared
    ... class Forest(Sampling):
    ...     n_jobs: int | None = None
    >>> inspect.signature(Forest)
    <Signature (*, bootstrap: 'bool' = True, n_jobs: 'int | None' = None) -> None>
    >>> Forest.__bases__
    (<class 'object'>,)
    """
    return cast("Class", ParameterGroup(_with_fields(owner)))


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def declared(owner: Class) -> Class:
    """Make the annotated names of a class the parameters of its constructor, and document all of them.

    The class becomes a dataclass of which only the constructor is used: parameters are given by name, unless
    ``field(kw_only=False)`` says otherwise, and stored as they are. They are inherited, and a class that
    wants another default declares just that; those of a `parameter_group` come with it. Texts are inherited
    too: ``Parameters`` of the docstring lists what the constructor takes with the defaults of this class, and
    ``Attributes`` what the bases have.

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
    made = _with_fields(owner)
    # Hints are resolved here, where the names of each base are known; the constructor knows only this module.
    # The displayed signature keeps them as they were written.
    hints = get_type_hints(made, include_extras=True)
    signature = inspect.signature(made.__init__)
    made.__init__.__signature__ = signature.replace(
        parameters=[
            entry.replace(annotation=made.__written__.get(name, entry.annotation))
            for name, entry in signature.parameters.items()
        ]
    )
    made.__init__.__annotations__ = {field.name: hints[field.name] for field in fields(made)} | {
        "return": None
    }
    made.__doc__ = _whole(made)
    return owner


def _with_fields(owner: Any) -> Any:
    """The class as a dataclass with its own fields and those of its groups."""
    own = vars(owner).get("__annotations__", {})
    annotations: dict[str, Any] = {}
    owner.__written__ = {}
    ready = [base for base in owner.__mro__[1:] if "__dataclass_fields__" in vars(base)]
    for base in reversed(ready):
        owner.__written__ |= vars(base).get("__written__", {})
    # From the farthest base to the nearest, so that later declarations override earlier ones.
    for base in reversed(owner.__mro__):
        if any(base in other.__mro__ for other in ready):
            continue  # its groups are among the fields of that one
        for group in _groups(base):
            owner.__written__ |= group.written
            for name, entry in group.fields.items():
                annotations[name] = group.hints[name]
                if name not in own:
                    setattr(owner, name, field(default=entry.default, kw_only=bool(entry.kw_only)))
    owner.__written__ |= _written(owner)
    owner.__annotations__ = annotations | own
    return dataclass(eq=False, repr=False, match_args=False, kw_only=True)(owner)


def _groups(cls: type) -> Iterator[ParameterGroup]:
    """The groups that a class names, the last first, as in the order of resolution."""
    for base in reversed(vars(cls).get("__orig_bases__", ())):
        if isinstance(base, ParameterGroup):
            yield base


def _written(owner: type) -> dict[str, str]:
    """Annotations that are still text."""
    own = vars(owner).get("__annotations__", {})
    return {name: text for name, text in own.items() if isinstance(text, str)}


def _texts(cls: type) -> dict[str, dict[str, str]]:
    """The entries of the sections about parameters and attributes, by name."""
    # The nearest class wins, but an entry keeps the place of its first declaration.
    texts: dict[str, dict[str, str]] = {"Parameters": {}, "Attributes": {}}
    for base in reversed(cls.__mro__):
        sources = [group.texts for group in _groups(base)]
        sections = _sections(vars(base).get("__doc__"))
        sources.append(
            {
                title: {_name(entry): entry for entry in _ENTRY.split(sections[title])}
                for title in texts
                if title in sections
            }
        )
        for source in sources:
            for title, entries in source.items():
                texts[title].update(entries)
    return texts


def _whole(cls: Any) -> str:
    """The docstring of a class with the parameters and attributes of its bases."""
    texts = _texts(cls)
    # In the order of the constructor, whatever that of the docstrings.
    known = texts["Parameters"]
    in_order = sorted(fields(cls), key=lambda entry: bool(entry.kw_only))  # by position comes first
    parameters = [
        _with_default(known[entry.name], entry.default) for entry in in_order if entry.name in known
    ]
    sections = {
        "": "",
        "Parameters": "\n".join(parameters),
        "Attributes": "\n".join(texts["Attributes"].values()),
    }
    own = sections | {title: body for title, body in _sections(cls.__doc__).items() if title not in texts}
    return "\n\n".join(_titled(title, body) for title, body in own.items() if body)


def _sections(doc: str | None) -> dict[str, str]:
    """The sections of a docstring by title; the text before the first has the title ""."""
    first, *rest = _SECTION.split(inspect.cleandoc(doc or ""))
    titled = zip(rest[::2], rest[1::2], strict=True)
    return {"": first.strip(), **{title: body.strip() for title, body in titled}}


def _titled(title: str, body: str) -> str:
    return f"{title}\n{'-' * len(title)}\n{body}" if title else body


def _name(entry: str) -> str:
    return entry.partition(" :")[0]


def _with_default(entry: str, default: Any) -> str:
    """An entry whose first line ends with the default, unless the parameter is optional or has none."""
    head, _, text = entry.partition("\n")
    # The text may come from a base with another default.
    head = head.partition(", default ")[0]
    if default is not MISSING and not head.endswith(", optional"):
        head += f', default "{default}"' if isinstance(default, str) else f", default {default}"
    return f"{head}\n{text}"
