"""What splits are judged by in the notes: impurities, gains, their liking for many values, gaps."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor, Frame, datasets, impurity
from hornbook.trees import DecisionStump


def digits(number, count=4):
    return round(float(number), count)


def by_column(frame, column):
    """Class weights of each value of a column, for the rows that have one."""
    values, y = np.asarray(frame[column], dtype=object), np.asarray(frame.y)
    known = [value for value in dict.fromkeys(values) if value is not None]
    return np.array([[((values == v) & (y == c)).sum() for c in (False, True)] for v in known])


def test_impurities_of_three_to_one_and_of_a_pure_node():
    """p = (3/4, 1/4) by every definition, by hand."""
    counts, pure = [3, 1], [4, 0, 0]
    assert digits(impurity.entropy(counts)) == 0.8113
    assert impurity.gini(counts) == pytest.approx(1 - 9 / 16 - 1 / 16)
    assert impurity.quadratic_entropy(counts) == pytest.approx(2 - 2 * 10 / 16)
    assert impurity.misclassification(counts) == 0.25
    assert impurity.purity(counts) == 0.75
    # beta = 3: 4/3 (1 - sum p³); beta = 1/2: 2^(-1/2) / (2^(-1/2) - 1) (1 - sum sqrt(p)); both 1 at one half
    assert impurity.daroczy_entropy(counts, 3.0) == pytest.approx(4 / 3 * (1 - 28 / 64))
    root = 2**-0.5
    assert impurity.daroczy_entropy(counts, 0.5) == pytest.approx(
        root / (root - 1) * (1 - np.sqrt(3 / 4) - 1 / 2)
    )
    for beta in (0.5, 2.0, 3.0):
        assert impurity.daroczy_entropy([1, 1], beta) == pytest.approx(1.0)
        assert impurity.daroczy_entropy(pure, beta) == 0.0
    for measure in (impurity.entropy, impurity.gini, impurity.quadratic_entropy, impurity.misclassification):
        assert measure(pure) == 0.0
    assert impurity.purity(pure) == 1.0


def test_half_the_quadratic_entropy_is_the_chance_of_a_wrong_guess():
    p = np.array([5, 3, 2]) / 10
    wrong = sum(p[i] * p[j] for i in range(3) for j in range(3) if i != j)
    assert impurity.gini([5, 3, 2]) == pytest.approx(wrong)
    assert impurity.quadratic_entropy([5, 3, 2]) == pytest.approx(2 * wrong)


def test_share_of_mistakes_judges_a_split():
    """Four and four, cut to 3:1 and 1:3: the mistakes fall from 1/2 to 1/4; cut to 2:1 and 2:3 to 3/8."""
    assert impurity.misclassification([4, 4]) == 0.5
    assert impurity.split_impurity([[3, 1], [1, 3]], "misclassification") == 0.25
    assert impurity.gain([[3, 1], [1, 3]], "misclassification") == 0.25
    assert impurity.gain([[2, 1], [2, 3]], "misclassification") == pytest.approx(1 / 8)
    # Mistakes cannot tell these two apart, which entropy can: 3:1 | 1:3 and 4:2 | 0:2.
    assert impurity.gain([[4, 2], [0, 2]], "misclassification") == 0.25
    assert impurity.gain([[4, 2], [0, 2]], "entropy") > impurity.gain([[3, 1], [1, 3]], "entropy")


def test_gain_of_one_split_by_every_measure():
    """Branches 3:1, 1:2 and 0:3, to six digits; gini and twoing-like measures by their formulas."""
    table = np.array([[3, 1], [1, 2], [0, 3]])
    assert digits(impurity.gain(table, "entropy"), 6) == 0.370951
    assert digits(impurity.gain(table, "log_loss"), 6) == 0.370951
    assert digits(impurity.gain(table, "gini"), 6) == 0.196667
    assert digits(impurity.gain(table, "quadratic_gain"), 6) == 0.76
    assert digits(impurity.gain(table, "symmetric_gain_ratio"), 6) == 0.170870
    assert digits(impurity.gain(table, "symmetric_gain_ratio_sum"), 6) == 0.145934
    assert impurity.gain(table, "misclassification") == pytest.approx(0.4 - 0.2)
    assert impurity.gain(table, "daroczy", 2.0) == pytest.approx(2 * impurity.gain(table, "gini"))
    three = 4 / 3 * (1 - (0.4**3 + 0.6**3))
    parts = [4 / 3 * (1 - ((np.array(row) / sum(row)) ** 3).sum()) for row in table.tolist()]
    assert impurity.gain(table, "daroczy", 3.0) == pytest.approx(three - np.dot([0.4, 0.3, 0.3], parts))
    # CART's measure, 2 (4/8) (4/8) (|3/4 - 1/4| + |1/4 - 3/4|), of two branches.
    assert impurity.gain([[3, 1], [1, 3]], "cart") == pytest.approx(0.5)
    assert set(impurity.CRITERIA) >= {"gini", "entropy", "log_loss", "cart", "misclassification", "daroczy"}


def test_gain_likes_many_values_and_its_ratio_few():
    """The number of a melon has the largest gain of all columns; by the ratio it is texture that wins."""
    melons = datasets.watermelon("2.0")
    names = melons.features.schema.names
    tables = {name: by_column(melons, name) for name in names}
    tables["ID"] = np.eye(2)[melons.y.astype(int)]
    gains = {name: impurity.information_gain(table) for name, table in tables.items()}
    ratios = {name: impurity.gain_ratio(table) for name, table in tables.items()}
    assert max(gains, key=gains.get) == "ID"
    assert max(ratios, key=ratios.get) == "texture"
    assert (digits(gains["ID"]), digits(ratios["ID"])) == (0.9975, 0.2440)
    assert (digits(gains["texture"]), digits(ratios["texture"])) == (0.3806, 0.2631)
    # A value that is cut into many by chance: the gain can only grow, although nothing is learned.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    kinds = {2: rng.integers(0, 2, 400), 40: rng.integers(0, 40, 400)}
    noise = {k: np.stack([np.bincount(y[v == i], minlength=2) for i in range(k)]) for k, v in kinds.items()}
    assert impurity.information_gain(noise[40]) > 5 * impurity.information_gain(noise[2])
    # Two columns that tell the classes apart equally well: the ratio takes the one with fewer values.
    few, many = [[8, 0], [0, 8]], [[4, 0], [4, 0], [0, 4], [0, 4]]
    assert impurity.information_gain(few) == impurity.information_gain(many) == 1.0
    assert (impurity.gain_ratio(few), impurity.gain_ratio(many)) == (1.0, 0.5)
    assert impurity.intrinsic_value([[3, 5]]) == 0.0  # one value only
    assert impurity.gain_ratio([[3, 5]]) == 0.0


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("column", ["color", "root", "sound", "texture", "umbilicus", "surface"])
def test_gain_of_a_column_with_gaps_is_that_of_the_known_rows_times_their_share(criterion, column):
    """rho (I(known) - sum r I(known with v)), by the formula and as the root of a tree of one column."""
    melons = datasets.watermelon("2.0a")
    known = np.array([value is not None for value in melons[column]])
    table = by_column(melons, column)

    def measure(counts):
        p = counts[counts > 0] / counts.sum()
        return 1 - (p**2).sum() if criterion == "gini" else -(p * np.log2(p)).sum()

    weights = table.sum(axis=1)
    inside = sum(weight / weights.sum() * measure(row) for weight, row in zip(weights, table, strict=True))
    expected = known.mean() * (measure(table.sum(axis=0)) - inside)
    missing = np.bincount(melons.y[~known].astype(int), minlength=2)
    assert impurity.known_gain(table, missing, criterion) == pytest.approx(expected)
    model = DecisionTreeClassifier(criterion=criterion, splits="multiway", missing="fractional", max_depth=1)
    tree = model.fit(Frame({column: melons[column]}), melons.y).nodes_
    assert tree.gain[0] == pytest.approx(expected)
    shares = sorted(tree.share[list(tree.children(0))])
    np.testing.assert_allclose(shares, sorted(weights / weights.sum()))


def test_ratio_of_a_column_with_gaps_is_of_known_rows_too():
    melons = datasets.watermelon("2.0a")
    for column in ("color", "texture"):
        table = by_column(melons, column)
        missing = np.bincount(melons.y.astype(int)) - table.sum(axis=0)
        plain = impurity.information_gain(table) / impurity.intrinsic_value(table)
        assert impurity.known_gain(table, missing, "gain_ratio") == pytest.approx(table.sum() / 17 * plain)


def test_fall_of_the_variance_decides_among_cuts_of_numbers():
    """var(y) - sum P(x) var(y | x): of six numbers the cut at 2.5 takes most away."""
    x, y = np.arange(6.0)[:, None], np.array([1.0, 2.0, 1.5, 8.0, 9.0, 7.0])
    falls = [np.var(y) - (k / 6 * np.var(y[:k]) + (6 - k) / 6 * np.var(y[k:])) for k in range(1, 6)]
    tree = DecisionTreeRegressor(max_depth=1).fit(x, y).nodes_
    assert int(np.argmax(falls)) == 2
    assert tree.threshold[0] == 2.5
    assert tree.gain[0] == pytest.approx(max(falls))
    np.testing.assert_allclose(tree.value[:, 0], [y.mean(), 1.5, 8.0])
    # Every node of a whole tree has the best cut of its rows, and answers with their mean.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)).round(1), rng.normal(size=60)
    tree = DecisionTreeRegressor().fit(X, y).nodes_
    rows = {0: np.arange(60)}
    for node in range(len(tree)):
        here = rows[node]
        assert tree.value[node, 0] == pytest.approx(y[here].mean())
        if tree.is_leaf[node]:
            continue
        best = max(
            np.var(y[here])
            - sum(part.mean() * np.var(y[here][part]) for part in (X[here, j] <= v, X[here, j] > v))
            for j in range(3)
            for v in np.unique(X[here, j])[:-1]
        )
        assert tree.gain[node] == pytest.approx(best)
        left = X[here, tree.feature[node]] <= tree.threshold[node]
        one, other = tree.children(node)
        rows[one], rows[other] = here[left], here[~left]


def nodes_with_best_gain(model, X, y):
    """Every node with its rows and the largest gain that any cut of any column has there."""
    tree, rows = model.nodes_, {0: np.arange(len(y))}
    for node in range(len(tree)):
        here = rows[node]
        onehot = np.eye(2)[y[here]]
        gains = [
            impurity.gain(
                [onehot[X[here, j] <= v].sum(axis=0), onehot[X[here, j] > v].sum(axis=0)], "entropy"
            )
            for j in range(X.shape[1])
            for v in np.unique(X[here, j])[:-1]
        ]
        yield node, here, max(gains, default=0.0)
        if not tree.is_leaf[node]:
            left = X[here, tree.feature[node]] <= tree.threshold[node]
            one, other = tree.children(node)
            rows[one], rows[other] = here[left], here[~left]


def noisy(n=120):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 3)).round(1)
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("least", [None, 0.05, 0.2])
def test_every_cut_is_searched_and_the_best_is_asked_unless_it_gains_less_than_the_threshold(least):
    """A node is a leaf exactly when its best gain, not weighted by its rows, is below T, or it is pure."""
    X, y = noisy()
    model = DecisionTreeClassifier(criterion="entropy", min_gain=least).fit(X, y)
    tree = model.nodes_
    for node, here, best in nodes_with_best_gain(model, X, y):
        if tree.is_leaf[node]:
            pure = len(set(y[here].tolist())) == 1
            alike = len(np.unique(X[here], axis=0)) == 1
            assert pure or alike or (least is not None and best < least)
        else:
            assert tree.gain[node] == pytest.approx(best)
            assert least is None or best >= least
    assert (tree.is_leaf.sum() > 20) == (least is None)


def test_leaves_answer_with_the_class_most_rows_have():
    """A row goes down to its leaf by x <= a or x > a; the leaf has its shares and its majority."""
    X, y = noisy()
    model = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=9).fit(X, y)
    probe = np.random.default_rng(8).normal(size=(500, 3)).round(1)
    tree, leaves = model.nodes_, []
    for row in probe:
        node = 0
        while not tree.is_leaf[node]:
            one, other = tree.children(node)
            node = one if row[tree.feature[node]] <= tree.threshold[node] else other
        leaves.append(node)
    rows = {node: here for node, here, _ in nodes_with_best_gain(model, X, y)}
    shares = np.array([np.bincount(y[rows[leaf]], minlength=2) / len(rows[leaf]) for leaf in leaves])
    assert min(len(rows[leaf]) for leaf in leaves) >= 9
    assert (shares.min(axis=1) > 0).any()  # leaves are mixed
    np.testing.assert_array_equal(model.apply(probe), leaves)
    np.testing.assert_allclose(model.predict_proba(probe), shares)
    clear = shares[:, 0] != shares[:, 1]
    np.testing.assert_array_equal(model.predict(probe)[clear], shares.argmax(axis=1)[clear])


def test_a_tree_has_a_root_inner_nodes_and_a_rule_for_each_leaf():
    melons = datasets.watermelon("2.0")
    tree = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(melons)
    rules = list(tree.rules())
    peopled = [rule for rule in rules if rule.weight > 0]
    assert len(peopled) == tree.get_n_leaves() == tree.nodes_.is_leaf.sum() == 8
    assert len(rules) == 9  # and one branch that no melon takes
    assert sum(rule.weight for rule in rules) == 17
    assert {rule.conditions[0].split(" = ")[0] for rule in rules} == {"texture"}  # the root starts them all
    stump = DecisionStump(criterion="entropy", splits="multiway").fit(melons)
    asked = {" and ".join(rule.conditions): (rule.answer, rule.weight) for rule in stump.rules()}
    assert asked == {
        "texture = clear": (True, 9),
        "texture = slightly blurry": (False, 5),
        "texture = blurry": (False, 3),
    }
    assert digits(stump.nodes_.gain[0]) == 0.3806


def test_numbers_are_asked_about_again_on_one_path():
    """sugar, density, sugar, density: each column twice on the way to melon 7."""
    melons = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier(criterion="entropy").fit(melons)
    inner = ~model.nodes_.is_leaf
    names = np.array(melons.features.schema.names)
    assert names[model.nodes_.feature[inner]].tolist() == ["sugar", "density", "sugar", "density"]
    np.testing.assert_allclose(model.nodes_.threshold[inner], [0.126, 0.3815, 0.2045, 0.56])
    melon = [rule for rule in model.rules() if len(rule.conditions) == 4]
    assert [(" and ".join(rule.conditions), rule.answer, rule.weight) for rule in melon] == [
        ("sugar > 0.126 and density > 0.3815 and sugar <= 0.2045 and density <= 0.56", True, 1),
        ("sugar > 0.126 and density > 0.3815 and sugar <= 0.2045 and density > 0.56", False, 2),
    ]
    # A word is asked about only once.
    words = DecisionTreeClassifier(criterion="entropy", splits="multiway").fit(datasets.watermelon("2.0"))
    for rule in words.rules():
        columns = [condition.split(" = ")[0] for condition in rule.conditions]
        assert len(set(columns)) == len(columns)


def test_the_plane_is_cut_into_the_rectangles_of_the_leaves():
    """Every place lies in exactly one rectangle, which has the color of the class that is answered there."""
    melons = datasets.watermelon("3.0a")
    model = DecisionTreeClassifier(criterion="entropy").fit(melons)
    ax = model.plot_partition(melons.features, melons.y)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    places = np.random.default_rng(0).uniform([left, bottom], [right, top], (400, 2))
    answers = model.predict(Frame({"density": places[:, 0], "sugar": places[:, 1]}))
    colors = {}
    for place, answer in zip(places, answers, strict=True):
        low = [patch.get_xy() for patch in ax.patches]
        high = [np.add(patch.get_xy(), (patch.get_width(), patch.get_height())) for patch in ax.patches]
        inside = [
            (one <= place).all() and (place <= other).all() for one, other in zip(low, high, strict=True)
        ]
        assert sum(inside) == 1
        colors.setdefault(answer, set()).add(ax.patches[inside.index(True)].get_facecolor())
    assert [len(of_class) for of_class in colors.values()] == [1, 1]
    assert colors[True] != colors[False]


@pytest.mark.parametrize("weighted", [False, True])
def test_candidates_of_an_inner_node_are_counted_on_the_rows_that_reach_it(weighted):
    """Counts on the left, impurity left over and gain of each cut and each set of levels, by hand."""
    melons = datasets.watermelon("3.0")
    frame = Frame({"sugar": melons["sugar"], "texture": melons["texture"], "root": melons["root"]})
    w = 1.0 + np.arange(17) % 3 if weighted else np.ones(17)
    y = melons.y.astype(bool)
    model = DecisionTreeClassifier(criterion="entropy").fit(frame, y, w)
    node = next(child for child in model.nodes_.children(0) if not model.nodes_.is_leaf[child])
    own = np.array([node in path for path in (np.flatnonzero(row) for row in paths(model, frame))])
    assert 3 < own.sum() < 17
    table = model.split_table(node, frame, y, w)
    before = impurity.entropy([w[own & (y == c)].sum() for c in (False, True)])
    candidates = set()
    for column, split, *counts, left_over, gain in table.rows:
        sign, _, what = split.partition(" ")
        if sign == "<=":
            left = frame[column] <= float(what)
        else:
            left = np.isin(frame[column], what.strip("{}").split(", "))
        expected = [w[own & left & (y == c)].sum() for c in (False, True)]
        assert counts == pytest.approx(expected)
        sides = [expected, [w[own & ~left & (y == c)].sum() for c in (False, True)]]
        assert left_over == pytest.approx(impurity.split_impurity(sides))
        assert gain == pytest.approx(before - left_over)
        candidates.add((column, split))
    values = np.unique(frame["sugar"][own])
    assert sum(column == "sugar" for column, _ in candidates) == len(values) - 1
    assert model.nodes_.gain[node] == pytest.approx(max(row[-1] for row in table.rows))


def paths(model, frame):
    """For each row, which nodes it passes."""
    tree = model.nodes_
    passed = np.zeros((len(frame), len(tree)), dtype=bool)
    passed[np.arange(len(frame)), model.apply(frame)] = True
    for node in reversed(range(len(tree))):
        if not tree.is_leaf[node]:
            passed[:, node] = passed[:, list(tree.children(node))].any(axis=1)
    return passed
