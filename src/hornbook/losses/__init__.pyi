# Written by scripts/lazy_stubs.py.
from hornbook.losses._cross_entropy import CrossEntropy as CrossEntropy
from hornbook.losses._cross_entropy import RelativeEntropy as RelativeEntropy
from hornbook.losses._huber import HuberLoss as HuberLoss
from hornbook.losses._log_loss import LogLoss as LogLoss
from hornbook.losses._log_mean_losses import GammaLoss as GammaLoss
from hornbook.losses._log_mean_losses import PoissonLoss as PoissonLoss
from hornbook.losses._log_mean_losses import TweedieLoss as TweedieLoss
from hornbook.losses._logistic import log_odds as log_odds
from hornbook.losses._logistic import logistic as logistic
from hornbook.losses._logistic import odds as odds
from hornbook.losses._logistic import unit_step as unit_step
from hornbook.losses._loss import Loss as Loss
from hornbook.losses._margin_losses import ExponentialLoss as ExponentialLoss
from hornbook.losses._margin_losses import HingeLoss as HingeLoss
from hornbook.losses._margin_losses import MarginLoss as MarginLoss
from hornbook.losses._margin_losses import SquaredHingeLoss as SquaredHingeLoss
from hornbook.losses._margin_losses import SquaredMarginLoss as SquaredMarginLoss
from hornbook.losses._margin_losses import ZeroOneLoss as ZeroOneLoss
from hornbook.losses._quantile_losses import AbsoluteError as AbsoluteError
from hornbook.losses._quantile_losses import QuantileLoss as QuantileLoss
from hornbook.losses._region_search import Regions as Regions
from hornbook.losses._region_search import line_minimizers as line_minimizers
from hornbook.losses._softmax import SoftmaxLoss as SoftmaxLoss
from hornbook.losses._squared_error import SquaredError as SquaredError

HOMES: dict[str, str]
LENT: dict[str, str]
