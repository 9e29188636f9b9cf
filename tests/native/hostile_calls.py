"""Calls of every compiled function with arguments that are wrong in one or two places.

Run as a program, so that a crash or a hang is the end of this process and of nothing else:
``python -m tests.native.hostile_calls SEED CALLS LOG``. The log names the call that is under way.
"""

from __future__ import annotations

import ast
import contextlib
import faulthandler
import pathlib
import re
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.base import is_regressor

import hornbook
from hornbook import _native, distances, evaluation
from hornbook.trees import ClassTarget, GradientTarget, Grower, GrowerSettings, SampleSize
from hornbook.trees.binned import _coded_blocks

CLEAN = (ValueError, TypeError, MemoryError, OverflowError)
INTEGERS = (-1, 0, 1, 2, 3, 7, -(2**31), 2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, -(2**63), 2**64 - 1)
NUMBERS = (np.nan, np.inf, -np.inf, 0.0, -0.0, -1.0, 0.5, 1e308, -1e308, 5e-324)
WORK = {
    "draws",
    "n_permutations",
    "n_replicates",
    "max_sweeps",
    "max_steps",
    "n",
}  # what takes as long as it is large
SECONDS = 120  # for one call, on a machine that is busy


def signatures():
    """Parameter names and annotations of each function, from the stub of the module."""
    tree = ast.parse(pathlib.Path(_native.__file__).with_name("_ext.pyi").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {f.name: [(a.arg, ast.unparse(a.annotation)) for a in f.args.args] for f in functions}


def recorded():
    """Arguments of calls that learners and measures make on a small table, by function."""
    calls = {}

    def recorder(name, function):
        def call(*args, **kwargs):
            result = function(*args, **kwargs)
            if len(calls.setdefault(name, [])) < 4:
                names = [parameter for parameter, _ in signatures_[name]]
                calls[name].append(dict(zip(names, args, strict=False)) | kwargs)
            return result

        return call

    signatures_ = signatures()
    kept = {name: getattr(_native, name) for name in signatures_}
    try:
        for name, function in kept.items():
            setattr(_native, name, recorder(name, function))
        use_kernels()
    finally:
        for name, function in kept.items():
            setattr(_native, name, function)
    return calls


def use_kernels():
    """Let learners and measures run on tables of a dozen rows."""
    draw = np.random.default_rng(0)
    group = np.arange(14) % 2
    numbers = pd.DataFrame({"a": draw.normal(group, 1.0), "b": draw.normal(size=14)})
    mixed = numbers.assign(c=np.array(["x", "y", "z"])[draw.integers(0, 3, 14)])
    mixed.loc[3, "a"], mixed.loc[5, "c"] = np.nan, None
    for model in MODELS:
        target = group * 1.5 + np.arange(14) % 3 if is_regressor(model) else group
        for X in (numbers, mixed):
            with contextlib.suppress(ValueError):  # not for this table
                model.fit(X, target, sample_weight=draw.uniform(0.5, 2.0, 14))
                getattr(model, "predict" if hasattr(model, "predict") else "kneighbors")(X)
    hornbook.LogisticRegression().fit(numbers, np.arange(14) % 3)
    hornbook.SVC().fit(numbers, np.arange(14) % 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # so few passes are not enough
        hornbook.LinearSVC(dual=True, max_iter=3).fit(np.eye(14), group)
        hornbook.LinearSVC(multi_class="crammer_singer", max_iter=3).fit(np.eye(14), group)
    hornbook.AODE().fit(mixed, group).working(mixed[:1])
    hornbook.SPODE(super_parent="cv").fit(mixed, group)
    several = np.column_stack([group, np.arange(14) % 3])
    hornbook.RandomForestClassifier(2, random_state=0).fit(mixed, several, np.arange(14.0))
    hornbook.DecisionTreeRegressor(criterion="absolute_error").fit(mixed, several)
    tree = hornbook.DecisionTreeClassifier().fit(mixed, group)
    tree.apply(mixed)
    for missing, pairs in (("direction", False), ("fractional", True)):
        tree.set_params(missing=missing).fit(mixed, group).contributions(mixed, interactions=pairs)
    size = SampleSize.of(None, 14)
    grower = Grower.of(
        hornbook.Frame(mixed), GrowerSettings("Tree", "gini"), size, bin_weights=None, seed=0, n_threads=1
    )
    grower.tree_and_leaves(ClassTarget.of(group, 2, None))
    how = GrowerSettings("Booster", "squared_error", min_gain=0.0, max_bins=8, max_leaf_nodes=5)
    grower = Grower.of(hornbook.Frame(mixed), how, size, bin_weights=None, seed=0, n_threads=1)
    grower.tree_and_leaves(GradientTarget.of(draw.normal(size=14), draw.uniform(0.1, 1.0, 14)))
    use_losses(group.astype(np.int32), draw)
    use_blocks(hornbook.Frame(mixed.assign(y=group.astype(str), z=1.5 * group), target="y", id="z"))
    use_blocks(hornbook.Frame(mixed.assign(y=group.astype(str), z=1.5 * group), target="z", id="y"))
    score = draw.normal(size=14)
    evaluation.auc(group, score)
    evaluation.auc_interval(group, score, n_replicates=20, random_state=0)
    evaluation.roc_curve(group, score).hull()
    evaluation.permutation_test(score[:7], score[7:], n_permutations=50, random_state=0)
    evaluation.permutation_test(score[:7], score[7:], statistic="pearson", n_permutations=50, random_state=0)
    _native.network_use_blas()
    wide = draw.normal(size=(14, 9))
    hornbook.KNeighborsClassifier(n_neighbors=2, algorithm="brute").fit(wide, group).predict(wide)
    _native.all_finite(wide, 1)  # which learners ask of larger tables
    distances.pairwise(hornbook.Frame(mixed))
    use_clusters(mixed, group)


def use_clusters(mixed, group):
    """Judge clusters, and look for medoids."""
    evaluation.silhouette(hornbook.Frame(mixed), group)
    wide = np.random.default_rng(1).normal(size=(14, 60))
    hornbook.KMeans(12, n_init=1, random_state=0).fit(wide)  # so many products that bounds pay
    frame = hornbook.Frame(mixed)
    space = distances.space_of(distances.Gower(), frame)
    placed, matrix = space.place(frame), distances.pairwise(frame, metric="gower")
    rows = (placed.numbers, placed.codes, *space.arguments)
    ones, medoids = np.ones(14), np.array([0, 1])
    _native.swap_pass(*rows, ones, medoids, 0, 1)
    _native.matrix_swap_pass(matrix, ones, medoids, 0, 1)
    _native.joining_losses(*rows, ones, ones, 1)
    _native.matrix_joining_losses(matrix, ones, ones, 1)


def use_losses(y, draw):
    """Write the gradient pairs of losses."""
    n, leaf, steps = len(y), y.copy(), np.array([0.5, -0.5])
    state = [draw.normal(size=n), np.empty(n), np.empty(n)]
    _native.log_loss_pairs(state[0], y, None, *state[1:], leaf, steps, 1)
    _native.squared_error_pairs(state[0], y * 1.5, np.ones(n), *state[1:], None, None, 1)
    scores, norms = draw.normal(size=(2, n)), [np.empty(n), np.empty(n)]
    _native.softmax_norms(scores, *norms, 1)
    _native.softmax_pairs(scores[0], y, 0, np.ones(n), *norms, *state[1:], 1, 1e-16)


def use_blocks(frame):
    """Grow trees from blocks, in memory and by passes."""
    numbers = frame.schema.columns[frame.schema.find("target")].kind == "numeric"
    tree = hornbook.DecisionTreeRegressor if numbers else hornbook.DecisionTreeClassifier
    blocks = hornbook.Blocks([frame[:5], frame[5:]])
    tree(max_bins=4, random_state=0).fit(blocks)
    booster = hornbook.HistGradientBoostingRegressor if numbers else hornbook.HistGradientBoostingClassifier
    kept = _coded_blocks.MEMORY_BYTES
    _coded_blocks.MEMORY_BYTES = 1
    try:
        tree(max_bins=4, random_state=0).fit(blocks)
        booster(max_iter=2, min_samples_leaf=1).fit(blocks)
    finally:
        _coded_blocks.MEMORY_BYTES = kept
    shard = _native.PairShard(np.zeros((5, 1), np.uint8), np.ones(1, np.int32), 0, 1)
    shard.begin(0, np.ones(5), np.ones(5), (1e-9, 1e-9, 3, False, False, 0))
    _native.shard_histograms([shard], 0, np.zeros(1, np.int32))


def chain(X):
    """Each row is the neighbor of the next."""
    return np.eye(len(X), k=1)


MODELS = (
    hornbook.AdaBoostClassifier(n_estimators=2),
    hornbook.AdaBoostClassifier(n_estimators=2, variant="logit"),
    hornbook.AODE(),
    hornbook.BayesClassifier(),
    hornbook.GeneralizedLinearRegressor(),
    hornbook.GradientBoostingRegressor(n_estimators=2),
    hornbook.HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=1),
    hornbook.HistGradientBoostingRegressor(max_iter=2, min_samples_leaf=1),
    hornbook.AgglomerativeClustering(2),
    hornbook.AgglomerativeClustering(2, linkage="average"),
    hornbook.AgglomerativeClustering(2, linkage="single"),
    hornbook.AgglomerativeClustering(2, connectivity=chain),
    hornbook.AgglomerativeClustering(2, linkage="average", connectivity=chain),
    hornbook.DBSCAN(eps=1.0, min_samples=2),
    hornbook.DecisionTreeClassifier(missing="fractional", random_state=0),
    hornbook.DecisionTreeRegressor(random_state=0),
    hornbook.GustafsonKessel(n_clusters=2, random_state=0, max_iter=1),
    hornbook.FuzzyCMeans(n_clusters=2, random_state=0, kind="possibilistic", eta=1.0),
    hornbook.GaussianMixture(2, random_state=0),
    hornbook.GaussianMixture(2, covariance_type="diag", random_state=0),
    hornbook.KMeans(n_clusters=2, random_state=0),
    hornbook.KMedoids(n_clusters=2, random_state=0),
    hornbook.KNeighborsClassifier(n_neighbors=2),
    hornbook.KNeighborsRegressor(n_neighbors=2, metric="manhattan"),
    hornbook.LinearDiscriminant(),
    hornbook.LinearSVC(dual=True, loss="hinge", max_iter=20),
    hornbook.LinearSVR(max_iter=20),
    hornbook.LogisticRegression(l1_ratio=1.0),
    hornbook.LVQClassifier(random_state=0, max_iter=2),
    hornbook.LVQClassifier(2, variant="lvq3", random_state=0, max_iter=2),
    hornbook.MLPClassifier((3,), max_iter=2, random_state=0),
    hornbook.MLPClassifier((2,), loss="squared_error", solver="kalman", max_iter=2, random_state=0),
    hornbook.MLPRegressor((2,), solver="levenberg_marquardt", max_iter=2, random_state=0),
    hornbook.NaiveBayes(),
    hornbook.NaiveBayes(density="kernel"),
    hornbook.ObliqueTreeClassifier(),
    hornbook.Perceptron(),
    hornbook.RadiusNeighborsClassifier(radius=3.0),
    hornbook.RadiusNeighborsClassifier(radius=3.0, algorithm="kd_tree"),
    hornbook.RadiusNeighborsRegressor(radius=3.0),
    hornbook.NearestNeighbors(n_neighbors=2),
    hornbook.RBFNetworkRegressor(2, output="rls", random_state=0),
    hornbook.RandomForestClassifier(3, oob_score=True, random_state=0),
    hornbook.RandomForestClassifier(3, ccp_alpha=0.01, random_state=0),
    hornbook.SVC(probability=True, max_iter=1000),
    hornbook.SVR(max_iter=1000),
    hornbook.SVC(solver="dual_ascent", augment=True, max_iter=20),
)


def mutated(value, annotation, draw):
    """A value that is wrong for its parameter, or at least odd."""
    odd = None
    if isinstance(value, np.ndarray):
        odd = mutated_array(value, draw)
    elif isinstance(value, list):
        odd = [mutated(item, annotation, draw) if draw.random() < 0.5 else item for item in value]
        odd = (odd + odd)[: draw.integers(0, 2 * len(odd) + 1)]
    elif isinstance(value, bool):
        odd = not value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        choices = INTEGERS if annotation == "int" else NUMBERS
        odd = choices[draw.integers(len(choices))]
    elif isinstance(value, _native.TreeOptions):
        odd = mutated_options(value, draw)
    elif value is None and (dtype := re.search(r"NDArray\[numpy\.(\w+?)_?\]", annotation)):
        shape = draw.integers(0, 15, 2 if "None, None" in annotation else 1)
        odd = np.ones(shape, dtype=dtype[1])
    return odd


def mutated_array(value, draw):
    """An array of another shape, type or content, or None."""
    ways = (
        lambda: None,
        lambda: value[:0],
        lambda: np.array(value[: draw.integers(0, len(value) + 1)]),
        lambda: np.concatenate([value, value]),
        lambda: np.ascontiguousarray(value[..., None] if draw.random() < 0.5 else value.ravel()),
        lambda: value.astype(np.float32 if draw.random() < 0.5 else np.int64),
        lambda: with_entries(value, 1, draw),
        lambda: with_entries(value, 3, draw),
    )
    return ways[draw.integers(len(ways))]()


def with_entries(value, count, draw):
    """The array with some entries that are odd."""
    changed = value.copy()
    if changed.size:
        changed.ravel()[draw.integers(0, changed.size, count)] = odd_entry(changed.dtype, draw)
    return changed


def odd_entry(dtype, draw):
    if dtype.kind == "f":
        return NUMBERS[draw.integers(len(NUMBERS))]
    if dtype.kind == "b":
        return bool(draw.integers(2))
    limits = np.iinfo(dtype)
    return (limits.min, limits.max, 0, limits.max // 2, *([-1, -2] if limits.min else [1]), 3)[
        draw.integers(6)
    ]


def mutated_options(value, draw):
    """Options of the grower with one of them changed."""
    options = _native.TreeOptions(value)
    names = [name for name in dir(options) if not name.startswith("_")]
    name = names[draw.integers(len(names))]
    kinds = {bool: (True, False), int: INTEGERS, float: NUMBERS, str: CRITERIA, list: LISTS}
    choices = kinds[type(getattr(options, name))]
    with contextlib.suppress(*CLEAN):
        setattr(options, name, choices[draw.integers(len(choices))])
    return options


CRITERIA = ("gini", "entropy", "gain_ratio", "raw_gain_ratio", "cart", "misclassification", "squared_error",
            "absolute_error", "poisson", "best", "top_k", "proportional", "")  # fmt: skip


LISTS = ([], [1], [1, -1, 0], [2, 0, -(2**31)], [[0], [1, 2]], [[]], [[-1, 2**31 - 1]])


def main(seed, calls, log):
    """Make so many hostile calls of each function; every one must return or raise what is clean."""
    warnings.simplefilter("ignore")
    known, parameters = recorded(), signatures()
    unknown = sorted(set(parameters) - set(known))
    assert not unknown, f"no learner or measure here calls {unknown}: add one that does"
    assert set(parameters) == {n for n in dir(_native._ext) if n in _native.__all__} - {
        "CodedColumns",
        "CodedTable",
        "GrownTrees",
        "LevelGrower",
        "PairGrower",
        "PairPassGrower",
        "PairShard",
        "SmoSolver",
        "SortedRows",
        "StopFlag",
        "TreeOptions",
    }
    draw = np.random.default_rng(seed)
    for name, examples in sorted(known.items()):
        kinds = dict(parameters[name])
        for i in range(calls):
            arguments = dict(examples[draw.integers(len(examples))])
            for parameter in draw.permutation(list(arguments))[: 1 + i % 2].tolist():
                arguments[parameter] = mutated(arguments[parameter], kinds[parameter], draw)
                if parameter in WORK and 10**6 < arguments[parameter] < 2**40:
                    arguments[parameter] = 1000
            log.write_text(f"{name} {i} of seed {seed}\n{arguments!r}\n")
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            try:
                getattr(_native, name)(**arguments)
            except CLEAN as problem:
                if not str(problem):
                    sys.exit(f"{name} raises {type(problem).__name__} without a word")
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]))
