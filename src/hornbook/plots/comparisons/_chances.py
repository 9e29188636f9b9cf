"""How probable it is that a learner is better than the best, as good, or worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.evaluation import Verdict
from hornbook.plots.canvas._canvas import GRAY, axes, color, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["chances"]

_LONGEST = 28  # characters of a name
_DARK = "#111111"  # can be read on all three shades
_ROOM = 0.09  # fraction of the width that a number needs


def chances(found: Verdict, ax: Axes | None = None) -> Axes:
    """Draw for each learner how probable it is to be better than, equal to, or worse than the best.

    Equal means that the difference lies within the region of practical equivalence. Learners that did not
    finish are left out.

    Parameters
    ----------
    found : Verdict
        What `hornbook.compare` returned, about at least two learners that finished.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook.evaluation import Scores, Verdict
    >>> values = np.array([[0.1, 0.2, 0.1, 0.2], [0.4, 0.5, 0.4, 0.6]])
    >>> scores = Scores("error_rate", False, ["a", "b"], values, np.full(4, 30), np.full(4, 10))
    >>> ax = chances(Verdict.of(scores))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['better than a', 'equal', 'worse']
    """
    others = [s for s in found.standings if s.worse is not None]
    if not others:
        raise ValueError("chances: the verdict must be about at least 2 learners that finished; got 1.")
    ax = axes(ax, size=(6.4, 1.4 + 0.3 * len(others)))
    parts = {
        f"better than {cut(found.best, _LONGEST)}": (color(2), [s.better or 0.0 for s in others]),
        "equal": (GRAY, [s.equal or 0.0 for s in others]),
        "worse": (color(3), [s.worse or 0.0 for s in others]),
    }
    start = [0.0] * len(others)
    for label, (shade, shares) in parts.items():
        ax.barh(range(len(others)), shares, left=start, height=0.68, color=shade, label=label)
        for place, (left, share) in enumerate(zip(start, shares, strict=True)):
            if share >= _ROOM:
                middle = left + share / 2
                ax.text(middle, place, f"{share:.2f}", ha="center", va="center", color=_DARK, fontsize=8)
        start = [left + share for left, share in zip(start, shares, strict=True)]
    ax.set_yticks(range(len(others)), [cut(s.name, _LONGEST) for s in others])
    ax.set_ylim(len(others) - 0.4, -0.6)
    ax.set_xlim(0, 1)
    ax.set_xlabel(f"probability, differences up to {found.equivalence:.3g} count as equal")
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return ax
