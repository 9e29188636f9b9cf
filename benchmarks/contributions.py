"""Contributions of columns: the same trees explained by us, by shap and by LightGBM."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks._measure import Setting, best_of, peer
from benchmarks._report import Row, Table, Target, judged
from hornbook import Frame, RandomForestClassifier, RandomForestRegressor
from hornbook.ensembles import FittedForest
from hornbook.trees import WeightedTrees

COLUMNS, TREES = 28, 100

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its pictures use names that matplotlib is about to drop
    SHAP: Any = peer("shap")
LIGHTGBM: Any = peer("lightgbm")


def table(n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of which a few matter, together and alone."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, COLUMNS))
    return X, X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + X[:, 3] + 0.3 * rng.normal(size=n_rows)


def plain_trees(forest: FittedForest, scale: float) -> list[dict[str, np.ndarray]]:
    """Return the trees of a forest of numeric splits as shap takes them, children as parallel arrays."""
    plain = []
    for t in range(len(forest)):
        tree = forest.tree(t)
        inner, first = tree.kind != 0, tree.first_child
        weight, value = np.zeros(len(inner)), np.zeros((len(inner), tree.value.shape[1]))
        weight[~inner], value[~inner] = tree.cover[first[~inner]], tree.value[first[~inner]] * scale
        for i in np.flatnonzero(inner)[::-1]:  # children come after their node
            weight[i] = weight[first[i]] + weight[first[i] + 1]
        plain.append(
            {
                "children_left": np.where(inner, first, -1),
                "children_right": np.where(inner, first + 1, -1),
                "children_default": np.where(inner, first + np.maximum(tree.missing_child, 0), -1),
                "features": np.where(inner, tree.feature, -2),
                "thresholds": np.where(inner, tree.threshold, 0.0),
                "values": value,
                "node_sample_weight": weight,
            }
        )
    return plain


def shap_explainer(trees: list[dict[str, np.ndarray]]) -> Any:
    """Return shap's explainer of plain trees, by training weights as ours."""
    model = {"trees": trees, "internal_dtype": np.float64, "input_dtype": np.float64}
    return SHAP.TreeExplainer(model, feature_perturbation="tree_path_dependent")


def boosted(booster: Any) -> FittedForest:
    """Return the trees of a LightGBM model, breadth first, as a forest."""
    names = ("kind", "feature", "threshold", "first_child", "missing_child", "value", "cover")
    roots, arrays = [], {name: [] for name in names}
    for tree in booster.dump_model()["tree_info"]:
        begin, nodes = len(arrays["kind"]), [tree["tree_structure"]]
        roots.append(begin)
        for i, node in enumerate(nodes):
            inner = "split_feature" in node
            child = begin + len(nodes) if inner else begin + i
            nodes += [node["left_child"], node["right_child"]] if inner else []
            cells = (inner, node.get("split_feature", -1), node.get("threshold", np.nan), child, inner - 1)
            leaf = node.get("leaf_value", 0.0), node.get("leaf_count", 0)
            for name, cell in zip(names, (*cells, *leaf), strict=True):
                arrays[name].append(cell)
    kinds = dict(
        zip(names, ("uint8", "int32", "float64", "int32", "int32", "float64", "float64"), strict=True)
    )
    ready = {name: np.array(cells, dtype=kinds[name]) for name, cells in arrays.items()}
    none = np.zeros(0, dtype=np.int32)
    lists = {"level_offset": none, "levels": none, "share": np.zeros(0), "value": ready.pop("value")[:, None]}
    return FittedForest(roots=np.array(roots, dtype=np.int32), **ready, **lists)


