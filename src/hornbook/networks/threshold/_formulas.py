"""Boolean formulas in disjunctive normal form, as rows of required values."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from hornbook.networks.threshold._regions import checked_codes
from hornbook.params import Floats

__all__ = ["terms_of_formula"]

_NAME = re.compile(r"[^\W\d]\w*$")
_OR = re.compile(r"\||\bor\b", re.IGNORECASE)
_AND = re.compile(r"&|\band\b", re.IGNORECASE)
_NOT = re.compile(r"^(?:~|!|not\b)\s*", re.IGNORECASE)


def terms_of_formula(formula: str | Sequence[str], names: Sequence[str] | None) -> Floats:
    """Conjunctions as rows of 1, 0 and NaN, for a variable that is true, false or absent."""
    if not isinstance(formula, str):
        codes = checked_codes("from_dnf", formula, gaps=True)
        if not len(codes):
            raise ValueError("from_dnf: 'formula' must have at least one conjunction; got none.")
        known = [f"x{j + 1}" for j in range(codes.shape[1])] if names is None else list(names)
        if len(known) != codes.shape[1]:
            raise ValueError(f"from_dnf: 'names' must have {codes.shape[1]} entries; got {len(known)}.")
        return codes
    conjunctions = [_literals(part, formula) for part in _OR.split(formula)]
    used = list(dict.fromkeys(name for literals in conjunctions for name, _ in literals))
    known = used if names is None else list(names)
    unknown = [name for name in used if name not in known]
    if unknown:
        raise ValueError(
            f"from_dnf: the formula has the variable {unknown[0]!r}, which is not among 'names': add it."
        )
    terms = np.full((len(conjunctions), len(known)), np.nan)
    for row, literals in zip(terms, conjunctions, strict=True):
        for name, value in literals:
            place = known.index(name)
            if row[place] == 1.0 - value:
                raise ValueError(
                    f"from_dnf: a conjunction has {name!r} and its negation and is never true: leave it out."
                )
            row[place] = value
    return terms


def _literals(part: str, formula: str) -> list[tuple[str, float]]:
    """Variables of a conjunction, with 1 or 0 for those that are negated."""
    literals = []
    for piece in _AND.split(part.strip().removeprefix("(").removesuffix(")")):
        text, value = piece.strip(), 1.0
        # Several negations cancel in pairs.
        while match := _NOT.match(text):
            text, value = text[match.end() :], 1.0 - value
        if not _NAME.match(text):
            raise ValueError(
                f"from_dnf: {formula!r} must be conjunctions with '|' between them, each of names with '&' "
                f"between them and '~' before those that must be false; got {piece.strip()!r} for a name."
            )
        literals.append((text, value))
    return literals
