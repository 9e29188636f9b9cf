"""What the figure of note N0 about Bayes classifiers shows."""

from __future__ import annotations

from tests.gallery.drawn import texts

from gallery import n0_bayes as shown
from hornbook import TAN, datasets


def test_columns_depend_on_the_class_and_on_each_other():
    axes = shown.dependency_graphs().axes
    assert [ax.get_title() for ax in axes] == ["naive Bayes", "SPODE", "TAN"]
    columns = set(datasets.watermelon("2.0").features.schema.names)
    arrows = [[text for text in ax.texts if not text.get_text()] for ax in axes]
    for ax in axes:
        assert set(texts(ax)) == columns | {"ripe"}
    # From the class to each of the six columns, and five more between columns.
    assert [len(some) for some in arrows] == [6, 11, 11]
    # The edges of TAN are the maximum spanning tree of the notes.
    tree = {frozenset(edge) for edge in shown._edges(TAN().fit(datasets.watermelon("2.0")))}
    assert tree == {
        frozenset(edge)
        for edge in (
            ("root", "umbilicus"),
            ("texture", "umbilicus"),
            ("root", "sound"),
            ("texture", "surface"),
            ("color", "texture"),
        )
    }
