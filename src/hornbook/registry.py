"""The one table of public names: where each lives, what it is for, what model files may contain.

It drives the lazy root package, `hornbook.learners`, the allowlist of model files, the contract tests, the
program and the docs. Nothing heavy is imported until a name is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any, Literal

__all__ = [
    "FORMER_ATTRIBUTES",
    "LEARNERS",
    "MODULES",
    "NAMES",
    "RECORDS",
    "TASK_TYPES",
    "Card",
    "learner_class",
    "learners",
    "resolve",
]

Task = Literal["classification", "regression", "clustering", "outliers", "transformation"]


@dataclass(frozen=True)
class Entry:
    """Where a learner lives, what it is for, and whether a study includes it by default."""

    module: str
    tasks: tuple[Task, ...]
    unasked: bool = True


LEARNERS: dict[str, Entry] = {
    "AdaBoostClassifier": Entry("hornbook.ensembles", ("classification",), unasked=False),
    "AdaBoostRegressor": Entry("hornbook.ensembles", ("regression",), unasked=False),
    "AgglomerativeClustering": Entry("hornbook.clustering", ("clustering",), unasked=False),
    "AODE": Entry("hornbook.bayes", ("classification",)),
    "BaggingClassifier": Entry("hornbook.ensembles", ("classification",), unasked=False),
    "BaggingRegressor": Entry("hornbook.ensembles", ("regression",), unasked=False),
    "Baseline": Entry("hornbook.base", ("classification", "regression")),
    "BasicLinearClassifier": Entry("hornbook.linear", ("classification",), unasked=False),
    "BayesClassifier": Entry("hornbook.bayes", ("classification",), unasked=False),
    "BayesianNetwork": Entry("hornbook.bayes", ("classification",), unasked=False),
    "Calibrated": Entry("hornbook.ensembles", ("classification",), unasked=False),
    "BayesianVoting": Entry("hornbook.ensembles", ("classification", "regression"), unasked=False),
    "ConjunctiveConcept": Entry("hornbook.concepts", ("classification",), unasked=False),
    "CostSensitive": Entry("hornbook.imbalance", ("classification",), unasked=False),
    "CrossValidatedCommittee": Entry("hornbook.ensembles", ("classification", "regression"), unasked=False),
    "DBSCAN": Entry("hornbook.clustering", ("clustering",), unasked=False),
    "DecisionStump": Entry("hornbook.trees", ("classification",), unasked=False),
    "DecisionTreeClassifier": Entry("hornbook.trees", ("classification",)),
    "DecisionTreeRegressor": Entry("hornbook.trees", ("regression",)),
    "ElasticNet": Entry("hornbook.linear", ("regression",)),
    "DualPerceptron": Entry("hornbook.svm", ("classification",), unasked=False),
    "ElmanClassifier": Entry("hornbook.networks", ("classification",), unasked=False),
    "ElmanRegressor": Entry("hornbook.networks", ("regression",), unasked=False),
    "Encoder": Entry("hornbook.base", ("transformation",)),
    "FuzzyCMeans": Entry("hornbook.clustering", ("clustering", "transformation"), unasked=False),
    "GaussianMixture": Entry("hornbook.clustering", ("clustering",), unasked=False),
    "GeneralizedLinearClassifier": Entry("hornbook.linear", ("classification",), unasked=False),
    "GeneralizedLinearRegressor": Entry("hornbook.linear", ("regression",), unasked=False),
    "ExtraTreesClassifier": Entry("hornbook.ensembles", ("classification",)),
    "ExtraTreesRegressor": Entry("hornbook.ensembles", ("regression",)),
    "GradientBoostingClassifier": Entry("hornbook.ensembles", ("classification",), unasked=False),
    "GradientBoostingRegressor": Entry("hornbook.ensembles", ("regression",), unasked=False),
    "GustafsonKessel": Entry("hornbook.clustering", ("clustering", "transformation"), unasked=False),
    "HistGradientBoostingClassifier": Entry("hornbook.ensembles", ("classification",)),
    "HistGradientBoostingRegressor": Entry("hornbook.ensembles", ("regression",)),
    "KernelDiscriminant": Entry("hornbook.svm", ("classification", "transformation"), unasked=False),
    "KernelKMeans": Entry("hornbook.clustering", ("clustering", "transformation"), unasked=False),
    "KernelPerceptron": Entry("hornbook.svm", ("classification",), unasked=False),
    "KernelRidge": Entry("hornbook.svm", ("regression",), unasked=False),
    "LinearSVC": Entry("hornbook.svm", ("classification",), unasked=False),
    "LinearSVR": Entry("hornbook.svm", ("regression",), unasked=False),
    "KMeans": Entry("hornbook.clustering", ("clustering", "transformation")),
    "KMedoids": Entry("hornbook.clustering", ("clustering", "transformation"), unasked=False),
    "MetricLearner": Entry("hornbook.clustering", ("transformation",), unasked=False),
    "KNeighborsClassifier": Entry("hornbook.neighbors", ("classification",)),
    "KNeighborsRegressor": Entry("hornbook.neighbors", ("regression",)),
    "KNNDensity": Entry("hornbook.neighbors", ("classification",), unasked=False),
    "Lasso": Entry("hornbook.linear", ("regression",), unasked=False),
    "LinearDiscriminant": Entry("hornbook.linear", ("classification", "transformation")),
    "LinearRegression": Entry("hornbook.linear", ("regression",)),
    "LogisticRegression": Entry("hornbook.linear", ("classification",)),
    "LogLinearRegression": Entry("hornbook.linear", ("regression",), unasked=False),
    "LVQClassifier": Entry("hornbook.networks", ("classification",), unasked=False),
    "MLPClassifier": Entry("hornbook.networks", ("classification",), unasked=False),
    "MLPRegressor": Entry("hornbook.networks", ("regression",), unasked=False),
    "Memorizer": Entry("hornbook.concepts", ("classification",), unasked=False),
    "NaiveBayes": Entry("hornbook.bayes", ("classification",)),
    "NearestMeanClassifier": Entry("hornbook.linear", ("classification",), unasked=False),
    "NearestNeighbors": Entry("hornbook.neighbors", ("transformation",), unasked=False),
    "Nystroem": Entry("hornbook.reduction", ("transformation",), unasked=False),
    "OneClassSVM": Entry("hornbook.svm", ("outliers",), unasked=False),
    "OneVsOne": Entry("hornbook.multiclass", ("classification",), unasked=False),
    "OneVsRest": Entry("hornbook.multiclass", ("classification",), unasked=False),
    "OutlierEnsemble": Entry("hornbook.ensembles", ("outliers",), unasked=False),
    "OutputCodes": Entry("hornbook.multiclass", ("classification",), unasked=False),
    "OverSampler": Entry("hornbook.imbalance", ("classification",), unasked=False),
    "ObliqueTreeClassifier": Entry("hornbook.trees", ("classification",), unasked=False),
    "ObliqueTreeRegressor": Entry("hornbook.trees", ("regression",), unasked=False),
    "PCA": Entry("hornbook.reduction", ("transformation",), unasked=False),
    "Perceptron": Entry("hornbook.linear", ("classification",), unasked=False),
    "PolynomialClassifier": Entry("hornbook.linear", ("classification",), unasked=False),
    "PolynomialRegression": Entry("hornbook.linear", ("regression",), unasked=False),
    "RadiusNeighborsClassifier": Entry("hornbook.neighbors", ("classification",), unasked=False),
    "RadiusNeighborsRegressor": Entry("hornbook.neighbors", ("regression",), unasked=False),
    "RBFNetworkClassifier": Entry("hornbook.networks", ("classification",), unasked=False),
    "RBFNetworkRegressor": Entry("hornbook.networks", ("regression",), unasked=False),
    "RBFSampler": Entry("hornbook.reduction", ("transformation",), unasked=False),
    "Ridge": Entry("hornbook.linear", ("regression",), unasked=False),
    "RandomForestClassifier": Entry("hornbook.ensembles", ("classification",)),
    "RandomForestRegressor": Entry("hornbook.ensembles", ("regression",)),
    "Scaled": Entry("hornbook.base", ("classification", "regression"), unasked=False),
    "SPODE": Entry("hornbook.bayes", ("classification",), unasked=False),
    "StackingClassifier": Entry("hornbook.ensembles", ("classification", "transformation"), unasked=False),
    "StackingRegressor": Entry("hornbook.ensembles", ("regression", "transformation"), unasked=False),
    "SurrogateLossClassifier": Entry("hornbook.linear", ("classification",), unasked=False),
    "SVC": Entry("hornbook.svm", ("classification",), unasked=False),
    "SVR": Entry("hornbook.svm", ("regression",), unasked=False),
    "TAN": Entry("hornbook.bayes", ("classification",), unasked=False),
    "ThresholdMoving": Entry("hornbook.imbalance", ("classification",), unasked=False),
    "ThresholdNetwork": Entry("hornbook.networks", ("classification",), unasked=False),
    "TotallyRandomTreesClassifier": Entry("hornbook.ensembles", ("classification",), unasked=False),
    "TotallyRandomTreesRegressor": Entry("hornbook.ensembles", ("regression",), unasked=False),
    "UnderSampler": Entry("hornbook.imbalance", ("classification",), unasked=False),
    "VotingClassifier": Entry("hornbook.ensembles", ("classification", "transformation"), unasked=False),
    "VotingRegressor": Entry("hornbook.ensembles", ("regression", "transformation"), unasked=False),
}

# Other names of the root.
NAMES: dict[str, str] = {
    "Blocks": "hornbook.frame",
    "Frame": "hornbook.frame",
    "compare": "hornbook.evaluation",
    "learners": "hornbook.registry",
    "load": "hornbook.persist",
    "read": "hornbook.frame",
    "save": "hornbook.persist",
    "scan": "hornbook.frame",
    "study": "hornbook.studies",
}

# Packages a user reaches through the root: hornbook.datasets.iris().
MODULES: tuple[str, ...] = (
    "base",
    "bayes",
    "cluster",
    "clustering",
    "concepts",
    "datasets",
    "distances",
    "ensembles",
    "evaluation",
    "frame",
    "imbalance",
    "impurity",
    "kernels",
    "linear",
    "losses",
    "multiclass",
    "neighbors",
    "networks",
    "optimize",
    "params",
    "persist",
    "plots",
    "random",
    "reduction",
    "studies",
    "svm",
)

# Fitted attributes under the names that they have in files of earlier versions, and their names now.
FORMER_ATTRIBUTES: dict[str, str] = {"tree_": "nodes_"}

# Small dataclasses that fitted models consist of: the name in model files, and where the class is now. Names
# on the left never change; a class that is renamed or moved changes the right side only.
RECORDS: dict[str, str] = {
    "AODEModel": "hornbook.bayes.models._aode_model:AODEModel",
    "Network": "hornbook.networks.mlp._network:Network",
    "NetworkModel": "hornbook.bayes.models._network_model:NetworkModel",
    "NumbersGiven": "hornbook.bayes.models._conditional_normals:NumbersGiven",
    "OneDependence": "hornbook.bayes.models._one_dependence:OneDependence",
    "PairStatistics": "hornbook.bayes.models._pairs:PairStatistics",
    "BoostedTrees": "hornbook.ensembles.gradient_boosting._boosted_trees:BoostedTrees",
    "CoMoments": "hornbook.bayes.models._multinormal:CoMoments",
    "Column": "hornbook.frame:Column",
    "Encoding": "hornbook.frame:Encoding",
    "FittedForest": "hornbook.ensembles:FittedForest",
    "FittedTree": "hornbook.trees:FittedTree",
    "ObliqueTree": "hornbook.trees:ObliqueTree",
    "Factors": "hornbook.bayes.models._factors:Factors",
    "FullFactors": "hornbook.bayes.models._full_model:FullFactors",
    "FullStatistics": "hornbook.bayes.models._full_model:FullStatistics",
    "Gaussian": "hornbook.bayes.models._factors:NormalDensities",
    "JointCounts": "hornbook.bayes.models._joint_table:JointCounts",
    "JointTable": "hornbook.bayes.models._joint_table:JointTable",
    "KernelDensity": "hornbook.bayes.models._factors:KernelDensity",
    "Kept": "hornbook.bayes.models._statistics:Kept",
    "Moments": "hornbook.frame:Moments",
    "MultiNormal": "hornbook.bayes.models._multinormal:MultiNormal",
    "Monomials": "hornbook.linear.features._monomials:Monomials",
    "Plan": "hornbook.bayes.models._statistics:CountingPlan",
    "Schema": "hornbook.frame:Schema",
    "CalledSpace": "hornbook.distances:CalledSpace",
    "ClassStatistics": "hornbook.bayes.models._statistics:ClassStatistics",
    "ExponentialTransform": "hornbook.clustering:ExponentialTransform",
    "Gower": "hornbook.distances:Gower",
    "IsotonicMap": "hornbook.ensembles.combining._calibration_maps:IsotonicMap",
    "Hamming": "hornbook.distances:Hamming",
    "Mahalanobis": "hornbook.distances:Mahalanobis",
    "Memory": "hornbook.neighbors._memory:Memory",
    "Minkowski": "hornbook.distances:Minkowski",
    "PairDistance": "hornbook.distances:PairDistance",
    "PrecomputedSpace": "hornbook.distances:PrecomputedSpace",
    "PolynomialTransform": "hornbook.clustering:PolynomialTransform",
    "PowerTransform": "hornbook.clustering:PowerTransform",
    "Placed": "hornbook.distances:Placed",
    "GaussianKernel": "hornbook.kernels:Gaussian",
    "KernelProduct": "hornbook.kernels:KernelProduct",
    "KernelSum": "hornbook.kernels:KernelSum",
    "LaplacianKernel": "hornbook.kernels:Laplacian",
    "LinearKernel": "hornbook.kernels:Linear",
    "MixedKernel": "hornbook.kernels:Mixed",
    "PolynomialKernel": "hornbook.kernels:Polynomial",
    "PrecomputedKernel": "hornbook.kernels:Precomputed",
    "ScaledKernel": "hornbook.kernels:ScaledKernel",
    "SigmoidKernel": "hornbook.kernels:Sigmoid",
    "Prototypes": "hornbook.clustering.medoids._prototypes:Prototypes",
    "ScoreDistribution": "hornbook.ensembles.outliers._reference:ScoreDistribution",
    "Sigmoid": "hornbook.base:PlattSigmoid",
    "Space": "hornbook.distances:Space",
    "SparseRows": "hornbook.frame:SparseRows",
    "ThresholdLayers": "hornbook.networks:ThresholdLayers",
    "TransformedEuclidean": "hornbook.distances:TransformedEuclidean",
    "Tree": "hornbook.distances:Tree",
    "ValueDifference": "hornbook.distances:ValueDifference",
    "VersionSpace": "hornbook.concepts:VersionSpace",
}


@dataclass(frozen=True)
class TaskType:
    """A kind of question about data, and the functions that answer it."""

    name: str
    question: str
    answered_by: tuple[str, ...]


TASK_TYPES: tuple[TaskType, ...] = (
    TaskType("classification", "Is this melon ripe?", ("hornbook.NaiveBayes.predict",)),
    TaskType("segmentation", "Which kinds of customers are there?", ("hornbook.KMeans.fit_predict",)),
    TaskType("concept description", "What makes a melon ripe?", ("hornbook.NaiveBayes.describe",)),
    TaskType("prediction", "How much will be sold tomorrow?", ("hornbook.LinearRegression.predict",)),
    TaskType(
        "dependence",
        "Do rainy days and sales go together?",
        ("hornbook.evaluation.permutation_test", "hornbook.Frame.profile"),
    ),
    TaskType(
        "deviation",
        "Which payments are out of the ordinary?",
        ("hornbook.frame.outliers", "hornbook.OneClassSVM.fit_predict"),
    ),
)


def resolve(name: str) -> Any:
    """Return the object behind a public name of the root.

    Parameters
    ----------
    name : str
        For example ``"NaiveBayes"`` or ``"datasets"``.
    """
    if name in LEARNERS:
        return getattr(import_module(LEARNERS[name].module), name)
    if name in NAMES:
        return getattr(import_module(NAMES[name]), name)
    if name in MODULES:
        return import_module(f"hornbook.{name}")
    raise AttributeError(f"module 'hornbook' has no attribute {name!r}")


def learner_class(name: str) -> Any:
    """Return the class of a registered learner; raise KeyError for any other name."""
    return getattr(import_module(LEARNERS[name].module), name)


@dataclass(frozen=True)
class Card:
    """What a learner is and can do, derived from its class."""

    name: str
    tasks: tuple[Task, ...]
    can: tuple[str, ...]
    summary: str
    model_class: str
    objective: str
    optimizer: str

    def __str__(self) -> str:
        return f"{self.name}: {self.summary} ({', '.join(self.tasks)}; can {', '.join(self.can)})"


def learners(can: str | Iterable[str] = (), task: Task | None = None) -> list[Card]:
    """List the learners, all or those with certain capabilities.

    Parameters
    ----------
    can : str or iterable of str, default ()
        Required capabilities, as ``"missing,weights"`` or ``["missing", "weights"]``.
    task : {"classification", "regression", "clustering", "outliers", "transformation"}, optional
        What the learner is for.

    Returns
    -------
    cards : list of Card
        Name, tasks, capabilities and a sentence for each, and the scheme of its method: model class,
        objective and optimizer.

    Examples
    --------
    >>> import hornbook
    >>> [card.name for card in hornbook.learners(can="probabilities,partial_fit")]
    ['AODE', 'BayesClassifier', 'MLPClassifier', 'NaiveBayes', 'SPODE', 'TAN']
    """
    asked = can.split(",") if isinstance(can, str) else list(can)
    wanted = {word.strip() for word in asked if word.strip()}
    unknown = wanted - set(CAPABILITIES)
    if unknown:
        raise ValueError(f"unknown capability {min(unknown)!r}: choose from {', '.join(CAPABILITIES)}.")
    cards = [_card(name) for name in sorted(LEARNERS)]
    return [card for card in cards if wanted <= set(card.can) and (task is None or task in card.tasks)]


CAPABILITIES = (
    "categories",
    "missing",
    "weights",
    "blocks",
    "probabilities",
    "partial_fit",
    "sparse",
    "multi_output",
)


def _card(name: str) -> Card:
    cls = learner_class(name)
    has = {
        "categories": "nominal" in cls.accepts.kinds,
        "missing": cls.accepts.missing,
        "weights": "sample_weight" in signature(cls.fit).parameters,
        "blocks": hasattr(cls, "_fit_blocks"),
        "probabilities": hasattr(cls, "_proba"),
        "partial_fit": hasattr(cls, "_partial_fit"),
        "sparse": cls.accepts.sparse,
        "multi_output": cls.accepts.multi_output,
    }
    summary = cls.__doc__.strip().splitlines()[0].rstrip(".")
    scheme = (cls.model_class, cls.objective, cls.optimizer)
    return Card(
        name, LEARNERS[name].tasks, tuple(word for word in CAPABILITIES if has[word]), summary, *scheme
    )
