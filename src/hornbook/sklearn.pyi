# Written by scripts/lazy_stubs.py.
from hornbook.base import Baseline as Baseline
from hornbook.base import Encoder as Encoder
from hornbook.base import Scaled as Scaled
from hornbook.bayes import AODE as AODE
from hornbook.bayes import SPODE as SPODE
from hornbook.bayes import TAN as TAN
from hornbook.bayes import BayesClassifier as BayesClassifier
from hornbook.bayes import BayesianNetwork as BayesianNetwork
from hornbook.bayes import NaiveBayes as NaiveBayes
from hornbook.clustering import DBSCAN as DBSCAN
from hornbook.clustering import AgglomerativeClustering as AgglomerativeClustering
from hornbook.clustering import FuzzyCMeans as FuzzyCMeans
from hornbook.clustering import GaussianMixture as GaussianMixture
from hornbook.clustering import GustafsonKessel as GustafsonKessel
from hornbook.clustering import KernelKMeans as KernelKMeans
from hornbook.clustering import KMeans as KMeans
from hornbook.clustering import KMedoids as KMedoids
from hornbook.clustering import MetricLearner as MetricLearner
from hornbook.concepts import ConjunctiveConcept as ConjunctiveConcept
from hornbook.concepts import Memorizer as Memorizer
from hornbook.ensembles import AdaBoostClassifier as AdaBoostClassifier
from hornbook.ensembles import AdaBoostRegressor as AdaBoostRegressor
from hornbook.ensembles import BaggingClassifier as BaggingClassifier
from hornbook.ensembles import BaggingRegressor as BaggingRegressor
from hornbook.ensembles import BayesianVoting as BayesianVoting
from hornbook.ensembles import Calibrated as Calibrated
from hornbook.ensembles import CrossValidatedCommittee as CrossValidatedCommittee
from hornbook.ensembles import ExtraTreesClassifier as ExtraTreesClassifier
from hornbook.ensembles import ExtraTreesRegressor as ExtraTreesRegressor
from hornbook.ensembles import GradientBoostingClassifier as GradientBoostingClassifier
from hornbook.ensembles import GradientBoostingRegressor as GradientBoostingRegressor
from hornbook.ensembles import HistGradientBoostingClassifier as HistGradientBoostingClassifier
from hornbook.ensembles import HistGradientBoostingRegressor as HistGradientBoostingRegressor
from hornbook.ensembles import OutlierEnsemble as OutlierEnsemble
from hornbook.ensembles import RandomForestClassifier as RandomForestClassifier
from hornbook.ensembles import RandomForestRegressor as RandomForestRegressor
from hornbook.ensembles import StackingClassifier as StackingClassifier
from hornbook.ensembles import StackingRegressor as StackingRegressor
from hornbook.ensembles import TotallyRandomTreesClassifier as TotallyRandomTreesClassifier
from hornbook.ensembles import TotallyRandomTreesRegressor as TotallyRandomTreesRegressor
from hornbook.ensembles import VotingClassifier as VotingClassifier
from hornbook.ensembles import VotingRegressor as VotingRegressor
from hornbook.imbalance import CostSensitive as CostSensitive
from hornbook.imbalance import OverSampler as OverSampler
from hornbook.imbalance import ThresholdMoving as ThresholdMoving
from hornbook.imbalance import UnderSampler as UnderSampler
from hornbook.linear import BasicLinearClassifier as BasicLinearClassifier
from hornbook.linear import ElasticNet as ElasticNet
from hornbook.linear import GeneralizedLinearClassifier as GeneralizedLinearClassifier
from hornbook.linear import GeneralizedLinearRegressor as GeneralizedLinearRegressor
from hornbook.linear import Lasso as Lasso
from hornbook.linear import LinearDiscriminant as LinearDiscriminant
from hornbook.linear import LinearRegression as LinearRegression
from hornbook.linear import LogisticRegression as LogisticRegression
from hornbook.linear import LogLinearRegression as LogLinearRegression
from hornbook.linear import NearestMeanClassifier as NearestMeanClassifier
from hornbook.linear import Perceptron as Perceptron
from hornbook.linear import PolynomialClassifier as PolynomialClassifier
from hornbook.linear import PolynomialRegression as PolynomialRegression
from hornbook.linear import Ridge as Ridge
from hornbook.linear import SurrogateLossClassifier as SurrogateLossClassifier
from hornbook.multiclass import OneVsOne as OneVsOne
from hornbook.multiclass import OneVsRest as OneVsRest
from hornbook.multiclass import OutputCodes as OutputCodes
from hornbook.neighbors import KNeighborsClassifier as KNeighborsClassifier
from hornbook.neighbors import KNeighborsRegressor as KNeighborsRegressor
from hornbook.neighbors import KNNDensity as KNNDensity
from hornbook.neighbors import NearestNeighbors as NearestNeighbors
from hornbook.neighbors import RadiusNeighborsClassifier as RadiusNeighborsClassifier
from hornbook.neighbors import RadiusNeighborsRegressor as RadiusNeighborsRegressor
from hornbook.networks import ElmanClassifier as ElmanClassifier
from hornbook.networks import ElmanRegressor as ElmanRegressor
from hornbook.networks import LVQClassifier as LVQClassifier
from hornbook.networks import MLPClassifier as MLPClassifier
from hornbook.networks import MLPRegressor as MLPRegressor
from hornbook.networks import RBFNetworkClassifier as RBFNetworkClassifier
from hornbook.networks import RBFNetworkRegressor as RBFNetworkRegressor
from hornbook.networks import ThresholdNetwork as ThresholdNetwork
from hornbook.reduction import PCA as PCA
from hornbook.reduction import Nystroem as Nystroem
from hornbook.reduction import RBFSampler as RBFSampler
from hornbook.svm import SVC as SVC
from hornbook.svm import SVR as SVR
from hornbook.svm import DualPerceptron as DualPerceptron
from hornbook.svm import KernelDiscriminant as KernelDiscriminant
from hornbook.svm import KernelPerceptron as KernelPerceptron
from hornbook.svm import KernelRidge as KernelRidge
from hornbook.svm import LinearSVC as LinearSVC
from hornbook.svm import LinearSVR as LinearSVR
from hornbook.svm import OneClassSVM as OneClassSVM
from hornbook.trees import DecisionStump as DecisionStump
from hornbook.trees import DecisionTreeClassifier as DecisionTreeClassifier
from hornbook.trees import DecisionTreeRegressor as DecisionTreeRegressor
from hornbook.trees import ObliqueTreeClassifier as ObliqueTreeClassifier
from hornbook.trees import ObliqueTreeRegressor as ObliqueTreeRegressor

CalibratedClassifierCV = Calibrated
GaussianNB = NaiveBayes
LinearDiscriminantAnalysis = LinearDiscriminant
NearestCentroid = NearestMeanClassifier
OneVsOneClassifier = OneVsOne
OneVsRestClassifier = OneVsRest
OutputCodeClassifier = OutputCodes
RENAMED: dict[str, str]
DEFAULTS: dict[str, dict[str, object]]
ASKED_BY_TYPE: dict[str, str]
