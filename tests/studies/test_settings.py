"""Settings: checked when made, and the same after a round trip through a file."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.params import ParameterError
from hornbook.studies import Settings, StudyError

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NAMES = st.lists(TEXT.map(lambda text: "a" + text), max_size=3).map(tuple)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.builds(
        Settings,
        data=TEXT,
        target=st.none() | TEXT,
        learners=NAMES,
        cv=st.integers(2, 50),
        alpha=st.floats(1e-6, 0.999),
        budget=st.none() | st.floats(1e-3, 1e9),
        ignore=NAMES,
        scale=st.booleans(),
    )
)
def test_a_file_gives_back_what_was_written(tmp_path_factory, asked):
    path = tmp_path_factory.mktemp("config") / "config.toml"
    path.write_bytes(asked.to_toml().encode())
    assert Settings.from_toml(path) == asked


def test_every_setting_is_in_the_file():
    lines = Settings().to_toml().splitlines()
    assert [line.removeprefix("# ").split(" =")[0] for line in lines] == list(Settings().to_dict())
    assert tomllib.loads("\n".join(lines))["repeats"] == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("folds = 3", "there is no setting 'folds'"),
        ("targt = 'y'", "Did you mean 'target'?"),
        ("cv = 1", r"study: parameter 'cv' must be an integer in \[2, inf\); got 1."),
        ("cv = 'ten'", "must be an integer"),
        ("task = 'classify'", "Did you mean 'classification'?"),
        ("alpha = 1.0", r"parameter 'alpha' must be a number in \(0, 1\)"),
        ("learners = 'NaiveBayes'", "parameter 'learners' must be a list of names; got 'NaiveBayes'"),
        ("ignore = ['a']\nkeep = ['a']", "column 'a' is in both 'ignore' and 'keep'"),
        ("scale = 1", "parameter 'scale' must be True or False"),
    ],
)
def test_wrong_settings_are_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ParameterError, match=sentence) as caught:
        Settings.from_toml(path)
    assert str(caught.value).startswith(f"{path}: study: ")


def test_a_file_that_is_not_there_or_not_toml(tmp_path):
    with pytest.raises(StudyError, match="cannot be read: No such file or directory."):
        Settings.from_toml(tmp_path / "absent.toml")
    (tmp_path / "config.toml").write_text("cv = = 3")
    with pytest.raises(StudyError, match="is not a TOML file: Invalid value"):
        Settings.from_toml(tmp_path / "config.toml")
