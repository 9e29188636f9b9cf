"""Looking into a file tells what is there without loading it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.contract.learners import instances, mixed_table, name_of, target_for
from tests.persist.forge import edit, taken_apart

import hornbook
from hornbook import NaiveBayes
from hornbook.frame import Column
from hornbook.persist import ModelFileError, inspect_file

TABLE = {"size": [1.0, 2.0, 4.0], "color": ["red", "blue", "red"]}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.hornbook"
    model = NaiveBayes(priors=np.array([0.5, 0.5]), costs=[[0, 1], [2, 0]], alpha=np.float64(2))
    hornbook.save(model.fit(TABLE, ["a", "b", "b"]), path)
    return path


def test_it_says_what_is_inside(path):
    info = inspect_file(path)
    _, members = taken_apart(path)
    assert info.path == str(path)
    assert info.learner == "NaiveBayes"
    assert info.parameters["priors"] == "float64 array of shape (2,)"
    assert info.parameters["costs"] == [[0, 1], [2, 0]]
    assert info.parameters["density"] == "gaussian"
    assert info.columns == (
        Column("size", "numeric"),
        Column("color", "nominal", levels=("blue", "red"), source="text"),
    )
    assert {"schema_", "classes_", "factors_"} <= set(info.attributes)
    assert (info.format_version, info.library_version) == (2, hornbook.__version__)
    assert info.numpy_version == np.__version__
    assert info.n_arrays == len(members)
    assert info.array_bytes == sum(map(len, members.values()))
    assert info.file_bytes == path.stat().st_size


def test_it_prints_and_is_plain_data(path):
    info = inspect_file(path)
    shown = str(info)
    assert shown.startswith(f"NaiveBayes in {path}\nsaved with Hornbook {hornbook.__version__}, Python ")
    assert "  'color' (nominal: 'blue', 'red')\n" in shown
    assert "  density = 'gaussian'\n" in shown
    plain = info.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["columns"][1] == {
        "name": "color",
        "kind": "nominal",
        "source": "text",
        "levels": ["blue", "red"],
    }
    assert plain["parameters"]["alpha"] == 2.0
    assert plain["learner"] == "NaiveBayes"


def test_long_lists_of_levels_are_cut(tmp_path):
    levels = [f"level {i:02}" for i in range(20)] * 2
    hornbook.save(NaiveBayes().fit({"c": levels}, np.arange(40) % 2), tmp_path / "a")
    assert "'level 04', 'level 05', ...)" in str(inspect_file(tmp_path / "a"))


def test_arrays_are_not_read_and_the_model_is_not_tried(path):
    edit(path, lambda _, members: members.update(dict.fromkeys(members, b"not an array")))
    assert inspect_file(path).learner == "NaiveBayes"
    with pytest.raises(ModelFileError):
        hornbook.load(path)


def test_a_learner_as_parameter_is_shown_in_words(path):
    inner = {"type": "learner", "class": "Encoder", "parameters": None, "state": {}}
    inner["parameters"] = {"scale": "range", "max_categories": 256, "missing": "impute"}
    edit(
        path,
        lambda header, _: header["parameters"].update(costs=inner, priors={"type": "tuple", "items": [1]}),
    )
    info = inspect_file(path)
    assert info.to_dict()["parameters"]["costs"] == "Encoder(scale='range')"
    assert info.to_dict()["parameters"]["priors"] == [1]


def in_words(value):
    """A learner, or a list of named ones, as it prints itself: two of them are never equal."""
    return repr(value) if hasattr(value, "get_params") or isinstance(value, list) else value


@pytest.mark.filterwarnings("ignore:no conjunction covers all rows:UserWarning")
@pytest.mark.parametrize("learner", instances(), ids=name_of)
def test_every_learner_can_be_looked_at(learner, tmp_path):
    X, group = mixed_table()
    hornbook.save(learner.fit(X, target_for(learner, group)), tmp_path / "a")
    info = inspect_file(tmp_path / "a")
    assert info.learner == type(learner).__name__
    assert {name: in_words(value) for name, value in info.parameters.items()} == {
        name: in_words(value) for name, value in learner.get_params(deep=False).items()
    }
    assert info.columns == learner.schema_.columns


def test_the_name_of_the_target_is_told(path, tmp_path):
    assert inspect_file(path).target is None
    named = tmp_path / "named.hornbook"
    hornbook.save(NaiveBayes().fit(hornbook.Frame(TABLE, target="color")), named)
    info = inspect_file(named)
    assert info.target == info.to_dict()["target"] == "color"
    assert "\ntarget\n  'color'\n" in str(info)
    assert hornbook.load(named).target_name_ == "color"


def test_a_target_whose_name_is_no_text_is_refused(path):
    edit(path, lambda header, _: header["state"].update(target_name_=7))
    with pytest.raises(ModelFileError, match="the name of its target is not a text"):
        inspect_file(path)
    with pytest.raises(ModelFileError, match="'target_name_' of its NaiveBayes is not valid"):
        hornbook.load(path)
