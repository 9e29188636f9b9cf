"""Frames as pandas tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hornbook import Frame, datasets


def test_every_kind_of_column():
    table = pd.DataFrame(
        {
            "number": [1.5, np.nan, 3.0],
            "word": ["red", None, "blue"],
            "size": pd.Categorical(["small", "large", None], ["small", "large"], ordered=True),
            "day": pd.to_datetime(["2024-01-05", None, "2024-03-01"]),
            "flag": [True, False, True],
        }
    )
    back = Frame(table).to_pandas()
    assert back.columns.tolist() == table.columns.tolist()
    np.testing.assert_array_equal(back["number"], table["number"])
    assert back["word"].astype(object).tolist()[::2] == ["red", "blue"]
    assert back["word"].isna().tolist() == [False, True, False]
    assert back["size"].cat.ordered
    assert back["size"].cat.categories.tolist() == ["small", "large"]
    assert back["size"].isna().tolist() == [False, False, True]
    assert back["day"].tolist()[0] == pd.Timestamp("2024-01-05")
    assert pd.isna(back["day"][1])
    assert back["flag"].tolist() == [True, False, True]


@pytest.mark.parametrize("name", ["watermelon", "iris"])
def test_the_way_back_gives_the_same_frame(name):
    frame = getattr(datasets, name)()
    again = Frame(frame.features.to_pandas())
    assert again.schema.names == frame.features.schema.names
    assert again.schema.kinds == frame.features.schema.kinds
    np.testing.assert_array_equal(again.numbers, frame.features.numbers)
    for column in frame.features.schema.names:
        assert again[column].tolist() == frame[column].tolist()


def test_a_table_without_rows():
    assert Frame({"a": [1.0, 2.0]})[:0].to_pandas().shape == (0, 1)