def compared(
    title: str, ours: Any, theirs: dict[str, Any], setting: Setting, times: float, *, share: float = 1.0
) -> Table:
    """Time all; `share` is how much of our work the others do."""
    timed = best_of({"hornbook": ours, **theirs}, setting.rounds)
    expected = next(timing.result for who, timing in timed.items() if who != "hornbook")
    got = timed["hornbook"].result[: len(expected)]
    apart = float(np.abs(got - expected.reshape(got.shape)).max())
    seconds = {who: timing.seconds / (1.0 if who == "hornbook" else share) for who, timing in timed.items()}
    reference = min(seconds[who] for who in theirs)
    rows = [Row(who, taken, reference / taken) for who, taken in seconds.items()]
    fastest = reference / seconds["hornbook"]
    goal = f"at least {times:g} times as fast as the fastest peer"
    targets = [
        Target(goal, f"{fastest:.1f}", judged(setting.quick, fastest >= times)),
        Target("the values of the peers", f"{apart:.1e} apart", apart < 1e-9),
    ]
    return Table(title, rows, targets)


def boosting(setting: Setting) -> Iterator[Table]:
    """LightGBM's own boosted trees, of 31 leaves and of 255."""
    n_rows = setting.size(20_000, 1_000)
    X, y = table(n_rows)
    for leaves, explained in ((31, 2_000), (255, 300)):
        few = X[: setting.size(explained, 100)].copy()
        rows = Frame(few)
        settings = {"num_leaves": leaves, "verbose": -1, "num_threads": setting.jobs, "min_data_in_leaf": 5}
        booster = LIGHTGBM.train(settings, LIGHTGBM.Dataset(X, y), setting.size(TREES, 10))
        forest = boosted(booster)
        trees = forest.weighted(1.0, np.zeros(1), "score")
        theirs: dict[str, Any] = {
            "LightGBM pred_contrib": lambda b=booster, few=few: b.predict(
                few, pred_contrib=True, num_threads=setting.jobs
            )[:, :-1]
        }
        if SHAP is not None:
            explainer = shap_explainer(plain_trees(forest, 1.0))
            theirs["shap"] = lambda e=explainer, few=few: np.asarray(e.shap_values(few))

        def ours(model: WeightedTrees = trees, rows: Frame = rows) -> np.ndarray:
            return model.contributions(rows, setting.jobs, interactions=False)[0][..., 0]

        title = f"contributions, {len(forest)} boosted trees of {leaves} leaves, {len(few):,} x {COLUMNS}"
        yield compared(f"{title}, {setting.jobs} threads", ours, theirs, setting, 3)


def forests(setting: Setting) -> Iterator[Table]:
    """Our forests: numbers, classes, and interactions."""
    X, y = table(setting.size(20_000, 1_000))
    few = X[: setting.size(200, 40)].copy()
    kinds = {
        "numbers": RandomForestRegressor(
            setting.size(TREES, 5), max_depth=10, random_state=0, n_jobs=setting.jobs
        ),
        "5 classes": RandomForestClassifier(
            setting.size(TREES, 5), max_depth=10, random_state=0, n_jobs=setting.jobs
        ),
    }
    for name, learner in kinds.items():
        target = y if name == "numbers" else np.digitize(y, np.quantile(y, [0.2, 0.4, 0.6, 0.8]))
        model = learner.fit(X, target)
        explainer = shap_explainer(plain_trees(model.forest_, 1.0 / len(model.forest_)))
        title = f"contributions, forest of {len(model.forest_)} trees, depth 10, {name}"
        yield compared(
            f"{title}, {len(few):,} x {COLUMNS}, {setting.jobs} threads",
            lambda m=model: m.contributions(few).values,
            {"shap": lambda e=explainer: np.asarray(e.shap_values(few[: len(few) // 5]))},
            setting,
            3,
            share=0.2,
        )
    model = RandomForestRegressor(setting.size(20, 2), max_depth=6, random_state=0, n_jobs=setting.jobs).fit(
        X, y
    )
    explainer = shap_explainer(plain_trees(model.forest_, 1.0 / len(model.forest_)))
    yield compared(
        f"interactions, forest of {len(model.forest_)} trees, depth 6, {len(few):,} x {COLUMNS}",
        lambda: model.contributions(few, interactions=True).interactions,
        {"shap": lambda: np.asarray(explainer.shap_interaction_values(few[: len(few) // 5]))},
        setting,
        3,
        share=0.2,
    )


def run(setting: Setting) -> Iterator[Table]:
    if LIGHTGBM is not None:
        yield from boosting(setting)
    if SHAP is not None:
        yield from forests(setting)
