"""The report of a study: everything in it, in one page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.page_reader import read_page
from tests.studies.some_study import study_of

from hornbook import Frame, datasets
from hornbook.studies.report._report import LARGEST, report_html, write_report


def made_regression():
    x = np.random.default_rng(0).normal(size=(80, 2))
    return Frame({"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] + 0.1 * x[:, 1]}, target="y")


@pytest.fixture(scope="module")
def iris(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "model.hornbook").touch()
    return study_of(datasets.iris(), folder=folder)


@pytest.fixture(scope="module")
def html(iris):
    return report_html(iris)


@pytest.fixture(scope="module")
def page(html):
    return read_page(html)


def test_the_verdict_comes_first(iris, page):
    assert iris.verdict.sentence in page.text
    first = page.text[: page.text.index("Contents")]
    rates = iris.beside["accuracy"]
    shares = [f"{rates[name]:.1%}".replace("%", " %") for name in (iris.recommended, "Baseline")]
    words = first.replace("\u00a0", " ")
    assert (
        f"{iris.recommended} is recommended: it gets {shares[0]} of held-out rows right, where Baseline gets "
        f"{shares[1]}."
    ) in words
    expected = iris.verdict.corrected
    assert f"{expected.estimate:.3g} {expected.low:.3g} to {expected.high:.3g} (95 %), corrected" in words
    before = first[: first.index("Dots are means over the folds")]
    assert before.count("KNeighborsClassifier") == 1  # the picture has it, and no list of learners
    assert page.text.index("Contents") < page.text.index("What was decided") + 30
    assert f"Recommended {iris.recommended}" in page.text


def test_long_names_of_learners_break_between_their_words(iris):
    shown = report_html(iris)
    assert '<th scope="row">KNeighbors<wbr>Classifier</th>' in shown
    renamed = replace(iris, settings=replace(iris.settings, target="a<b>Cd"))
    assert "a<b>" not in report_html(renamed)


def test_every_part_is_there(iris, page):
    parts = [
        *iris.notes,
        "duplicate_rows 3 rows repeat. Use --drop-duplicates.",
        "It would take longer than the budget.",
        "hornbook study iris.csv --seed 0",
        'hornbook.load("model.hornbook")',
        "seed 0",
        iris.model.describe().title,
        "Bayesian correlated t-test",
        "critical difference",
        "training set size",
        "petal_width",
        iris.versions["numpy"],
    ]
    assert [part for part in parts if part not in page.text] == []


def test_the_score_beside_the_recommendation_is_its_own(iris):
    corrected = iris.verdict.corrected
    assert iris.recommended == iris.verdict.best
    assert f"log_loss on new rows {corrected.estimate:.3g} " in read_page(report_html(iris)).text
    other = next(s for s in iris.verdict.standings if s.status == "tied best")
    study = replace(iris, verdict=replace(iris.verdict, recommended=other.name))
    text = read_page(report_html(study)).text
    assert f"log_loss on held-out rows {other.mean.estimate:.3g} " in text
    assert f"{iris.verdict.best} had {iris.verdict.standings[0].mean.estimate:.3g}" in text


def test_a_baseline_among_the_best_is_said(iris):
    assert "learns nothing from the columns" not in read_page(report_html(iris)).text
    tied = [replace(s, status="tied best") if s.name == "Baseline" else s for s in iris.verdict.standings]
    study = replace(iris, verdict=replace(iris.verdict, standings=tied))
    text = read_page(report_html(study)).text
    assert "Nothing here beats Baseline, which learns nothing from the columns." in text
    assert "nothing here beats it" in text


def test_what_the_folds_could_have_found_is_said(iris, page):
    least, most = sorted(s.detectable for s in iris.verdict.standings[1:])
    assert f"if it is at least {least:.2g} to {most:.2g}" in page.text


def test_notes_do_not_repeat_the_checks(iris):
    study = replace(iris, notes=(*iris.notes, f"warning: {iris.checks[0]}"))
    page = read_page(report_html(study))
    assert page.text.count("3 rows repeat.") == 1
    assert iris.notes[0] in page.text


@pytest.mark.parametrize("in_shell", [True, False])
def test_settings_are_named_as_the_reader_would_type_them(iris, in_shell):
    """Beside a command stand its options, beside a study made in Python its arguments."""
    failed = replace(iris.learners[0], failed=1, error="it took too long: raise it with time_limit=, or wait")
    study = replace(
        iris,
        command=iris.command if in_shell else "",
        notes=("target: the last column; target= names another",),
        checks=(replace(iris.checks[0], remedy="Take scale=False, or leave it out with ignore=['row id']."),),
        skipped=(("AODE", "It is slow: raise budget=."),),
        learners=(failed, *iris.learners[1:]),
    )
    page = read_page(report_html(study))
    python = [
        "target= names",
        "raise it with time_limit=,",
        "scale=False, or",
        "ignore=['row id'].",
        "budget=.",
    ]
    shell = [
        "--target names",
        "raise it with --time-limit,",
        "--no-scale, or",
        "--ignore 'row id'.",
        "--budget.",
    ]
    shown, hidden = (shell, python) if in_shell else (python, shell)
    assert [words for words in shown if words not in page.text] == []
    assert [words for words in hidden if words in page.text] == []


def test_a_model_that_could_not_be_saved_is_not_promised(iris, tmp_path):
    page = read_page(report_html(replace(iris, folder=tmp_path)))
    assert "model.hornbook" not in page.references
    assert "This model was not saved as a file" in page.text


def test_the_ranking_shows_the_numbers_of_the_verdict(iris, html):
    body = re.search(r'<section id="ranking">.*?</tbody>', html, re.DOTALL)[0]
    rows = re.findall(r"<tr.*?</tr>", body.split("<tbody>")[1], re.DOTALL)
    for standing, row in zip(iris.verdict.standings, rows, strict=True):
        assert f">{standing.name}</th>" in row
        assert f">{standing.status}</span>" in row
        assert f'data-v="{standing.mean.estimate}"' in row
        assert f'data-v="{standing.mean.low}"' in row


def test_the_page_is_sound(page):
    assert page.mistakes == []
    assert len(page.ids) == len(set(page.ids))
    steps = np.diff(page.headings)
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert steps.max() <= 1


def test_contents_lead_to_sections_that_exist(page):
    inside = [target[1:] for target in page.references if target.startswith("#")]
    assert len(inside) > 10
    assert set(inside) <= set(page.ids)


def test_nothing_comes_from_outside(html, page):
    outside = [target for target in page.references if not target.startswith(("#", "data:"))]
    assert set(outside) == {"model.hornbook"}
    assert re.findall(r"url\((?!#)", html) == []
    assert "@import" not in html
    addresses = set(re.findall(r"https?://[^\"'\s<>]+", html))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_only_the_script_of_the_page_may_run(html, page):
    (policy,) = page.all("meta", **{"http-equiv": "Content-Security-Policy"})
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy["content"]
    assert "default-src 'none'" in policy["content"]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_pictures_have_a_title_and_numbers_behind_them(page):
    drawings = [a for a in page.all("svg") if a.get("class") != "bars"]
    assert len(drawings) == 8  # and the picture of the first screen, which is a table
    assert all(a["role"] == "img" and a["aria-label"] for a in drawings)
    assert all(a["aria-hidden"] == "true" for a in page.all("svg", **{"class": "bars"}))
    assert page.text.count("Data of this figure") == 9


def test_pictures_follow_light_and_dark(html):
    drawings = re.findall(r"<svg xmlns.*?</svg>", html, re.DOTALL)
    assert drawings
    for drawing in drawings:
        assert "var(--" in drawing
        assert not re.search(r"(fill|stroke): (#000000|#ffffff|#0072b2)", drawing)
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_a_sortable_table_says_how_it_is_sorted(html):
    table = re.search(r'<table class="sortable">.*?</thead>', html, re.DOTALL)[0]
    assert table.count("<button") == table.count("<th ")
    assert table.count('aria-sort="ascending"') == 1


def test_the_same_study_gives_the_same_page(iris, html):
    from hornbook.studies.report import _figures

    _figures._kept.clear()
    assert report_html(iris) == html


def test_writing_leaves_one_whole_file(iris, html, tmp_path):
    write_report(iris, tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html
    assert len(html.encode()) < LARGEST / 4


def test_a_failed_write_leaves_nothing(iris, tmp_path):
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OSError, match="report"):
        write_report(iris, tmp_path / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_regression_shows_residuals():
    study = study_of(made_regression())
    page = read_page(report_html(study))
    titles = [a["aria-label"] for a in page.all("svg") if a.get("role")]
    assert any(title.startswith("Residuals of") for title in titles)
    assert any(title.startswith("True numbers against") for title in titles)
    assert "The largest errors" in page.text
    assert "ROC" not in page.text
    assert "this study kept no files" in page.text
    assert page.mistakes == []


def test_two_classes_show_learners_side_by_side():
    flowers = datasets.iris()
    two = flowers[np.flatnonzero(flowers.y != "setosa")]
    study = study_of(two)
    page = read_page(report_html(study))
    assert "The positive class is virginica." in page.text
    assert "Baseline (area 0.500)" in page.text
