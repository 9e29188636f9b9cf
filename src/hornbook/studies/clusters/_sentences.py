"""The verdict of a clustering in words."""

from __future__ import annotations

from collections.abc import Sequence

from hornbook.evaluation import Standing, Verdict
from hornbook.studies.clusters._findings import ClusterFindings

__all__ = ["cluster_sentences"]

MOST_NAMES = 4


def cluster_sentences(verdict: Verdict, findings: ClusterFindings) -> tuple[str, ...]:
    """Say first whether there are clusters at all, then which clustering to take.

    Parameters
    ----------
    verdict : Verdict
        The comparison of stabilities, with the recommended clustering.
    findings : ClusterFindings
        All else.
    """
    chosen = next(s for s in verdict.standings if s.name == verdict.recommended)
    structure, alpha = findings.structure, verdict.alpha
    words = []
    # Whether there is structure comes first, since every clusterer divides any table.
    if structure is None:
        words.append(f"{chosen.name} is recommended: stability {chosen.mean} over splits into halves.")
        words.append(f"Whether there are clusters at all is not known: {findings.untested}.")
    elif structure.found(alpha):
        count = f"{findings.n_clusters} clusters are" if findings.n_clusters else "Clusters are"
        words.append(
            f"{count} visible: {chosen.name} finds the same in halves of the rows, with stability "
            f"{chosen.mean}, which rows without clusters do not give (p = {structure.smallest_p:.2g})."
        )
        if structure.in_single_columns(alpha):
            words.append(
                "Shuffled columns give as stable ones: single columns, with several peaks or a long tail, "
                "make them, and not how columns go together."
            )
    else:
        words.append(
            f"No cluster structure is visible: no clustering is more stable than on rows without clusters "
            f"(p = {structure.smallest_p:.2g})."
        )
        words.append(f"Any division is arbitrary; the most stable is {chosen.name}, {chosen.mean}.")
    words += _others(verdict, chosen, () if structure is None else structure.found(alpha))
    if (agreement := findings.agreement.get("adjusted_rand")) is not None:
        words.append(f"Agreement with {findings.reference!r} (adjusted Rand): {agreement:.2f}.")
    return tuple(words)


def _others(verdict: Verdict, chosen: Standing, structured: Sequence[str]) -> list[str]:
    """What became of the other clusterings."""
    words = []
    # Two halves of uniform rows can be cut alike, too, for example along the longest axis.
    if structured and verdict.best not in structured:
        best = next(s for s in verdict.standings if s.name == verdict.best)
        words.append(f"{best.name} is {_compared(best, chosen)}, but it would be so without clusters, too.")
    # The most stable one is named separately, because it may not be the recommended one.
    tied = [name for name in verdict.winners if name not in (chosen.name, verdict.best)]
    tied += [verdict.best] if chosen.name != verdict.best and chosen.name in verdict.winners else []
    if tied and structured and (chosen.name == verdict.best or verdict.best in tied):
        why = f", {verdict.why}" if verdict.why else ""
        words.append(f"{_listed(tied)} cannot be told apart from it by stability{why}.")
    counts = {
        status: sum(s.status == status for s in verdict.standings)
        for status in ("worse", "too noisy to rank", "incomplete")
    }
    kinds = {"worse": "less stable", "too noisy to rank": "too noisy to rank", "incomplete": "not finished"}
    parts = [f"{count} {kinds[status]}" for status, count in counts.items() if count]
    if parts:
        words.append(f"Of {len(verdict.standings)} clusterings, {_listed(parts)}.")
    return words


def _compared(best: Standing, chosen: Standing) -> str:
    more = best.mean is not None and chosen.mean is not None and best.mean.estimate > chosen.mean.estimate
    return "more stable" if more else "as stable"


def _listed(names: Sequence[str]) -> str:
    shown = list(names) if len(names) <= MOST_NAMES + 1 else list(names[:MOST_NAMES])
    if len(shown) < len(names):
        shown.append(f"{len(names) - len(shown)} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
