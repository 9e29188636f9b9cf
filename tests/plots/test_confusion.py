"""A confusion table in colors."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.evaluation import ConfusionTable, confusion_table
from hornbook.plots import confusion

TABLE = ConfusionTable([[8, 2], [1, 3]], ["ripe", "raw"], positive="ripe")


def cells(ax):
    return np.asarray(ax.images[0].get_array())


def test_counts_shares_and_heads():
    ax = confusion(TABLE)
    assert [text.get_text() for text in ax.texts] == ["8", "2", "1", "3"]
    np.testing.assert_allclose(cells(ax), [[0.8, 0.2], [0.25, 0.75]])
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "prediction")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["ripe", "raw"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["ripe", "raw"]


def test_the_orientation_of_the_table_is_kept():
    ax = confusion(TABLE.turned(), of="prediction")
    assert [text.get_text() for text in ax.texts] == ["8", "1", "2", "3"]
    np.testing.assert_allclose(cells(ax), [[8 / 9, 1 / 9], [0.4, 0.6]])
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("prediction", "truth")


def test_a_count_stands_in_its_cell_and_can_be_read():
    ax = confusion(TABLE)
    places = [text.get_position() for text in ax.texts]
    assert places == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert [text.get_color() for text in ax.texts] == ["white", "black", "black", "white"]


def test_two_classifiers():
    ax = confusion(confusion_table(["a", "b"], ["b", "b"], names=("tree", "forest")))
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("tree", "forest")


@pytest.mark.parametrize(("k", "counts", "names"), [(20, 400, 20), (21, 0, 21), (40, 0, 40), (41, 0, 0)])
def test_what_cannot_be_read_is_left_out(k, counts, names):
    ax = confusion(ConfusionTable(np.eye(k), range(k)))
    assert (len(ax.texts), len(ax.get_xticks())) == (counts, names)


def test_long_names_stand_aslant():
    names = [f"a rather long name {i}" for i in range(4)]
    ax = confusion(ConfusionTable(np.eye(4), names))
    assert {text.get_rotation() for text in ax.get_xticklabels()} == {35.0}
    assert {len(text.get_text()) for text in ax.get_xticklabels()} == {18}
    assert {text.get_rotation() for text in confusion(TABLE).get_xticklabels()} == {0.0}


def test_weights_are_written_short():
    ax = confusion(ConfusionTable([[1.23456, 0], [0, 2]], ["a", "b"]))
    assert ax.texts[0].get_text() == "1.235"


def test_wrong_input_is_one_sentence():
    with pytest.raises(TypeError, match="confusion: 'table' must be a ConfusionTable, .*; got list"):
        confusion([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="'of' must be 'truth', 'prediction' or 'all'; got 'rows'"):
        confusion(TABLE, of="rows")
