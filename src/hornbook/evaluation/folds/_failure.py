"""The sentence when a learner fails."""

from __future__ import annotations

__all__ = ["failure"]


def failure(error: BaseException) -> str:
    """Say in one line what went wrong.

    Parameters
    ----------
    error : exception
        What was raised.

    Returns
    -------
    str
        Its type and the first line of its message.

    Examples
    --------
    >>> failure(ValueError("no rows"))
    'ValueError: no rows'
    """
    message = str(error).strip()
    return f"{type(error).__name__}: {message.splitlines()[0] if message else repr(error)}"
