"""The distribution of margins."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.plots import margin_distribution


def test_a_line_is_the_share_of_rows_up_to_a_margin():
    ax = margin_distribution({"early": [0.5, -0.5], "late": [0.2, 0.4, 0.3]})
    x, share = ax.lines[1].get_data()
    assert x.tolist() == [0.2, 0.3, 0.4, 0.4]
    np.testing.assert_allclose(share, [0, 1 / 3, 2 / 3, 1])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("margin", "share of rows")
    assert margin_distribution([0.1]).get_legend() is None


def test_wrong_input_is_one_sentence():
    with pytest.raises(ValueError, match=r"'margins' of 'a' must be a list .* shape \(1, 2\)"):
        margin_distribution({"a": [[0.1, 0.2]]})
    with pytest.raises(ValueError, match="finite numbers, at least one"):
        margin_distribution([np.nan])
    with pytest.raises(ValueError, match="at least one list; got none"):
        margin_distribution({})
