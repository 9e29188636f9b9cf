"""What a fitted learner remembers of the names of its columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from hornbook import Baseline, Blocks, Encoder, Frame, NaiveBayes, read

TABLE = {"size": [1.0, 2.0, 4.0], "ripe": ["no", "no", "yes"]}


@pytest.mark.parametrize(
    "fitted",
    [
        lambda: NaiveBayes().fit(Frame(TABLE, target="ripe")),
        lambda: NaiveBayes().fit(Blocks(Frame(TABLE, target="ripe"))),
        lambda: NaiveBayes().partial_fit(Frame(TABLE, target="ripe")),
        lambda: Baseline().fit(pd.DataFrame(TABLE)[["size"]], pd.Series(TABLE["ripe"], name="ripe")),
        lambda: Baseline().fit(pl.DataFrame(TABLE)[["size"]], pl.Series("ripe", TABLE["ripe"])),
    ],
)
def test_the_name_of_the_target_is_remembered(fitted):
    assert fitted().target_name_ == "ripe"


def test_a_target_without_a_name_leaves_none(tmp_path):
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("1,0\n2,1\n3,0\n")
    for model in (
        NaiveBayes().fit([[1.0], [2.0]], [0, 1]),
        NaiveBayes().fit(pl.DataFrame({"a": [1.0, 2.0]}), pl.Series([0, 1])),
        NaiveBayes().fit(read(numbers, target=1)),
        Encoder().fit(Frame(TABLE, target="ripe")),
    ):
        assert not hasattr(model, "target_name_")


def test_a_later_fit_without_a_name_forgets_it():
    model = NaiveBayes().fit(Frame(TABLE, target="ripe"))
    assert not hasattr(model.fit(np.array([[1.0], [2.0]]), [0, 1]), "target_name_")
