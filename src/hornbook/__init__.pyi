# Written by scripts/root_stub.py.
from hornbook import base as base
from hornbook import bayes as bayes
from hornbook import datasets as datasets
from hornbook import distances as distances
from hornbook import evaluation as evaluation
from hornbook import frame as frame
from hornbook import linear as linear
from hornbook import losses as losses
from hornbook import neighbors as neighbors
from hornbook import optimize as optimize
from hornbook import params as params
from hornbook import persist as persist
from hornbook import plots as plots
from hornbook import random as random
from hornbook import studies as studies
from hornbook.base import Baseline as Baseline
from hornbook.base import Encoder as Encoder
from hornbook.base import Scaled as Scaled
from hornbook.bayes import BayesClassifier as BayesClassifier
from hornbook.bayes import NaiveBayes as NaiveBayes
from hornbook.evaluation import compare as compare
from hornbook.frame import Blocks as Blocks
from hornbook.frame import Frame as Frame
from hornbook.frame import read as read
from hornbook.frame import scan as scan
from hornbook.linear import LinearRegression as LinearRegression
from hornbook.linear import LogisticRegression as LogisticRegression
from hornbook.linear import Ridge as Ridge
from hornbook.neighbors import KNeighborsClassifier as KNeighborsClassifier
from hornbook.neighbors import KNeighborsRegressor as KNeighborsRegressor
from hornbook.neighbors import RadiusNeighborsClassifier as RadiusNeighborsClassifier
from hornbook.persist import load as load
from hornbook.persist import save as save
from hornbook.registry import learners as learners

__version__: str
