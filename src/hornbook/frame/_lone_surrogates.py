"""Text that cannot be encoded (lone surrogates), detected before it is written to a file."""

from __future__ import annotations

from collections.abc import Collection

__all__ = ["NOT_TEXT", "REPAIR", "lone_surrogate"]

NOT_TEXT = "which is not valid text (a lone surrogate)"
REPAIR = "read the file with its own encoding, or replace the character"


def lone_surrogate(texts: Collection[object]) -> str | None:
    r"""Return the first text that cannot be written as UTF-8, or None; values that are no text are skipped.

    Parameters
    ----------
    texts : collection
        Names, levels or labels.

    Examples
    --------
    >>> lone_surrogate(["a", 1, "x" + chr(0xD800)])
    'x\ud800'
    """
    words = [text for text in texts if isinstance(text, str)]
    if _can_be_written("".join(words)):  # surrogates of neighbors do not make a pair
        return None
    return next(str(word) for word in words if not _can_be_written(word))


def _can_be_written(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
