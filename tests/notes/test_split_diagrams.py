"""One-level diagrams of the play-tennis columns: what each level leaves of [9+, 5-], and its entropy."""

from __future__ import annotations

import pytest

from hornbook import DecisionTreeClassifier, datasets

# Level: days without and with play, entropy.
DIAGRAMS = {
    "outlook": {"Sunny": ("[3, 2]", "0.971"), "Overcast": ("[0, 4]", "0"), "Rain": ("[2, 3]", "0.971")},
    "temperature": {"Hot": ("[2, 2]", "1"), "Mild": ("[2, 4]", "0.918"), "Cool": ("[1, 3]", "0.811")},
    "humidity": {"High": ("[4, 3]", "0.985"), "Normal": ("[1, 6]", "0.592")},
    "wind": {"Weak": ("[2, 6]", "0.811"), "Strong": ("[3, 3]", "1")},
}


def line(box, begin):
    return next(text for text in box if text.startswith(begin))


@pytest.mark.parametrize("column", DIAGRAMS)
def test_one_level_diagram(column):
    frame = datasets.play_tennis("mitchell")
    stump = DecisionTreeClassifier(criterion="entropy", splits="multiway", max_depth=1)
    texts = [text.get_text() for text in stump.fit(frame.select([column]), frame.y).plot().texts]
    branches = [text for text in texts if "\n" not in text]
    root, *boxes = (text.split("\n") for text in texts if "\n" in text)
    assert root[:3] == [column, "impurity 0.94", "[5, 9]"]
    drawn = [(line(box, "["), line(box, "impurity ").removeprefix("impurity ")) for box in boxes]
    assert dict(zip(branches, drawn, strict=True)) == DIAGRAMS[column]
