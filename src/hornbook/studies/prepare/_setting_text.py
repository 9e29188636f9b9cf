"""Chosen settings as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["listed", "range_text", "setting_text", "setting_words", "wins_text"]


def setting_text(setting: Mapping[str, Any]) -> str:
    """Write a setting as it would be typed.

    Parameters
    ----------
    setting : mapping of str to object
        Values by the names of parameters.

    Examples
    --------
    >>> setting_text({"n_neighbors": 7}), setting_text({"alpha": 0.05})
    ('n_neighbors=7', 'alpha=0.05')
    """
    return ", ".join(f"{name}={_value(value)}" for name, value in setting.items())


def setting_words(setting: Mapping[str, Any]) -> str:
    """Write a setting for a sentence, in which ``alpha=1`` would be the setting of that name of a study.

    Parameters
    ----------
    setting : mapping of str to object
        Values by the names of parameters.

    Examples
    --------
    >>> setting_words({"n_neighbors": 7, "p": 1.0})
    'n_neighbors = 7, p = 1'
    """
    return setting_text(setting).replace("=", " = ")


def range_text(values: Sequence[Any]) -> str:
    """Say from where to where values go; those that are no numbers come last.

    Parameters
    ----------
    values : sequence of object
        What was chosen, fold by fold.

    Examples
    --------
    >>> range_text([7, 5, 11, 7]), range_text([7, 7]), range_text([]), range_text([4, None, 2])
    ('5 to 11', '7', '', '2 to 4 or None')
    """
    # A parameter may be tuned over numbers and words, such as a depth or None, which have no common order.
    numbers = [value for value in values if _is_number(value)]
    texts = [str(value) for value in dict.fromkeys(values) if not _is_number(value)]
    if numbers:
        low, high = min(numbers), max(numbers)
        texts.insert(0, _value(low) if low == high else f"{_value(low)} to {_value(high)}")
    return " or ".join(texts)


def wins_text(settings: Sequence[Mapping[str, Any]], most: int = 2) -> str:
    """Say which settings won how often, the most frequent first.

    Parameters
    ----------
    settings : sequence of mapping
        What was chosen, fold by fold; one that is empty was not chosen.
    most : int, default 2
        Settings that are named.

    Examples
    --------
    >>> wins_text([{"C": 1.0}, {"C": 10.0}, {"C": 1.0}, {"C": 0.1}])
    'C = 1 in 2 of 4 folds, C = 10 in 1, another in 1'
    """
    texts = Counter(setting_words(setting) for setting in settings if setting)
    ranked = texts.most_common()
    if not ranked:
        return ""
    words = [f"{text} in {times}" for text, times in ranked[:most]]
    # Said once, with the first: the others are of the same number.
    words[0] += f" of {len(settings)} folds"
    if rest := ranked[most:]:
        others = "another" if len(rest) == 1 else f"{len(rest)} others"
        words.append(f"{others} in {sum(times for _, times in rest)}")
    return ", ".join(words)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    Parameters
    ----------
    names : sequence of str
        At least one.

    Examples
    --------
    >>> listed(["C"]), listed(["a", "b", "c"])
    ('C', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _is_number(value: Any) -> bool:
    # True would otherwise be written as 1.
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(value: Any) -> str:
    return f"{value:g}" if _is_number(value) else str(value)
