# Written by scripts/lazy_stubs.py.
from hornbook.bayes._aode import AODE as AODE
from hornbook.bayes._bayes_classifier import BayesClassifier as BayesClassifier
from hornbook.bayes._bayesian_network import BayesianNetwork as BayesianNetwork
from hornbook.bayes._naive_bayes import NaiveBayes as NaiveBayes
from hornbook.bayes._spode import SPODE as SPODE
from hornbook.bayes._tan import TAN as TAN

HOMES: dict[str, str]
