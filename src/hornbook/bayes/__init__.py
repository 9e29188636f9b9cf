"""Bayes classifiers: the class with the largest posterior probability.

`NaiveBayes` multiplies one factor for each column; it is the pattern for the other learners here.
"""

from __future__ import annotations

from hornbook.bayes._naive_bayes import NaiveBayes

__all__ = ["NaiveBayes"]
