"""Text that a terminal displays without interpreting it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.display import Description, Table, printable

HOSTILE = "\x1b]0;title\x07\x9b31m\u202ename\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("age in years", "age in years"),
        (
            "größe 身長 \U0001f468\u200d\U0001f469",
            "größe 身長 \U0001f468\u200d\U0001f469",
        ),
        ("a\u00a0b\u202fc", "a\u00a0b\u202fc"),  # no-break spaces are printable
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),  # the one-character form of ESC [
        ("line\nline\ttab\r", r"line\nline\ttab\r"),
        ("\u202eabc", r"\u202eabc"),  # right-to-left override
        ("\ud800", r"\ud800"),  # cannot even be written as UTF-8
        ("\u2028\ufeff", r"\u2028\ufeff"),
    ],
)
def test_what_is_printable_stays_and_the_rest_is_escaped(text, shown):
    assert printable(text) == shown


def test_characters_to_keep_stay():
    assert printable("one\ntwo\x1b\n", keep="\n") == "one\ntwo\\x1b\n"


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.text())
def test_nothing_that_commands_a_terminal_is_left(text):
    kinds = {unicodedata.category(char) for char in printable(text)}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
    printable(text).encode()


def test_tables_and_descriptions_print_nothing_a_terminal_obeys():
    table = Table(f"P({HOSTILE})", [HOSTILE, "n"], [[HOSTILE, 1]])
    text = str(Description(HOSTILE, {HOSTILE: HOSTILE}, [table]))
    assert "\x1b" not in text
    assert "\x9b" not in text
    assert "\u202e" not in text
    head, row = str(table).splitlines()[-2:]
    assert head.index(" n") == row.index(" 1")  # columns are aligned by what is shown
    assert table.to_dict()["rows"] == [[HOSTILE, 1]]  # data are data


def test_a_table_without_rows_is_not_printed():
    empty, full = Table("Scales", ["column"], []), Table("Means", ["column"], [["size"]])
    description = Description("a model", {}, [empty, full])
    assert "Scales" not in str(description)
    assert "Scales" not in description._repr_html_()
    assert [table["title"] for table in description.to_dict()["tables"]] == ["Means"]
