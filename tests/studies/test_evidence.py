"""Everything that a report shows is in results.json."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from tests.studies.some_study import study_of

from hornbook import Frame, datasets
from hornbook.studies.report._report import report_html

SECTIONS = {"cost"}  # times are rounded to whole milliseconds there


class Shown(HTMLParser):
    """Cells, captions and the lead of a page, each with the section it is in."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.section, self.parts = [], "", []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "section":
            self.section = attributes.get("id")
        kind = "lead" if attributes.get("class") == "lead" else tag
        if kind in {"td", "th", "figcaption", "lead", "caption"}:
            self.parts.append([kind, self.section, attributes.get("data-v"), ""])
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.parts[-1][-1] += data


def leaves(value):
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    elif value is not None:
        yield value


def shown_by(html):
    page = Shown()
    page.feed(html)
    return page.parts


def unknown(results, html):
    """Parts of a page that are nowhere in the results."""
    known = list(leaves(results))
    numbers = np.array([float(v) for v in known if isinstance(v, int | float) and not isinstance(v, bool)])
    words = " ".join(" ".join(str(v) for v in known).split())
    missing = []
    for kind, section, value, raw in shown_by(html):
        text = " ".join(raw.split())
        if kind in {"figcaption", "lead"}:
            if text not in words:
                missing.append((kind, text))
        elif kind == "td" and value is not None and section not in SECTIONS:
            number = float(value) if re.fullmatch(r"[-+.\de]+", value) else None
            at = None if number is None else np.isclose(numbers, number, rtol=1e-9, atol=0)
            if at is not None and not at.any() and text not in words:
                missing.append((section, value, text))
    return missing


def regression():
    x = np.random.default_rng(0).normal(size=(90, 2))
    return Frame({"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] + 0.1 * x[:, 1]}, target="y")


@pytest.fixture(scope="module", params=["iris", "regression"])
def study(request):
    return study_of(datasets.iris() if request.param == "iris" else regression())


def test_results_have_everything_that_the_report_shows(study):
    results = json.loads(json.dumps(study.to_dict(), allow_nan=False))
    html = report_html(study)
    assert len(shown_by(html)) > 100
    assert unknown(results, html) == []


def test_what_is_missing_would_be_seen(study):
    results = study.to_dict()
    html = report_html(study)
    del results["evidence"]
    assert {part[0] for part in unknown(results, html)} >= {"figcaption", "lead"}


def test_every_figure_has_a_table(study):
    figures = study.to_dict()["evidence"]["figures"]
    assert "verdict" in [figure["name"] for figure in figures]
    assert [figure["name"] for figure in figures if not (figure["table"] or {}).get("rows")] == []


def test_counts_are_those_of_the_predictions(study):
    counted = study.to_dict()["evidence"]["confusion"]
    if study.task == "regression":
        assert counted is None
        return
    assert np.sum(counted["counts"]) == study.n_rows
    assert counted["labels"] == list(study.classes)
    right = np.mean(study.predictions.labels(study.recommended, 0) == study.predictions.truth)
    assert np.trace(counted["counts"]) / study.n_rows == pytest.approx(right)
