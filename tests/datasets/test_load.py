"""Tables by name, and how a wrong name is refused."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import datasets
from hornbook.datasets import iris, load, names, play_tennis, watermelon
from hornbook.frame import Frame
from hornbook.params import ParameterError

SHAPES = {
    "boolean-and": (4, 3),
    "boolean-or": (4, 3),
    "boolean-xor": (4, 3),
    "boosting-points": (10, 3),
    "butterfly": (15, 2),
    "double-moon": (1000, 3),
    "gaussians-eight": (400, 3),
    "gaussians-twenty": (200, 21),
    "glass": (214, 10),
    "iris": (150, 5),
    "iris-fisher": (150, 5),
    "iris-plane": (150, 3),
    "iris-components": (150, 3),
    "iris-discretized": (150, 3),
    "margin-ellipse": (6, 3),
    "margin-overlapping": (18, 3),
    "margin-separable": (14, 3),
    "noisy-trend": (100, 2),
    "play-tennis": (14, 6),
    "play-tennis-mitchell": (14, 6),
    "spam": (4601, 58),
    "two-samples": (40, 2),
    "watermelon-1.0": (4, 5),
    "watermelon-2.0": (17, 8),
    "watermelon-2.0a": (17, 8),
    "watermelon-3.0": (17, 10),
    "watermelon-3.0a": (17, 4),
    "watermelon-4.0": (30, 3),
}


def test_every_name_is_listed_with_one_line():
    listed = names()
    assert list(listed) == list(SHAPES)
    for line in listed.values():
        assert 20 < len(line) < 75
        assert "\n" not in line
        assert not line.endswith(".")


@pytest.mark.parametrize("name", SHAPES)
def test_load_makes_a_frame_with_roles(name):
    frame = load(name)
    assert isinstance(frame, Frame)
    assert frame.shape == SHAPES[name]
    roles = {column.name: column.role for column in frame.schema.columns if column.role != "feature"}
    family = name.split("-")[0]
    expected = {
        "boolean": {"class": "target"},
        "boosting": {"class": "target"},
        "butterfly": {},
        "double": {"moon": "target"},
        "gaussians": {"class": "target"},
        "glass": {"Type": "target"},
        "margin": {"y": "target"},
        "noisy": {"y": "target"},
        "spam": {"type": "target"},
        "two": {"sample": "target"},
        "iris": {"species": "target"},
        "play": {"Day": "id", "play": "target"},
        "watermelon": {"ID": "id", "ripe": "target"} if name != "watermelon-4.0" else {"ID": "id"},
    }
    assert roles == expected[family]


def test_the_number_of_rows_in_the_line_is_true():
    assert all(names()[name].startswith(f"{rows} ") for name, (rows, _) in SHAPES.items())


def test_load_and_the_functions_agree():
    np.testing.assert_array_equal(load("iris-fisher").features.matrix, iris("fisher").features.matrix)
    np.testing.assert_array_equal(load("play-tennis-mitchell").codes, play_tennis("mitchell").codes)
    np.testing.assert_array_equal(load("watermelon-2.0a").codes, watermelon("2.0a").codes)
    np.testing.assert_array_equal(
        load("iris-components").features.matrix, iris(view="components").features.matrix
    )


def test_each_call_makes_a_new_table():
    first = watermelon("4.0").features.matrix
    first[:] = 0
    assert watermelon("4.0").features.matrix.min() > 0


def test_an_unknown_name_lists_the_names_and_suggests_one():
    with pytest.raises(
        ValueError, match=r"^There is no table 'irs'; the names are 'boolean-and', .* Did you mean 'iris'\?$"
    ):
        load("irs")
    with pytest.raises(
        ValueError, match=r"Did you mean 'watermelon-1.0' or 'watermelon-2.0' or 'watermelon-2.0a'\?$"
    ):
        load("watermelon")
    with pytest.raises(ValueError, match=r"'watermelon-4.0'\.$"):
        load("qqqqqq")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: watermelon("2.0b"),
            r"watermelon: parameter 'version' must be one of '1.0', '2.0', .*; got '2.0b'. Did",
        ),
        (lambda: watermelon(3.0), r"watermelon: parameter 'version' must be one of .*; got 3.0\.$"),
        (lambda: play_tennis("original"), r"'version' must be one of 'notes', 'mitchell'; got 'original'\.$"),
        (lambda: iris("sklearn"), r"iris: parameter 'version' must be one of 'uci', 'fisher'; got 'sklearn'"),
        (lambda: datasets.boolean("nand"), r"'function' must be one of 'xor', 'and', 'or'; got 'nand'"),
        (lambda: datasets.margin_points("soft"), r"'version' must be one of 'separable', 'overlapping',"),
        (lambda: datasets.gaussians("four"), r"'mixture' must be one of 'eight', 'twenty'; got 'four'"),
        (
            lambda: iris(view="pca"),
            r"'view' must be one of 'table', 'plane', 'components', 'discretized'; got 'pca'",
        ),
        (
            lambda: iris(positive="Setosa"),
            r"'positive' must be one of .*; got 'Setosa'. Did you mean 'setosa'\?",
        ),
    ],
)
def test_an_unknown_version_lists_the_versions(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize("positive", ["setosa", "versicolor", "virginica"])
@pytest.mark.parametrize("view", ["table", "plane", "components", "discretized"])
def test_one_species_against_the_rest_in_every_view(view, positive):
    two, three = iris(view=view, positive=positive), iris(view=view)
    assert two.y.tolist() == [species if species == positive else "rest" for species in three.y]
    assert two.features.schema == three.features.schema


def test_every_public_function_says_where_its_table_is_from():
    for make in (datasets.glass, datasets.iris, datasets.play_tennis, datasets.spam, datasets.watermelon):
        assert "license" in make.__doc__ or "CC BY" in make.__doc__


def test_a_folder_does_not_hide_the_table_of_its_name_but_a_file_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "iris").mkdir()
    (tmp_path / "glass").touch()
    assert datasets.is_name("iris")
    assert not datasets.is_name("glass")
