"""The tables of the notes, cell by cell, and the numbers the notes print about them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from hornbook.datasets import iris, play_tennis, watermelon

LOOKS = ("color", "root", "sound", "texture", "umbilicus", "surface")
LENGTHS = ("sepal_length", "sepal_width", "petal_length", "petal_width")


def cells(frame, names):
    """The decoded columns side by side, missing as None."""
    return [[_cell(value) for value in frame[name]] for name in names]


def _cell(value):
    return None if value is None or value != value else value  # noqa: PLR0124  NaN is not equal to itself


def column(names, *values):
    return dict(zip(names, values, strict=True))


class TestWatermelon:
    def test_four_melons(self):
        frame = watermelon("1.0")
        assert frame.features.schema.names == ("color", "root", "sound")
        assert cells(frame, ["color", "root", "sound"]) == [
            ["green", "dark", "green", "dark"],
            ["curly", "curly", "straight", "slightly curly"],
            ["muffled", "muffled", "crisp", "dull"],
        ]
        assert frame.y.tolist() == [True, True, False, False]

    def test_three_point_oh_is_as_printed(self):
        frame = watermelon("3.0")
        assert frame.features.schema.names == (*LOOKS, "density", "sugar")
        assert frame.features.schema.kinds == ("nominal",) * 6 + ("numeric",) * 2
        rows = {i: tuple(frame[name][i] for name in frame.features.schema.names) for i in (0, 6, 16)}
        assert rows[0] == ("green", "curly", "muffled", "clear", "hollow", "hard", 0.697, 0.460)
        assert rows[6] == (
            "dark",
            "slightly curly",
            "muffled",
            "slightly blurry",
            "slightly hollow",
            "soft",
            0.481,
            0.149,
        )
        assert rows[16] == (
            "green",
            "curly",
            "dull",
            "slightly blurry",
            "slightly hollow",
            "hard",
            0.719,
            0.103,
        )

    @pytest.mark.parametrize("version", ["2.0", "3.0", "2.0a", "3.0a"])
    def test_eight_of_seventeen_are_ripe(self, version):
        frame = watermelon(version)
        assert frame.y.tolist() == [True] * 8 + [False] * 9
        assert frame["ID"].tolist() == list(range(1, 18))

    def test_the_counts_of_the_naive_bayes_example(self):
        frame = watermelon("3.0")
        ripe = frame.y.astype(bool)
        counts = {
            name: [int((frame[name][chosen] == value).sum()) for chosen in (ripe, ~ripe)]
            for name, value in column(LOOKS, "green", "curly", "muffled", "clear", "hollow", "hard").items()
        }
        assert counts == column(LOOKS, [3, 3], [5, 3], [6, 4], [7, 2], [5, 2], [6, 6])
        assert not (frame["sound"][ripe] == "crisp").any()

    def test_the_moments_of_the_naive_bayes_example(self):
        frame = watermelon("3.0")
        ripe = frame.y.astype(bool)
        moments = [
            (frame[name][chosen].mean(), frame[name][chosen].std(ddof=1))
            for name in ("density", "sugar")
            for chosen in (ripe, ~ripe)
        ]
        printed = [(0.5738, 0.1292), (0.4961, 0.1947), (0.2788, 0.1009), (0.1542, 0.1078)]
        np.testing.assert_allclose(moments, printed, atol=5e-5)

    def test_two_point_oh_is_three_point_oh_without_the_numbers(self):
        two, three = watermelon("2.0"), watermelon("3.0")
        assert two.features.schema.names == LOOKS
        assert cells(two, LOOKS) == cells(three, LOOKS)

    def test_two_point_oh_a_lacks_thirteen_cells_and_agrees_elsewhere(self):
        holes, whole = cells(watermelon("2.0a"), LOOKS), cells(watermelon("2.0"), LOOKS)
        missing = {
            (LOOKS[j], i + 1)
            for j, values in enumerate(holes)
            for i, value in enumerate(values)
            if value is None
        }
        assert missing == {
            ("color", 1),
            ("color", 5),
            ("color", 13),
            ("root", 9),
            ("root", 17),
            ("sound", 3),
            ("sound", 12),
            ("texture", 8),
            ("texture", 10),
            ("umbilicus", 6),
            ("umbilicus", 15),
            ("surface", 2),
            ("surface", 11),
        }
        assert all(
            here in (None, complete)
            for one, other in zip(holes, whole, strict=True)
            for here, complete in zip(one, other, strict=True)
        )
        assert (watermelon("2.0a").codes == -1).sum() == 13

    def test_three_point_oh_a_is_the_numbers_only(self):
        frame = watermelon("3.0a")
        assert frame.features.schema.names == ("density", "sugar")
        np.testing.assert_array_equal(frame.features.matrix, watermelon("3.0").features.numbers)

    def test_four_point_oh_starts_with_three_point_oh_a_and_has_no_target(self):
        frame = watermelon("4.0")
        assert frame.y is None
        assert len(frame) == 30
        np.testing.assert_array_equal(frame[:17].features.matrix, watermelon("3.0a").features.matrix)
        np.testing.assert_array_equal(
            frame.features.matrix[[5, 11, 23, 29]],
            [[0.403, 0.237], [0.343, 0.099], [0.478, 0.437], [0.446, 0.459]],
        )

    def test_the_first_step_of_the_k_means_example(self):
        points = watermelon("4.0").features.matrix
        distances = np.linalg.norm(points[0] - points[[5, 11, 23]], axis=1)
        np.testing.assert_allclose(distances, [0.369, 0.506, 0.220], atol=5e-4)


class TestPlayTennis:
    def test_the_table_of_the_notes(self):
        frame = play_tennis()
        names = ("outlook", "temperature", "humidity", "wind")
        assert frame.features.schema.names == names
        assert frame.schema.columns[frame.schema.find("target")].name == "play"
        assert frame["Day"].tolist() == [f"D{i}" for i in range(1, 15)]
        assert "".join(value[0] for value in frame["outlook"]) == "SSORRROSSRSOOR"
        assert "".join(value[0] for value in frame["temperature"]) == "HHHMCCCMCMMMHM"
        assert "".join(value[0] for value in frame["humidity"]) == "HHHHNNNHNNNHNH"
        assert "".join(value[0] for value in frame["wind"]) == "WSWWWSWWWSSSWS"
        assert "".join(value[0] for value in frame.y) == "NNYYYNYNYYYYYN"

    def test_mitchell_has_the_wind_of_two_days_the_other_way_round(self):
        notes, original = play_tennis("notes"), play_tennis("mitchell")
        assert notes["wind"][[6, 9]].tolist() == ["Weak", "Strong"]
        assert original["wind"][[6, 9]].tolist() == ["Strong", "Weak"]
        for name in notes.schema.names:
            same = notes[name] == original[name]
            assert np.flatnonzero(~same).tolist() == ([6, 9] if name == "wind" else [])

    @pytest.mark.parametrize("version", ["notes", "mitchell"])
    def test_yes_and_no_at_each_value_of_the_root(self, version):
        frame = play_tennis(version)
        yes = frame.y == "Yes"
        counts = {
            value: (int((chosen & yes).sum()), int((chosen & ~yes).sum()))
            for name in frame.features.schema.names
            for value in sorted(set(frame[name]))
            for chosen in [frame[name] == value]
        }
        assert counts == {
            "Sunny": (2, 3),
            "Overcast": (4, 0),
            "Rain": (3, 2),
            "High": (3, 4),
            "Normal": (6, 1),
            "Weak": (6, 2),
            "Strong": (3, 3),
            "Hot": (2, 2),
            "Mild": (4, 2),
            "Cool": (3, 1),
        }

    def test_wind_decides_rainy_days_in_mitchells_table_only(self):
        for version, decided in (("mitchell", True), ("notes", False)):
            frame = play_tennis(version)
            rain = frame["outlook"] == "Rain"
            assert np.array_equal(frame.y[rain] == "Yes", frame["wind"][rain] == "Weak") is decided


class TestIris:
    @pytest.mark.parametrize("version", ["uci", "fisher"])
    def test_fifty_flowers_of_each_species(self, version):
        frame = iris(version)
        assert frame.features.schema.names == LENGTHS
        assert frame.y.tolist() == ["setosa"] * 50 + ["versicolor"] * 50 + ["virginica"] * 50

    def test_fishers_table_is_scikit_learns(self):
        np.testing.assert_array_equal(iris("fisher").features.matrix, load_iris().data)

    def test_the_uci_file_differs_in_two_flowers(self):
        uci, fisher = iris("uci").features.matrix, iris("fisher").features.matrix
        assert np.flatnonzero((uci != fisher).any(axis=1)).tolist() == [34, 37]
        assert uci[[34, 37]].tolist() == [[4.9, 3.1, 1.5, 0.1], [4.9, 3.1, 1.5, 0.1]]
        assert fisher[[34, 37]].tolist() == [[4.9, 3.1, 1.5, 0.2], [4.9, 3.6, 1.4, 0.1]]

    @pytest.mark.parametrize(("version", "width"), [("uci", 3.418), ("fisher", 3.428)])
    def test_mean_sepal_width_of_setosa(self, version, width):
        frame = iris(version)
        assert frame["sepal_width"][frame.y == "setosa"].mean() == pytest.approx(width, abs=1e-12)

    def test_moments_of_setosa_and_the_rest(self):
        frame = iris(view="plane", positive="setosa")
        X, setosa = frame.features.matrix, frame.y == "setosa"
        assert frame.y.tolist() == ["setosa"] * 50 + ["rest"] * 100
        printed = {
            True: ([5.006, 3.418], [[0.121764, 0.098292], [0.098292, 0.142276]]),
            False: ([6.262, 2.872], [[0.434956, 0.120936], [0.120936, 0.109616]]),
        }
        for chosen, (mean, covariance) in printed.items():
            part = X[setosa == chosen]
            np.testing.assert_allclose(part.mean(axis=0), mean, atol=1e-10)
            np.testing.assert_allclose(np.cov(part.T, bias=True), covariance, atol=5e-7)

    @pytest.mark.parametrize("version", ["uci", "fisher"])
    def test_joint_counts_of_the_named_bins(self, version):
        frame = iris(version, view="discretized", positive="setosa")
        lengths, widths = ("Very Short", "Short", "Long", "Very Long"), ("Short", "Medium", "Long")
        assert frame.features.schema.names == ("sepal_length", "sepal_width")
        assert [column.levels for column in frame.features.schema.columns] == [lengths, widths]
        length, width, setosa = frame["sepal_length"], frame["sepal_width"], frame.y == "setosa"

        def counts(chosen):
            return [[int((chosen & (length == a) & (width == b)).sum()) for b in widths] for a in lengths]

        assert counts(setosa) == [[1, 33, 5], [0, 3, 8], [0, 0, 0], [0, 0, 0]]
        assert counts(~setosa) == [[6, 0, 0], [24, 15, 0], [13, 30, 0], [3, 7, 2]]
        # printed as 13/50 in the table; 11/50 is what the counts and the later tree example say
        assert (setosa & (length == "Short")).sum() == 11

    def test_principal_components(self):
        table, scores = iris().features.matrix, iris(view="components").features
        assert scores.schema.names == ("pc1", "pc2")
        centered = table - table.mean(axis=0)
        np.testing.assert_allclose(scores.matrix.var(axis=0), [4.1967, 0.2406], atol=5e-5)
        np.testing.assert_allclose(
            np.linalg.eigvalsh(centered.T @ centered / 150)[::-1], [4.1967, 0.2406, 0.0780, 0.0235], atol=5e-5
        )
        directions = np.linalg.lstsq(centered, scores.matrix, rcond=None)[0].T
        np.testing.assert_allclose(
            directions, [[-0.3616, 0.0823, -0.8566, -0.3588], [0.6565, 0.7297, -0.1758, -0.0747]], atol=5e-5
        )
        assert np.cov(scores.matrix.T)[0, 1] == pytest.approx(0, abs=1e-12)

    def test_setosa_lies_on_the_right(self):
        frame = iris(view="components")
        assert frame["pc1"][frame.y == "setosa"].mean() == pytest.approx(2.64, abs=0.01)
