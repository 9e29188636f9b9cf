# Written by scripts/lazy_stubs.py.
from hornbook.networks._mlp import MLPClassifier as MLPClassifier
from hornbook.networks._mlp import MLPRegressor as MLPRegressor
from hornbook.networks._sizes import hidden_units_estimate as hidden_units_estimate
from hornbook.networks._sizes import parameter_count as parameter_count
from hornbook.networks.mlp._penalties import SquaredWeights as SquaredWeights
from hornbook.networks.mlp._penalties import WeightElimination as WeightElimination
from hornbook.networks.mlp._penalties import WeightPenalty as WeightPenalty
from hornbook.networks.prototypes._lvq import LVQClassifier as LVQClassifier
from hornbook.networks.radial._rbf import RBFNetworkClassifier as RBFNetworkClassifier
from hornbook.networks.radial._rbf import RBFNetworkRegressor as RBFNetworkRegressor
from hornbook.networks.recurrent._elman import ElmanClassifier as ElmanClassifier
from hornbook.networks.recurrent._elman import ElmanRegressor as ElmanRegressor
from hornbook.networks.threshold._feed_forward import is_feed_forward as is_feed_forward
from hornbook.networks.threshold._layers import ThresholdLayers as ThresholdLayers
from hornbook.networks.threshold._regions import occupied_codes as occupied_codes
from hornbook.networks.threshold._regions import two_layers_suffice as two_layers_suffice
from hornbook.networks.threshold._threshold_network import ThresholdNetwork as ThresholdNetwork

HOMES: dict[str, str]
