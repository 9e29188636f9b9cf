"""A small table and a model of it, in a folder of its own."""

from __future__ import annotations

import pytest
from tests.cli.running import MELONS

import hornbook


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder in which commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def melons(folder):
    """A file with ten melons."""
    (folder / "melons.csv").write_text(MELONS)
    return "melons.csv"


@pytest.fixture
def model(melons):
    """A model file that predicts whether a melon is ripe."""
    hornbook.save(hornbook.NaiveBayes().fit(hornbook.read(melons, target="ripe")), "ripe.hornbook")
    return "ripe.hornbook"
