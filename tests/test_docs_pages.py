"""The pages of docs/ and the README: code runs and prints what is shown, links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from itertools import zip_longest
from pathlib import Path

import pytest
from click.testing import CliRunner

from hornbook.cli import main

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *PAGES]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def is_program(block: str) -> bool:
    """Whether a block of shell has nothing but calls of the program."""
    return all(line.startswith("hornbook ") for line in block.splitlines())


def blocks(text: str) -> list[tuple[str, str | None]]:
    """Return each block that runs and the block of text that follows it at once, if there is one."""
    fences = list(FENCE.finditer(text))
    pairs = []
    for fence, after in zip_longest(fences, fences[1:]):
        if fence[1] == "python" or (fence[1] == "sh" and is_program(fence[2])):
            follows = (
                after is not None and after[1] == "text" and not text[fence.end() : after.start()].strip()
            )
            pairs.append((fence[2], after[2] if follows else None))
    return pairs


def check(text: str, name: str) -> None:
    """Run the blocks one after the other; each must print exactly what is shown."""
    names: dict[str, object] = {"__name__": "page"}
    for code, shown in blocks(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if is_program(code):
                run_program(code)
            else:
                exec(compile(code, name, "exec"), names)  # noqa: S102 - our own pages
        lines = [line.rstrip() for line in printed.getvalue().splitlines()]
        if shown is not None or not is_program(code):  # what a command prints need not be shown
            assert lines == (shown or "").splitlines(), code


def run_program(block: str) -> None:
    """Run each line as a command, and print what it prints."""
    for line in block.splitlines():
        result = CliRunner().invoke(main, shlex.split(line, comments=True)[1:])
        assert result.exit_code == 0, f"{line}\n{result.output}"
        sys.stdout.write(result.stdout)


@pytest.mark.parametrize(
    "page",
    [
        # several whole studies
        pytest.param(page, marks=pytest.mark.slow) if page.name == "studies.md" else page
        for page in [ROOT / "README.md", *PAGES]
    ],
    ids=lambda path: path.name,
)
def test_code_runs_and_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check(page.read_text(encoding="utf-8"), page.name)


@pytest.mark.parametrize("page", TEXTS, ids=lambda path: path.name)
def test_links_inside_the_repository_lead_somewhere(page):
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_map_names_every_page():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    names = {path.relative_to(ROOT / "docs").as_posix() for path in PAGES} - {"index.md"}
    assert names <= set(LINK.findall(index))
    assert len(names) >= 4


def test_every_page_but_the_map_has_code():
    assert [path.name for path in PAGES if path.name != "index.md" and not blocks(path.read_text())] == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "print"),
        ("```python\nprint(1)\n```\nwords\n\n```text\n1\n```\n", "print"),
        ("```python\nx = 1\n```\n\n```text\n1\n```\n", "x = 1"),
        ("```sh\nhornbook --version\n```\n\n```text\n1\n```\n", "hornbook --version"),
        ("```sh\nhornbook nonsense\n```\n", "no command 'nonsense'"),
    ],
)
def test_a_page_that_shows_something_else_is_noticed(text, fault):
    with pytest.raises(AssertionError, match=fault):
        check(text, "page")


def test_blocks_of_a_page_share_their_names():
    check("```python\nx = 1\n```\n\n```python\nprint(x)\n```\n\n```text\n1\n```\n", "page")


def test_the_guide_for_contributors_names_every_layer():
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    layers = guide.split("## Layers")[1].split("\n## ")[0]
    listed = re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\d+\. .*$", layers, re.MULTILINE)))
    package = ROOT / "src" / "hornbook"
    names = [path.parent.name for path in package.glob("*/__init__.py")]
    names += [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    assert sorted(set(names) - set(listed)) == []
