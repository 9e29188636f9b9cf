"""The words of the sources: American spelling, and the terms that CONTRIBUTING.md asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "native", "docs", "examples", "benchmarks", "scripts", "stubs", "tests")
ENDINGS = {".py", ".pyi", ".md", ".cpp", ".hpp", ".jinja", ".sh", ".toml", ".css", ".js"}
TEXTS = sorted(
    [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    + [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "pyproject.toml")]
)
KERNELS = [path for path in TEXTS if path.suffix in {".cpp", ".hpp"}]
VERBS = (
    "character|emphas|final|general|initial|maxim|minim|normal|optim|organ|parametr|penal|random|"
    "recogn|regular|serial|special|standard|summar|symmetr|symbol|util|visual"
)
BRITISH = re.compile(
    rf"\b(?:(?:{VERBS})is(?:e|ed|er|ers|es|ing|ation|ations)|(?:de|un|re)?normalis\w*|behaviour\w*|"
    r"analys(?:e|ed|er|ers|ing)|catalogue\w*|centr(?:e|es|ed|ing)|colour\w*|favour\w*|fulfil|grey\w*|judgement\w*|(?:un)?label(?:led|ling)|"
    r"learnt|(?:cancel|model|travel)ling|modelled|modeller\w*|travelled|neighbour\w*|programme|whilst)\b",
    re.IGNORECASE,
)
# Variables are named by the noun: scores, levels, split, row.
NO_NOUNS = re.compile(r"\b(?:found|told|said)\b")
NOT_CODE = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
# Left: what an engineer of the field would not write. Right: what it is called here.
REPLACED = {
    "more than nothing": "positive",
    "class shares": "class probabilities or frequencies",
    "behind are": "finished",
    "what stands in it": "what it contains",
    "come along": "bundled",
}


def lines_with(pattern, paths, strip=None):
    """The place of each match, and the matched text."""
    for path in paths:
        text = path.read_text(encoding="utf-8")
        text = text if strip is None else strip.sub("", text)
        for number, line in enumerate(text.splitlines(), 1):
            for match in pattern.finditer(line):
                yield f"{path.relative_to(ROOT)}:{number}: {match.group()}"


def test_spelling_is_american():
    others = [path for path in TEXTS if path != Path(__file__)]
    assert len(others) > 1000
    assert list(lines_with(BRITISH, others)) == []


@pytest.mark.parametrize("word", ["optimise", "Neighbours", "analysed", "colour", "unlabelled"])
def test_british_spelling_is_recognized(word):
    assert BRITISH.fullmatch(word)


@pytest.mark.parametrize("word", ["optimistic", "analysis", "cancellation", "generalist", "centroid"])
def test_american_spelling_is_left_alone(word):
    assert not BRITISH.search(word)


def test_variables_of_kernels_are_nouns():
    assert list(lines_with(NO_NOUNS, KERNELS, NOT_CODE)) == []
    assert NO_NOUNS.search(NOT_CODE.sub("", 'int found = 0;  // told "so"'))
    assert not NO_NOUNS.search(NOT_CODE.sub("", 'int n = 0;  // found\nrefuse("no row was found.");'))


@pytest.mark.parametrize("phrase", REPLACED)
def test_terms_are_those_of_the_field(phrase):
    texts = [path for path in TEXTS if path.suffix != ".js" and path != Path(__file__)]
    assert list(lines_with(re.compile(rf"\b{phrase}\b", re.IGNORECASE), texts)) == [], REPLACED[phrase]
