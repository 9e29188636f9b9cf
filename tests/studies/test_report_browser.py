"""The report in a real browser: it runs clean, asks nobody for anything, sorts, prints and can be read."""

from __future__ import annotations

import base64
import json

import pytest
from tests.studies.browser import MISSING, browser
from tests.studies.some_study import study_of
from tests.studies.test_report_hard import hostile_study

from hornbook import datasets
from hornbook.studies.report._report import write_report

pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"there is no {' and no '.join(MISSING)} on this machine"
)

STILL = {"name": "prefers-reduced-motion", "value": "reduce"}  # nothing moves while it is clicked
ENTER = "\ue007"
TABLE = "document.querySelector('#ranking .sortable')"
LEARNERS = f"return [...{TABLE}.tBodies[0].querySelectorAll('th')].map(e => e.textContent)"
STATES = f"return [...{TABLE}.tHead.rows[0].cells].map(e => e.getAttribute('aria-sort'))"
# Text whose contrast with what is behind it is below 4.5 to 1, as the accessibility guidelines count it.
FAINT = """
const light = ([r, g, b]) => {
  const part = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const seen = (...shades) => {
  canvas.clearRect(0, 0, 1, 1);
  for (const shade of shades) { canvas.fillStyle = shade; canvas.fillRect(0, 0, 1, 1); }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const faint = [];
const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (words.nextNode()) {
  const element = words.currentNode.parentElement;
  const hidden = !element.checkVisibility() || element.closest('svg, script, style');
  if (hidden || !words.currentNode.data.trim()) continue;
  const behind = [];
  for (let e = element; e; e = e.parentElement) behind.unshift(getComputedStyle(e).backgroundColor);
  const back = light(seen(...behind));
  const front = light(seen(...behind, getComputedStyle(element).color));
  const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
  if (ratio < 4.5) faint.push([element.tagName, words.currentNode.data.trim().slice(0, 40), ratio]);
}
return faint;
"""


@pytest.fixture(scope="module")
def study():
    return study_of(datasets.iris(), folder="run")


@pytest.fixture(scope="module")
def window():
    with browser() as driver:
        yield driver


@pytest.fixture
def page(window, study, tmp_path):
    write_report(study, tmp_path / "report.html")
    window.size(1280, 1000)
    window.tell("Emulation.setEmulatedMedia", features=[STILL])
    window.log("browser")
    window.log("performance")
    window.open((tmp_path / "report.html").as_uri())
    return window


def requests(window):
    events = [json.loads(entry["message"])["message"] for entry in window.log("performance")]
    sent = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    return [url for url in sent if not url.startswith("data:")]


def test_nothing_is_complained_about_and_nobody_is_asked(page, tmp_path):
    assert page.log("browser") == []
    assert requests(page) == [(tmp_path / "report.html").as_uri()]


def test_a_click_sorts_and_a_second_one_turns(page, study):
    names = [s.name for s in study.verdict.standings]
    assert page.run(LEARNERS) == names
    by_name = page.find("#ranking thead button")[1]
    page.click(by_name)
    assert page.run(LEARNERS) == sorted(names)
    assert page.run(STATES)[:3] == [None, "ascending", None]
    page.click(by_name)
    assert page.run(LEARNERS) == sorted(names, reverse=True)
    assert page.run(STATES)[:3] == [None, "descending", None]


def test_the_keyboard_sorts_by_numbers(page, study):
    by_score = page.find("#ranking thead button")[3]
    page.press(by_score, ENTER)
    page.press(by_score, ENTER)
    ranked = sorted(study.verdict.standings, key=lambda s: -s.mean.estimate)
    assert page.run(LEARNERS) == [s.name for s in ranked]


def test_what_is_missing_stays_last(page, study):
    by_p = page.find("#ranking thead button")[6]
    for _ in range(2):
        page.click(by_p)
        assert page.run(LEARNERS)[-1] == study.verdict.best


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(page, scheme):
    page.tell(
        "Emulation.setEmulatedMedia", features=[STILL, {"name": "prefers-color-scheme", "value": scheme}]
    )
    page.run("document.querySelectorAll('details').forEach(e => e.open = true)")
    paper = page.run("return getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 254, 251)", "dark": "rgb(21, 23, 26)"}[scheme]
    assert page.run(FAINT) == []


def test_the_ranking_can_be_filtered(page, study):
    (field,) = page.find("#ranking .filter input")
    rows = f"[...{TABLE}.tBodies[0].rows].filter(e => e.checkVisibility())"
    shown = f"return {rows}.map(e => e.cells[1].textContent)"
    names = [s.name for s in study.verdict.standings]
    assert page.run(shown) == names
    page.press(field, "bayes")
    assert page.run(shown) == ["NaiveBayes"]
    assert page.run("return document.querySelector('.filter output').textContent") == f"1 of {len(names)}"
    page.press(field, "\ue009a\ue000\ue003")  # all of it, deleted
    assert page.run(shown) == names


def test_the_first_screen_answers(page, study):
    page.size(1400, 1000)
    first = page.run(
        "return [...document.querySelectorAll('.lead, .summary, .intervals > table > tbody > tr')].map("
        "e => e.getBoundingClientRect().bottom)"
    )
    assert max(first) <= page.run("return innerHeight")
    assert len(first) == 2 + len(study.verdict.standings)


def test_it_prints(page):
    printed = base64.b64decode(page.pdf())
    assert printed.startswith(b"%PDF-")
    assert 2 <= printed.count(b"/Type /Page\n") <= 20
    assert page.log("browser") == []


def test_hostile_names_run_nothing(window, tmp_path):
    write_report(hostile_study(), tmp_path / "report.html")
    window.log("browser")
    window.log("performance")
    window.open((tmp_path / "report.html").as_uri())
    assert window.log("browser") == []
    assert requests(window) == [(tmp_path / "report.html").as_uri()]
    assert window.run("return document.querySelectorAll('script').length") == 1
    assert window.run("return document.querySelectorAll('img').length") == 0
