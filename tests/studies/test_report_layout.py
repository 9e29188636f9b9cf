"""The report at the width of a phone and of a screen: nothing is cut, covered or too small to read."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.studies.browser import MISSING, browser
from tests.studies.page_layout import COVERED, CUT, HINTS, IN_PICTURES
from tests.studies.some_study import study_of

from hornbook import Frame, datasets
from hornbook.studies.report._report import LARGEST, write_report

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"there is no {' and no '.join(MISSING)} on this machine"
)

LEAST = 7.5  # pixels of letters in a picture


def drawn(n_rows, n_columns, n_classes):
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    return random.normal(size=(n_classes, n_columns))[y] * 3 + random.normal(size=(n_rows, n_columns)), y


def letters():
    X, y = drawn(520, 4, 26)
    table = {f"feature {j}": X[:, j] for j in range(4)}
    return Frame(table | {"letter": [chr(65 + k) for k in y]}, target="letter")


def long_names():
    X, y = drawn(120, 3, 3)
    names = [
        "the concentration of dissolved organic carbon measured at the lower station in mg/l",
        "a_very_long_snake_case_column_name_without_any_space_that_goes_on_and_on_until_it_ends",
        "Höhe",
    ]
    classes = ["heavily polluted, unfit for any use whatsoever without treatment", "x", "y" * 70]
    table = {name: X[:, j] for j, name in enumerate(names)}
    return Frame(table | {"quality of the water": [classes[k] for k in y]}, target="quality of the water")


def numbers():
    X, _ = drawn(80, 2, 1)
    return Frame({"a": X[:, 0], "b": X[:, 1], "y": 1e4 * X[:, 0] + X[:, 1]}, target="y")


TABLES = {"iris": datasets.iris, "letters": letters, "long_names": long_names, "numbers": numbers}


@pytest.fixture(scope="module")
def window():
    with browser() as driver:
        yield driver


@pytest.fixture(scope="module", params=TABLES)
def page(request, window, tmp_path_factory):
    path = tmp_path_factory.mktemp(request.param) / "report.html"
    write_report(study_of(TABLES[request.param](), cv=3, repeats=1), path)
    assert path.stat().st_size <= LARGEST
    window.open(path.as_uri())
    return window


@pytest.fixture(params=[390, 1400])
def width(request, page):
    page.tell(
        "Emulation.setDeviceMetricsOverride",
        width=request.param,
        height=900,
        deviceScaleFactor=1,
        mobile=False,
    )
    page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    # The page looks at its parts when their size has changed, which takes a busy machine a moment.
    for _ in range(100):
        if not page.run(HINTS):
            break
        time.sleep(0.1)
    return request.param


def test_nothing_is_cut_or_covered(page, width):
    wide = page.run("return document.documentElement.scrollWidth")
    assert wide <= width
    assert page.run(CUT) == []
    assert page.run(COVERED) == []
    assert page.run(HINTS) == []


def test_pictures_can_be_read(page, width):
    assert page.run(IN_PICTURES, LEAST) == []
    behind = "return [...document.querySelectorAll('figure')].filter(e => !e.querySelector('details table'))"
    assert page.run(f"{behind}.length") == 0


def test_what_is_wrong_would_be_seen(page):
    page.run(
        "document.body.insertAdjacentHTML('beforeend', `<div id='wrong'>"
        "<p style='position:absolute;left:0;top:0'>covers</p>"
        "<p style='position:absolute;left:0;top:0'>covered</p>"
        "<p style='position:absolute;left:99vw;top:9px;white-space:nowrap'>runs out of the page</p></div>`)"
    )
    cut, covered = page.run(CUT), page.run(COVERED)
    page.run("document.querySelector('#wrong').remove()")
    assert "runs out of the page" in [text for text, *_ in cut]
    assert ["covers", "covered"] in [texts[:2] for texts in covered]


def test_colors_of_many_classes_differ(page):
    for scheme in ("light", "dark"):
        page.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        shades = page.run(
            "const look = getComputedStyle(document.documentElement);"
            "const names = Array.from({length: 26}, (_, i) => `--c${i}`).filter(n => n !== '--c6');"
            "return ['--paper', '--ink', ...names].map(n => look.getPropertyValue(n).trim())"
        )
        rgb = np.array([[int(s[i : i + 2], 16) for i in (1, 3, 5)] for s in shades], dtype=float)
        apart = np.linalg.norm(rgb[:, None] - rgb[None], axis=2) + 1e3 * np.eye(len(rgb))
        assert len(rgb) == 27  # paper, ink and 25 colors; one of the 26 is that of the ink
        assert apart.min() > 35, (scheme, apart.min())
    page.tell("Emulation.setEmulatedMedia", features=[])
