"""Bayes classifiers: the class with the largest posterior probability.

`NaiveBayes` multiplies one factor for each column, `BayesClassifier` takes all columns together. In between,
`SPODE`, `TAN` and `AODE` let each column depend on one other besides the class, and `BayesianNetwork` on the
parents given by its edges.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "AODE": "_aode",
    "SPODE": "_spode",
    "TAN": "_tan",
    "BayesClassifier": "_bayes_classifier",
    "BayesianNetwork": "_bayesian_network",
    "NaiveBayes": "_naive_bayes",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
