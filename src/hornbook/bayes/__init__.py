"""Bayes classifiers: the class with the largest posterior probability.

`NaiveBayes` multiplies one factor for each column, `BayesClassifier` takes all columns together. In between,
`SPODE`, `TAN` and `AODE` let each column depend on one other besides the class, and `BayesianNetwork` on the
parents given by its edges.
"""

from __future__ import annotations

from hornbook.bayes._aode import AODE
from hornbook.bayes._bayes_classifier import BayesClassifier
from hornbook.bayes._bayesian_network import BayesianNetwork
from hornbook.bayes._naive_bayes import NaiveBayes
from hornbook.bayes._spode import SPODE
from hornbook.bayes._tan import TAN

__all__ = ["AODE", "SPODE", "TAN", "BayesClassifier", "BayesianNetwork", "NaiveBayes"]
