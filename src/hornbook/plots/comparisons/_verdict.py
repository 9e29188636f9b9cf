"""A verdict as a plot: mean scores with intervals, the tied best joined by a bar."""

from __future__ import annotations

from textwrap import shorten
from typing import TYPE_CHECKING

from hornbook.evaluation import Verdict
from hornbook.plots.canvas._canvas import GRAY, axes, color, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["verdict"]

LONGEST = 28  # characters of a name
LONGEST_NOTE = 72  # characters of the note on a learner that is not ranked


def verdict(found: Verdict, ax: Axes | None = None) -> Axes:
    """Draw where each learner stands: mean score, its interval, and a bar that joins all tied best.

    Learners are listed best first: full dots are best or tied, hollow ones too noisy to rank, gray ones
    worse; those that did not finish are named without a score. The shaded band around the best is the region
    of practical equivalence.

    Parameters
    ----------
    found : Verdict
        What `hornbook.compare` returned.
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
    >>> ax = verdict(Verdict.of(scores))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a', 'b']
    """
    n = len(found.standings)
    ax = axes(ax, size=(6.4, 1.6 + 0.34 * n))
    ranked = [s.mean for s in found.standings if s.mean is not None]
    best = ranked[0].estimate
    # The region of equivalence around the best: differences inside it do not matter in practice.
    ax.axvspan(best - found.equivalence, best + found.equivalence, color=GRAY, alpha=0.2, linewidth=0)
    for place, standing in enumerate(found.standings):
        if standing.mean is None:
            note = shorten(standing.note, LONGEST_NOTE, placeholder=" …")
            ax.text(
                0.02, place, note, va="center", color=GRAY, fontsize=8, transform=ax.get_yaxis_transform()
            )
            continue
        shade = GRAY if standing.status == "worse" else color(0)
        noisy = standing.status == "too noisy to rank"
        ends = [standing.mean.low, standing.mean.high]
        ax.plot(ends, [place, place], ":" if noisy else "-", color=shade, linewidth=1.5)
        fill = "white" if noisy else shade
        ax.plot([standing.mean.estimate], [place], "o", color=shade, markerfacecolor=fill, markersize=5)
    tied = [place for place, s in enumerate(found.standings) if s.name in found.winners]
    # Learners that are tied need not be neighbors in the order of their means.
    for first, last in _runs(tied) if len(tied) > 1 else []:
        ends, beside = [first - 0.25, last + 0.25], ax.get_yaxis_transform()
        ax.plot([0.012, 0.012], ends, color=color(0), linewidth=4, solid_capstyle="butt", transform=beside)
    ax.set_yticks(range(n), [cut(s.name, LONGEST) for s in found.standings])
    ax.set_ylim(n - 0.4, -0.6)
    better = "larger" if found.scores.greater_is_better else "smaller"
    level, n_folds = f"{100 * (1 - found.alpha):g} % intervals", found.scores.values.shape[1]
    ax.set_xlabel(f"{found.scores.measure} ({better} is better), {level} over {n_folds} folds")
    return ax


def _runs(places: list[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive positions as (first, last)."""
    runs: list[tuple[int, int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs
