"""The table of figures: each is drawn by public functions, is in the gallery, and has a test."""

from __future__ import annotations

import base64
import csv
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.call_recorder import Recorder
from tests.plots.layout import complaints
from tests.test_coverage import missing, unresolved

from gallery import draw, figures

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "tests" / "figures.csv"
COUNTS = {"N0": 46, "N1": 38, "N2": 33, "N3": 35, "N4": 23}


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def entries(field: str) -> list[tuple[str, str]]:
    """Every (figure, entry) of a field whose entries are separated by semicolons."""
    return [(row["figure"], entry) for row in rows() if row[field] for entry in row[field].split(";")]


def test_the_table_has_one_row_for_each_figure():
    table = rows()
    assert list(table[0]) == ["figure", "content", "function", "test"]
    assert Counter(row["figure"].partition("/")[0] for row in table) == COUNTS
    assert len({row["figure"] for row in table}) == len(table) == 175
    assert [row["figure"] for row in table if not row["content"]] == []


def test_every_figure_has_a_function_and_a_test_and_is_in_the_gallery():
    assert [row["figure"] for row in rows() if not row["function"] or not row["test"]] == []
    assert {entry.id for entry in figures()} == {row["figure"] for row in rows()}


def test_every_function_imports():
    assert [(name, entry, why) for name, entry in entries("function") if (why := unresolved(entry))] == []


def test_every_test_exists():
    assert [(name, entry, why) for name, entry in entries("test") if (why := missing(entry))] == []


def test_figures_come_in_the_order_of_their_numbers():
    order = {row["figure"]: place for place, row in enumerate(rows())}
    places = [order[entry.id] for entry in figures()]
    assert places == sorted(places)
    assert all(entry.caption.strip() for entry in figures())


def test_an_id_is_given_once():
    entry = figures()[0]
    with pytest.raises(ValueError, match=re.escape(f"'{entry.id}' is drawn by")):
        sys.modules["gallery"].figure(entry.id, "another")(lambda: None)


@pytest.mark.slow
def test_every_figure_is_drawn_by_the_functions_of_its_row_and_is_legible():
    named = {row["figure"]: set(row["function"].split(";")) for row in rows() if row["function"]}
    recorder = Recorder(sorted(set().union(*named.values())))
    assert recorder.unwatched == []
    absent, faults = {}, {}
    for name, functions in named.items():
        with recorder.recording() as entered:
            picture = draw(name)
        absent[name] = functions - set(entered)
        # Where texts of three dimensions are is known only to the renderer.
        if all(place.name != "3d" for place in picture.axes):
            faults[name] = complaints(picture.axes[0])
    assert {name: functions for name, functions in absent.items() if functions} == {}
    assert {name: words for name, words in faults.items() if words} == {}


@pytest.mark.slow
def test_the_gallery_is_one_file_with_every_figure(tmp_path):
    file = tmp_path / "new" / "figures.html"
    command = [sys.executable, str(ROOT / "examples" / "figures.py"), "--out", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert str(file) in done.stdout
    text = file.read_text(encoding="utf-8")
    assert re.findall(r'<figure id="([^"]+)">', text) == [entry.id for entry in figures()]
    assert re.findall(r'(?:src|href)="(?!data:)[^"]*"', text) == []
    pictures = re.findall(r'src="data:image/(svg\+xml|png);base64,([^"]+)"', text)
    ends = {"svg+xml": b"</svg>", "png": b"IEND\xaeB`\x82"}
    assert all(base64.b64decode(data).rstrip(b"\n").endswith(ends[kind]) for kind, data in pictures)
    assert len(pictures) == len(figures())
    assert len(text) < 15_000_000
