"""The algorithms that `algorithm` knows by name, in our own words."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LISTINGS", "Listing"]


@dataclass(frozen=True)
class Listing:
    """An algorithm: what it needs and gives, and its lines with their depths and comments."""

    title: str
    given: tuple[str, ...]
    lines: tuple[tuple[int, str, str], ...]


LISTINGS = {
    "decision tree": Listing(
        "Growing a decision tree: grow(D, A)",
        ("in: rows D with classes, attributes A", "out: a tree"),
        (
            (0, "make a node", ""),
            (0, "if all rows of D have one class C:", "nothing left to separate"),
            (1, "return a leaf with class C", ""),
            (0, "if A is empty, or all rows agree on A:", "nothing left to split by"),
            (1, "return a leaf with the majority class of D", ""),
            (0, "choose the attribute a of A with the best split", "gain, gain ratio or Gini"),
            (0, "for each value v of a:", ""),
            (1, "D_v = rows of D with a = v", ""),
            (1, "if D_v is empty:", "no row has been seen there"),
            (2, "branch v is a leaf with the majority class of D", ""),
            (1, "else:", ""),
            (2, "branch v is grow(D_v, A without a)", "the same again, one level down"),
            (0, "return the node", ""),
        ),
    ),
    "AdaBoost": Listing(
        "AdaBoost",
        ("in: rows (x_i, y_i), y_i = -1 or +1, i = 1 ... m; a learner L; T rounds", "out: H(x)"),
        (
            (0, "D_1(i) = 1/m", "equal weights"),
            (0, "for t = 1 ... T:", ""),
            (1, "h_t = L(rows, D_t)", "fit to the weighted rows"),
            (1, "ε_t = Σ D_t(i) [h_t(x_i) ≠ y_i]", "weighted error"),
            (1, "if ε_t > 0.5: stop", "not better than guessing"),
            (1, "α_t = ½ ln((1 - ε_t) / ε_t)", "weight of the member"),  # noqa: RUF001
            (1, "D_t+1(i) = D_t(i) exp(-α_t y_i h_t(x_i)) / Z_t", "mistakes count more; Z_t: sum to 1"),  # noqa: RUF001
            (0, "H(x) = sign(Σ α_t h_t(x))", "weighted vote"),  # noqa: RUF001
        ),
    ),
    "bagging": Listing(
        "Bagging",
        ("in: m rows D; a learner L; T members", "out: H(x)"),
        (
            (0, "for t = 1 ... T:", "members do not depend on each other"),
            (1, "D_t = m rows drawn from D with replacement", "63.2 % of the rows on average"),
            (1, "h_t = L(D_t)", ""),
            (0, "H(x) = the class with most votes of h_1(x) ... h_T(x)", "or the mean of numbers"),
        ),
    ),
    "stacking": Listing(
        "Stacking",
        ("in: m rows (x_i, y_i); first learners L_1 ... L_T; a second learner L", "out: H(x)"),
        (
            (0, "for t = 1 ... T:", ""),
            (1, "h_t = L_t(rows)", "first level"),
            (0, "D' = no rows", "table for the second level"),
            (0, "for i = 1 ... m:", ""),
            (1, "for t = 1 ... T:", ""),
            (2, "z_it = h_t(x_i)", "better: from folds that leave out row i"),
            (1, "add ((z_i1, ..., z_iT), y_i) to D'", ""),
            (0, "h' = L(D')", "learns whom to trust"),
            (0, "H(x) = h'(h_1(x), ..., h_T(x))", ""),
        ),
    ),
    "k-means": Listing(
        "k-means",
        ("in: rows x_1 ... x_m; number of clusters k", "out: clusters C_1 ... C_k"),
        (
            (0, "choose k rows as the means μ_1 ... μ_k", ""),
            (0, "repeat:", ""),
            (1, "all C_j are empty", ""),
            (1, "for i = 1 ... m:", ""),
            (2, "put x_i into the C_j with the nearest μ_j", "assign"),
            (1, "for j = 1 ... k:", ""),
            (2, "μ_j = mean of C_j", "update"),
            (0, "until no mean has moved", "the sum of squares cannot fall further"),
        ),
    ),
    "LVQ": Listing(
        "Learning vector quantization (LVQ)",
        ("in: rows (x_i, y_i); q prototypes with classes t_1 ... t_q; rate η in (0, 1)", "out: p_1 ... p_q"),
        (
            (0, "choose a row of class t_j as p_j, j = 1 ... q", ""),
            (0, "repeat:", ""),
            (1, "draw a row (x_i, y_i)", ""),
            (1, "p_j = the prototype nearest to x_i", ""),
            (1, "if y_i = t_j:", ""),
            (2, "p_j = p_j + η (x_i - p_j)", "move closer"),
            (1, "else:", ""),
            (2, "p_j = p_j - η (x_i - p_j)", "move away"),
            (0, "until the limit of rounds, or p hardly moves", ""),
        ),
    ),
    "DBSCAN": Listing(
        "DBSCAN",
        ("in: rows D; radius ε; MinPts", "out: clusters C_1 ... C_k; all other rows are noise"),
        (
            (0, "Ω = no rows", "core rows"),
            (0, "for each row x of D:", ""),
            (1, "N(x) = rows within ε of x", "x itself counts"),
            (1, "if |N(x)| ≥ MinPts: add x to Ω", ""),
            (0, "k = 0; U = D", "U: rows not visited"),
            (0, "while Ω is not empty:", ""),
            (1, "before = U; draw a row o of Ω; Q = [o]; U = U without o", "seed of a cluster"),
            (1, "while Q is not empty:", ""),
            (2, "take the first row q from Q", ""),
            (2, "if |N(q)| ≥ MinPts:", "only core rows lead further"),
            (3, "append N(q) ∩ U to Q; U = U without N(q)", "all rows reached by density"),
            (1, "k = k + 1; C_k = before without U; Ω = Ω without C_k", ""),
        ),
    ),
}
