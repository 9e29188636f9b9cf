"""Passes of Lloyd's method, nearest centers and squared distances against their twins, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import kmeans as oracle

from hornbook import _native
from hornbook.clustering._column_moments import column_moments
from hornbook.clustering._lloyd import FEW_ROWS, REFRESH, Lloyd
from hornbook.frame import Block, Blocks, Frame


@st.composite
def tables(draw):
    n, d, k = draw(st.integers(1, 700)), draw(st.integers(1, 19)), draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["normal", "groups", "whole", "same", "halfway"]))
    if kind == "groups":
        X = rng.normal(size=(5, d))[rng.integers(5, size=n)] * 4 + rng.normal(size=(n, d))
    else:
        X = {
            "normal": rng.normal(size=(n, d)) + 1000,
            "whole": rng.integers(3, size=(n, d)) * 1.0,  # many ties
            "same": np.full((n, d), 0.1),
            # nearly as far from one center as from another, by all shares that rounding knows
            "halfway": np.where(np.arange(n)[:, None] % 3 == 0, rng.integers(-2, 3, (n, d)), 0.5)
            * (1 + 10.0 ** -rng.uniform(5, 17, (n, d))),
        }[kind]
    X = X * draw(st.sampled_from([1.0, 1.0, 1e-25, 1e18, 1e120]))  # short numbers hold none of the last three
    if draw(st.booleans()):
        X[rng.random((n, d)) < 0.15] = np.nan
    w = rng.integers(0, 4, n) * 0.7 if draw(st.booleans()) else None
    start = X[rng.integers(n, size=k)]
    return X, w, np.where(np.isnan(start), 0.5, start)


def lloyd_of(X, w, threads=1):
    blocks = Blocks.of(Block(X, None, w), Frame(X).schema, threads)
    return Lloyd(blocks, column_moments(blocks))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(table=tables(), threads=st.integers(1, 3))
def test_passes_that_skip_rows_are_plain_lloyd_to_the_last_bit(table, threads):
    X, w, centers = table
    lloyd = lloyd_of(X, w, threads)
    weights = np.ones(len(X)) if w is None else w
    before = np.zeros(len(X), dtype=np.int32)
    for labels, expected, inertia in oracle.lloyd(X, weights, centers, lloyd.origin, 12):
        totals = lloyd.step(centers)
        centers = totals.means(centers)
        np.testing.assert_array_equal(lloyd.labels, labels)
        np.testing.assert_array_equal(centers, expected)
        assert totals.inertia == inertia
        assert totals.changed == (before != labels).sum()
        before = labels


@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_are_added_up_as_blocks_do(threads):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7 * 4096 + 100, 3)) * 10.0 ** rng.integers(-3, 4, size=(7 * 4096 + 100, 1))
    centers = X[:5].copy()
    lloyd = lloyd_of(X, None, threads)
    for labels, expected, inertia in oracle.lloyd(X, np.ones(len(X)), centers, lloyd.origin, 4):
        totals = lloyd.step(centers, exact=True)
        centers = totals.means(centers)
        np.testing.assert_array_equal(lloyd.labels, labels)
        np.testing.assert_array_equal(centers, expected)
        assert totals.inertia == inertia


@pytest.mark.parametrize("spread", [1.0, 300.0])  # groups so far apart that a difference of sums loses digits
def test_sums_of_changes_are_sums_of_all_rows(spread):
    rng = np.random.default_rng(0)
    groups = np.arange(3 * FEW_ROWS + 5) % 6
    X = rng.normal(size=(len(groups), 3)) + spread * rng.normal(size=(6, 3))[groups]
    lloyd, centers, ages = lloyd_of(X, None), X[:6].copy(), []
    for labels, expected, inertia in oracle.lloyd(X, np.ones(len(X)), centers, lloyd.origin, 40):
        totals = lloyd.step(centers)
        centers = totals.means(centers)
        ages.append(lloyd._sums.age)
        assert (lloyd.labels == labels).mean() > 0.9999  # rounding may decide between two centers
        np.testing.assert_allclose(centers, expected, rtol=1e-9, atol=1e-9)
        assert totals.inertia == pytest.approx(inertia, rel=1e-9)
    assert max(ages) == (REFRESH if spread == 1.0 else 0)
    assert ages[-1] < 10  # added up anew on the way
    assert lloyd.step(centers, exact=True).inertia == lloyd.step(centers, exact=True).inertia
    assert lloyd.is_exact


@pytest.mark.parametrize(("k", "keeps"), [(5, False), (100, True)])
def test_changes_are_the_same_bits_for_any_blocks_and_threads(k, keeps):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5 * 4096 + 17, 4))
    blocks = Blocks([Frame(X[:100]), Frame(X[100:])]).map(lambda block: Block(block.X.matrix))
    several = [lloyd_of(X, None), lloyd_of(X, None, 3), Lloyd(blocks, column_moments(blocks))]
    centers = X[:k].copy()
    for _ in range(8):
        one, *others = [lloyd.step(centers) for lloyd in several]
        for other, lloyd in zip(others, several[1:], strict=True):
            np.testing.assert_array_equal(one.sums, other.sums)
            np.testing.assert_array_equal(lloyd.labels, several[0].labels)
            assert (one.inertia, one.changed) == (other.inertia, other.changed)
        centers = one.means(centers)
    assert several[0]._sums.age > 0
    assert (len(several[0]._here[0]) == 3) is keeps is (len(several[2]._bounds.gather()) == 3)


def test_many_wide_centers_are_added_up_in_the_same_order():
    rng = np.random.default_rng(0)
    X = rng.random((5 * 4096 + 10, 256))
    blocks = Blocks([Frame(X[:100]), Frame(X[100:])]).map(lambda block: Block(block.X.matrix))
    whole, pieces = lloyd_of(X, None), Lloyd(blocks, column_moments(blocks))
    one, other = whole.step(X[:256]), pieces.step(X[:256])
    np.testing.assert_array_equal(one.sums, other.sums)
    assert one.inertia == other.inertia


@pytest.mark.parametrize("exact", [False, True])
def test_most_rows_are_skipped_once_centers_rest(exact):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))[rng.integers(80, size=10_000)] * 9 + rng.normal(size=(10_000, 6))
    lloyd, centers = lloyd_of(X, None), X[:80].copy()
    for _ in range(30):
        centers = lloyd.step(centers).means(centers)
    # With bounds that promise too much, a pass that trusts them must go wrong: so they are used.
    (labels, lower, upper), spare = lloyd._here
    lloyd._here = (np.zeros_like(labels), np.full_like(lower, 1e30), np.zeros_like(upper)), spare
    assert lloyd.step(centers, exact=exact).changed == 0


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_bounds_that_were_lost_are_made_anew_without_changing_a_bit(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10 * 4096 + 100, 3))
    X[rng.random(X.shape) < missing] = np.nan
    blocks = Blocks([Frame(X[:100]), Frame(X[100:])]).map(lambda block: Block(block.X.matrix))
    kept, forgetful = lloyd_of(X, None), Lloyd(blocks, column_moments(blocks))
    centers = np.nan_to_num(X[:5])
    for _ in range(6):
        one, other = kept.step(centers), forgetful.step(centers)
        np.testing.assert_array_equal(one.sums, other.sums)
        assert (one.inertia, one.changed) == (other.inertia, other.changed)
        np.testing.assert_array_equal(kept.labels, forgetful.labels)
        forgetful._bounds.store.drop(4 * 4096)
        centers = one.means(centers)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(table=tables(), threads=st.integers(1, 3))
def test_nearest_centers_and_square_distances(table, threads):
    X, _, centers = table
    expected = oracle.square_distances(X, centers)
    np.testing.assert_array_equal(_native.square_distances(X, centers, threads), expected)
    labels, squares = _native.nearest_centers(X, centers, threads)
    np.testing.assert_array_equal(labels, expected.argmin(axis=1))
    np.testing.assert_array_equal(squares, expected.min(axis=1))


def test_distances_that_overflow_are_infinite():
    labels, squares = _native.nearest_centers(np.array([[1e200]]), np.array([[-1e200], [0.0]]), 1)
    assert (labels.tolist(), squares.tolist()) == ([0], [np.inf])


def good():
    return {
        "X": np.zeros((3, 2)),
        "w": None,
        "centers": np.zeros((2, 2)),
        "origin": np.zeros(2),
        "moves": np.zeros((3, 2)),
        "tiles": None,
        "labels": np.zeros(3, dtype=np.int32),
        "lower": np.zeros(3, dtype=np.float32),
        "upper": np.full(3, np.inf, dtype=np.float32),
        "new_labels": np.zeros(3, dtype=np.int32),
        "new_lower": np.zeros(3, dtype=np.float32),
        "new_upper": np.zeros(3, dtype=np.float32),
        "gaps": False,
        "changes": False,
        "threads": 1,
    }


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"w": np.ones(2)}, "w must have one entry per row of X; it has 2 for 3 rows"),
        ({"centers": np.zeros((2, 3))}, "centers must have the 2 columns of X; they have 3"),
        ({"centers": np.zeros((0, 2))}, "there must be at least one center; got 0"),
        ({"centers": np.full((2, 2), np.nan)}, "centers must be finite; entry 0 is not"),
        ({"origin": np.zeros(1)}, "origin must have one entry per column of X; it has 1 for 2"),
        ({"moves": np.zeros((2, 2))}, "moves must have three rows with an entry for each center; its shape"),
        (
            {"tiles": np.zeros(95, dtype=np.float32)},
            "tiles must have 96 entries for these rows; they have 95",
        ),
        ({"upper": None}, "lower, upper, new_lower and new_upper must be given together"),
        ({"upper": np.zeros(2, dtype=np.float32)}, "upper must have one entry per row; it has 2"),
        ({"new_upper": np.zeros(2, dtype=np.float32)}, "new_upper must have one entry per row; it has 2"),
        ({"changes": True, "w": np.ones(3)}, "rows have neither weights nor gaps"),
        ({"changes": True, "gaps": True}, "rows have neither weights nor gaps"),
        ({"labels": np.array([0, 2, 0], dtype=np.int32)}, "labels must be from 0 to 1; row 1 has 2"),
        ({"labels": np.array([0, -1, 0], dtype=np.int32)}, "labels must be from 0 to 1; row 1 has -1"),
        ({"labels": np.zeros(2, dtype=np.int32)}, "labels must have one entry per row; it has 2"),
        ({"lower": np.zeros(4, dtype=np.float32)}, "lower must have one entry per row; it has 4"),
        ({"new_labels": np.zeros(2, dtype=np.int32)}, "new_labels must have one entry per row; it has 2"),
        ({"new_lower": np.zeros(4, dtype=np.float32)}, "new_lower must have one entry per row; it has 4"),
        ({"X": np.full((3, 2), np.nan)}, "X has missing cells in row 0, and gaps is off"),
        ({"threads": 0}, "threads must be at least 1"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    _native.lloyd_pass(**good())
    with pytest.raises(ValueError, match=message):
        _native.lloyd_pass(**(good() | changes))


def test_a_pass_reads_what_the_last_has_left_and_writes_anew():
    arguments = good() | {"X": np.array([[0.0, 0.0], [4.0, 0.0], [5.0, 0.0]])}
    arguments["centers"] = np.array([[0.0, 0.0], [5.0, 0.0]])
    _native.lloyd_pass(**arguments)
    assert arguments["labels"].tolist() == arguments["lower"].tolist() == [0, 0, 0]
    assert np.isinf(arguments["upper"]).all()
    assert (arguments["new_upper"] >= [0.0, 1.0, 0.0]).all()
    assert (arguments["new_upper"] <= [0.01, 1.001, 0.01]).all()
    assert arguments["new_labels"].tolist() == [0, 1, 1]
    bounds = arguments["new_lower"] / [5.0, 4.0, 5.0]  # rounded to be safe
    assert ((bounds > 0.999) & (bounds <= 1.0)).all()


def test_center_moves_are_the_largest_of_the_others_and_half_the_nearest_distance():
    before, centers = np.array([[0.0], [4.0], [10.0]]), np.array([[1.0], [4.0], [13.0]])
    reach, near, own = _native.center_moves(centers, before, False, 1)
    np.testing.assert_allclose(own, [1.0, 0.0, 3.0], rtol=1e-12, atol=1e-100)
    assert (own >= [1, 0, 3]).all()
    np.testing.assert_allclose(reach, [3.0, 3.0, 1.0], rtol=1e-12)  # the farthest mover gets the second
    np.testing.assert_allclose(near, [1.5, 1.5, 4.5], rtol=1e-12)
    assert (reach >= [3, 3, 1]).all()  # rounded to be safe
    assert (near <= [1.5, 1.5, 4.5]).all()
    assert not _native.center_moves(centers, None, True, 1).any()
    with pytest.raises(ValueError, match="before must have the shape of centers"):
        _native.center_moves(centers, before[:2], False, 1)


def test_no_rows_give_sums_of_zero():
    changes = {
        "X": np.zeros((0, 2)),
        "labels": np.zeros(0, dtype=np.int32),
        **dict.fromkeys(["lower", "upper", "new_lower", "new_upper"], np.zeros(0, dtype=np.float32)),
        "new_labels": np.zeros(0, dtype=np.int32),
    }
    assert _native.lloyd_pass(**(good() | changes)).tolist() == [0.0] * 8


@settings(derandomize=True, max_examples=150, deadline=None)
@given(table=tables(), threads=st.integers(1, 3))
def test_the_candidate_that_brings_rows_closest_is_taken(table, threads):
    X, w, candidates = table
    w = np.ones(len(X)) if w is None else w
    origin = np.nan_to_num(np.nanmean(np.vstack([X, np.zeros_like(X[:1])]), axis=0))
    closest = oracle.square_distances(X, candidates[:1])[:, 0]
    squares = np.minimum(oracle.square_distances(X, candidates), closest[:, None])
    totals = w @ (closest[:, None] - squares)
    tiles = _native.float_tiles(X, origin, threads)
    best = _native.closest_candidate(X, w, tiles, origin, closest, candidates, threads)
    assert totals[best] >= totals.max() * (1 - 1e-9)
    np.testing.assert_array_equal(closest, squares[:, best])


@pytest.mark.parametrize("n_centers", [1, 400])  # so that most rows come closer to a candidate, or hardly any
@pytest.mark.parametrize("columns", [3, 40])
def test_many_and_few_rows_come_closer(n_centers, columns):
    rng = np.random.default_rng(columns)
    X, w = rng.normal(size=(9000, columns)), rng.random(9000)
    X[::50, 0] = np.nan
    origin, places = np.zeros(columns), rng.normal(size=(n_centers + 5, columns))
    closest = oracle.square_distances(X, places[:n_centers]).min(axis=1)
    squares = np.minimum(oracle.square_distances(X, places[n_centers:]), closest[:, None])
    tiles = _native.float_tiles(X, origin, 1)
    for threads in (1, 3):
        near = closest.copy()
        best = _native.closest_candidate(X, w, tiles, origin, near, places[n_centers:], threads)
        assert best == (w @ (closest[:, None] - squares)).argmax()
        np.testing.assert_array_equal(near, squares[:, best])


def test_candidates_that_do_not_fit_are_refused():
    X, w, origin, closest = np.zeros((40, 2)), np.ones(40), np.zeros(2), np.ones(40)
    tiles = _native.float_tiles(X, origin, 1)
    assert tiles.shape == (2 * 3 * 32,)
    with pytest.raises(ValueError, match="w must have one entry per row of X; it has 39"):
        _native.closest_candidate(X, w[1:], tiles, origin, closest, X[:2], 1)
    with pytest.raises(ValueError, match="closest must have one entry per row"):
        _native.closest_candidate(X, w, tiles, origin, closest[1:], X[:2], 1)
    with pytest.raises(ValueError, match="tiles must have 192 entries for these rows; they have 191"):
        _native.closest_candidate(X, w, tiles[1:], origin, closest, X[:2], 1)
    with pytest.raises(ValueError, match="centers must have the 2 columns"):
        _native.closest_candidate(X, w, tiles, origin, closest, X[:2, :1].copy(), 1)
    for bad in (origin[1:],):
        with pytest.raises(ValueError, match="origin must have one entry per column of X; it has 1 for 2"):
            _native.closest_candidate(X, w, tiles, bad, closest, X[:2], 1)
        with pytest.raises(ValueError, match="origin must have one entry per column of X; it has 1 for 2"):
            _native.float_tiles(X, bad, 1)


@pytest.mark.parametrize("offset", [1, 4, 15])
def test_tiles_may_lie_anywhere_in_memory(offset):
    X = np.random.default_rng(0).normal(size=(70, 3))
    origin, w = np.zeros(3), np.ones(70)
    tiles = _native.float_tiles(X, origin, 1)
    moved = np.empty(len(tiles) + 16, dtype=np.float32)[offset : offset + len(tiles)]
    moved[:] = tiles
    state = {
        "X": X,
        "centers": X[:2].copy(),
        "origin": origin,
        **{name: np.zeros(70, dtype=np.int32) for name in ("labels", "new_labels")},
        **dict.fromkeys(["lower", "upper", "new_lower", "new_upper"]),
    }
    for bounds in (False, True):
        if bounds:
            names = ("lower", "upper", "new_lower", "new_upper")
            state |= {name: np.full(70, np.inf if name == "upper" else 0, np.float32) for name in names}
        passes = [_native.lloyd_pass(**(good() | state | {"tiles": t})) for t in (tiles, moved)]
        np.testing.assert_array_equal(*passes)
    closest = [np.ones(70), np.ones(70)]
    for t, near in zip((tiles, moved), closest, strict=True):
        _native.closest_candidate(X, w, t, origin, near, X[:2], 1)
    np.testing.assert_array_equal(*closest)
