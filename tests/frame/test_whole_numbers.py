"""Whole numbers that are counted: the same answers as sorting gives, for every type."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hornbook import NaiveBayes
from hornbook.frame import codes_among, distinct_whole

TYPES = [np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.float32, np.float64]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(data=st.data(), dtype=st.sampled_from(TYPES), low=st.sampled_from(["least", "greatest", "middle"]))
def test_as_sorting(data, dtype, low):
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else np.iinfo(np.int16)
    ends = {
        "least": (info.min, min(info.max, int(info.min) + 300)),
        "greatest": (max(info.min, int(info.max) - 300), info.max),
        "middle": (0, 100),
    }[low]
    elements = st.integers(int(ends[0]), int(ends[1]))
    if np.dtype(dtype).kind == "f":
        elements = elements.map(float)
    values = data.draw(hnp.arrays(dtype, st.integers(1, 30), elements=elements))
    levels, codes = np.unique(values, return_inverse=True)
    distinct = distinct_whole(values)
    assert distinct.dtype == values.dtype
    np.testing.assert_array_equal(distinct, levels)
    np.testing.assert_array_equal(codes_among(values, levels), codes)
    shuffled = levels[::-1]
    np.testing.assert_array_equal(shuffled[codes_among(values, shuffled)], values)


def test_what_is_not_counted():
    assert distinct_whole(np.empty(0, dtype=int)) is None
    assert distinct_whole(np.array([0, 65536])) is None
    assert distinct_whole(np.array([0, 65535])).tolist() == [0, 65535]
    assert codes_among(np.array([1, 2]), np.array([1, 3])) is None
    assert codes_among(np.array([1, 4]), np.array([1, 3])) is None
    assert codes_among(np.array([1.0, 2.5]), np.array([1, 2])) is None


def test_narrow_labels_do_not_wrap_around():
    y = np.array([-128, 127, -128, 127], dtype=np.int8)
    model = NaiveBayes().fit([[0.0], [5.0], [1.0], [6.0]], y)
    assert model.classes_.tolist() == [-128, 127]
    assert model.predict([[0.5], [5.5]]).tolist() == [-128, 127]


def test_a_label_between_two_classes_is_refused():
    model = NaiveBayes().partial_fit([[0.0], [5.0]], [1, 2])
    with pytest.raises(ValueError, match=r"y contains the class 1\.5"):
        model.partial_fit([[0.0]], [1.5])
