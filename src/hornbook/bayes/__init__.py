"""Bayes classifiers: the class with the largest posterior probability.

`NaiveBayes` multiplies one factor for each column, `BayesClassifier` takes all columns together.
"""

from __future__ import annotations

from hornbook.bayes._bayes_classifier import BayesClassifier
from hornbook.bayes._naive_bayes import NaiveBayes

__all__ = ["BayesClassifier", "NaiveBayes"]
