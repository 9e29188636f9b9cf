"""The harness of the benchmarks: fair order, best of several, absent peers, memory."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks._measure import Setting, alone, best_of, peak_extra, peer
from benchmarks.tree_growth import Growth, draw, n_log_n

from benchmarks import _measure


@pytest.mark.slow
def test_works_are_interleaved_in_both_orders_after_one_warm_run():
    seen = []
    best_of({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, rounds=2)
    assert "".join(seen) == "ab" + "abba" + "abba"


def test_the_best_time_is_kept_and_the_result_is_the_works_own(monkeypatch):
    clock = iter([0.0, 5.0, 10.0, 12.0])  # two timed runs: 5 s, then 2 s
    monkeypatch.setattr(_measure, "perf_counter", lambda: next(clock))
    timed = best_of({"only": lambda: "answer"}, rounds=1)["only"]
    assert (timed.seconds, timed.result) == (2.0, "answer")


def test_an_error_in_a_work_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        best_of({"bad": lambda: 1 / 0}, rounds=1)


def test_a_peer_that_is_not_installed_is_none_and_one_that_is_broken_raises(tmp_path, monkeypatch):
    assert peer("surely_no_such_library.part") is None
    assert peer("json.decoder").JSONDecoder
    (tmp_path / "broken_peer.py").write_text("import surely_no_such_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="surely_no_such_library"):
        peer("broken_peer")


def test_sizes_follow_the_setting():
    assert Setting().size(10, 2) == 10
    assert Setting(quick=True).size(10, 2) == 2


def test_peak_memory_counts_what_the_work_adds_and_not_its_input():
    megabyte = 1 << 20
    extra = peak_extra(np.ones, _copies, 4 * megabyte)  # 32 MB of float64
    if extra is None:
        pytest.skip("this system does not tell the peak of a process")
    assert extra / (32 * megabyte) == pytest.approx(2.0, abs=0.1)


def _copies(data):
    """Two copies alive at once, one of them released before the end."""
    first = data.copy()
    return first.copy()


def test_a_work_alone_is_timed_without_its_data_and_its_judge():
    timing = alone(np.ones, _copies, 1000, judge=np.sum)
    assert timing.quality == 1000.0
    assert 0.0 < timing.seconds < 5.0


def test_growth_is_what_a_law_does_not_explain(tmp_path):
    sizes = [100, 200, 400]
    lawful = Growth("lawful", sizes, [n_log_n(size) for size in sizes], n_log_n)
    assert lawful.excess == pytest.approx([1.0, 1.0, 1.0])
    square = Growth("square", sizes, [size**2 for size in sizes], lambda n: n)
    assert square.excess == pytest.approx([1.0, 2.0, 4.0])
    draw([lawful], [square], tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
