"""Tables and descriptions as text and HTML."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook.display import Description, Table

TABLE = Table(
    "Fruit",
    ["name", "rows", "color", "ripe", "share", ""],
    [["fig", 5, "violet", True, np.float64(0.25), None], ["mango", np.int64(1200), None, False, None, None]],
)


def test_words_are_flush_left_and_numbers_flush_right_with_their_heads():
    assert str(TABLE).splitlines() == [
        "Fruit",
        "  name   rows  color   ripe   share",
        "  fig       5  violet  True    0.25",
        "  mango  1200          False",
    ]


def test_a_first_column_of_numbers_is_flush_right():
    assert str(Table("Rows", ["n"], [[5], [10]])).splitlines() == ["Rows", "   n", "   5", "  10"]


@pytest.mark.parametrize(
    ("cells", "numeric"),
    [
        ([1, 2.5, None], True),
        ([np.float32(1), np.int8(2)], True),
        ([1, "0.5000", ""], True),
        ([1, "one"], False),
        ([""], False),
        ([True, False], False),
        ([None], False),
        ([], False),
    ],
)
def test_a_column_is_numbers_when_every_known_cell_is(cells, numeric):
    assert Table("", ["x"], [[cell] for cell in cells]).numeric == [numeric]


def test_html_says_the_same():
    html = TABLE._repr_html_()
    assert '<th style="text-align: left">name</th><th style="text-align: right">rows</th>' in html
    assert '<td style="text-align: left">fig</td><td style="text-align: right">5</td>' in html
    assert html.count("<tr>") == 3


def test_html_is_escaped():
    assert '<td style="text-align: left">&lt;b&gt;</td>' in Table("", ["<i>"], [["<b>"]])._repr_html_()


def test_a_description_holds_facts_and_tables():
    description = Description("Model", {"rows": 3}, [TABLE])
    assert str(description) == f"Model\nrows: 3\n\n{TABLE}"
    assert description._repr_html_().endswith(f"{TABLE._repr_html_()}</section>")
    assert description.to_dict()["tables"][0]["rows"][1][1] == 1200
