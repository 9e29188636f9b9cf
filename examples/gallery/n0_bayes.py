"""Figures of note N0: Bayes classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gallery import figure, panels
from hornbook import SPODE, TAN, datasets, plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure("N0/6.1", "What the columns depend on: naive Bayes, SPODE and TAN, fitted to the watermelons 2.0")
def dependency_graphs() -> Figure:
    melons = datasets.watermelon("2.0")
    columns = melons.features.schema.names
    always = [("ripe", column) for column in columns]
    spode = SPODE(super_parent=columns[0]).fit(melons)
    tan = TAN().fit(melons)
    sheet, places = panels(3, size=(4.6, 4.2))
    plots.network(always, faint=["ripe"], ax=places[0]).set_title("naive Bayes")
    for place, name, model in ((places[1], "SPODE", spode), (places[2], "TAN", tan)):
        plots.network(_edges(model) + always, faint=["ripe"], ax=place).set_title(name)
    return sheet


def _edges(model: SPODE | TAN) -> list[tuple[str, str]]:
    """Arrows between columns."""
    return [(parent, child) for child, parent in model.parents_.items() if parent is not None]
