"""What support vector machines say of themselves and of one answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working, tie_breakers
from hornbook.kernels import Kernel
from hornbook.params import Floats
from hornbook.svm._binary_problem import ROLES
from hornbook.svm._class_pairs import class_code

__all__ = ["describe_classes", "kernel_terms", "kernel_text", "pair_names", "support_terms", "working_of"]

MOST_ROWS = 20  # of a table, and terms of an answer


def kernel_text(model: Any) -> str:
    """The kernel in one line."""
    return str(model.kernel_) if isinstance(model.kernel, str | Kernel) else "a function"


def pair_names(model: Any) -> list[str]:
    """Which class each problem separates from which."""
    code, labels = class_code(len(model.classes_)), model.classes_.tolist()
    return [f"{labels[int(side.argmax())]} against {labels[int(side.argmin())]}" for side in code.T]


def describe_classes(model: Any) -> Description:
    """Kernel, margins, objectives and the support vectors with the largest coefficients."""
    labels, total = model.classes_.tolist(), int(model.n_support_.sum())
    counts = ", ".join(f"{n} of {label}" for n, label in zip(model.n_support_.tolist(), labels, strict=True))
    facts: dict[str, Any] = {
        "kernel": kernel_text(model),
        "loss": f"{model.loss}, C = {model.C:g}",
        "support vectors": counts,
    }
    if hasattr(model, "role_codes_"):
        roles = np.bincount(model.role_codes_, minlength=len(ROLES)).tolist()
        facts["rows"] = ", ".join(f"{n} {role}" for n, role in zip(roles, ROLES, strict=True))
    cells = [
        [name, *numbers]
        for name, *numbers in zip(
            pair_names(model),
            model.intercept_.tolist(),
            model.margin_.tolist(),
            *model.objective_.T.tolist(),
            model.kkt_.tolist(),
            strict=True,
        )
    ]
    heads = ["boundary", "intercept", "margin", "dual", "primal", "violation"]
    title = f"SVC with {len(labels)} classes and {total} support vectors"
    return Description(title, facts, [Table("Boundaries", heads, cells), support_terms(model)])


def support_terms(model: Any) -> Table:
    """The support vectors with the largest coefficients."""
    sizes = np.abs(model.dual_coef_).max(axis=0)
    largest = np.argsort(-sizes, kind="stable")[:MOST_ROWS]
    if hasattr(model, "classes_"):
        labels = np.repeat(model.classes_, model.n_support_)
        heads = ["row", "class", *[f"coefficient {i + 1}" for i in range(len(model.dual_coef_))][:4]]
        cells = [[int(model.support_[i]), str(labels[i]), *model.dual_coef_[:4, i].tolist()] for i in largest]
    else:
        heads = ["row", "coefficient"]
        cells = [[int(model.support_[i]), float(model.dual_coef_[0, i])] for i in largest]
    more = len(sizes) - len(largest)
    title = "Support vectors, largest coefficients first" + (f"; {more} more" if more else "")
    return Table(title, heads, cells)


def kernel_terms(model: Any, X: Floats) -> list[tuple[str, float]]:
    """Coefficient times kernel value of each support vector, largest first, and the intercept."""
    values = model._values_with_support(X)  # noqa: SLF001 - of the machine this is a part of
    if not model._precomputed:  # noqa: SLF001 - as above
        values = model.kernel_.matrix(X, model.support_vectors_)
    coef = model.dual_coef_[0]
    added = coef * values[0]
    order = np.argsort(-np.abs(added), kind="stable")
    terms = [
        (
            f"row {model.support_[i]}: coefficient {coef[i]:.4g} times kernel {values[0, i]:.4g}",
            float(added[i]),
        )
        for i in order[:MOST_ROWS]
    ]
    if len(order) > MOST_ROWS:
        rest = order[MOST_ROWS:]
        terms.append((f"{len(rest)} more support vectors", float(added[rest].sum())))
    return [*terms, ("intercept", float(model.intercept_[0]))]


def working_of(model: Any, X: Floats) -> Working:
    """The kernel terms of one decision, or the votes of the pairs."""
    labels, answer = model.classes_.tolist(), model._answer(X)[0]  # noqa: SLF001 - as above
    if len(labels) == 2:
        terms = [Term(name, [0.0, value]) for name, value in kernel_terms(model, X)]
        title = f"SVC: the score of {labels[1]} is a sum over support vectors, that of {labels[0]} is 0"
        return Working(title, "sum", labels, terms, answer)
    code, scores = class_code(len(labels)), model._problem_scores(X)[0]  # noqa: SLF001 - as above
    # A score of exactly 0 counts for the negative side, as in `predict`.
    wins = np.where(scores[:, None] > 0, code.T, -code.T).clip(0).astype(float)
    terms = [
        Term(f"vote of {name} (score {score:.4g})", row.tolist())
        for name, score, row in zip(pair_names(model), scores.tolist(), wins, strict=True)
    ]
    if model.break_ties:
        settled = tie_breakers(code, scores).tolist()
        terms.append(Term("sum of the scores, scaled down so that it only breaks ties", settled))
    return Working("SVC: the class with the most votes of pairs", "sum", labels, terms, answer)
