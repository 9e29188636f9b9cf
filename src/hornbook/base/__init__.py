"""The one skeleton of all learners.

`Learner` checks and converts what the user passes and calls the learner's hooks; `Classifier`, `Regressor`,
`Clusterer`, `OutlierDetector` and `Transformer` say what the answer is, and `Predictor` what classifiers and
regressors share. `Description`, `Working` and `Table` are what fitted models return when asked about
themselves. `Baseline`, `Encoder` and `Scaled` are learners every study needs. A learner around others (an
ensemble, one against the rest) prepares its rows once with `prepare` and asks fitted members with
`member_answers`, `member_proba` and `member_scores`. `one_vs_one`, `one_vs_rest` and `binary_problem` cut
many classes into binary problems, `pair_votes`, `normalized` and `coupled` put the answers together, and a
`PlattSigmoid` turns scores into probabilities.
"""

from __future__ import annotations

from hornbook.base._baseline import Baseline
from hornbook.base._class_weight import ClassWeight as ClassWeight
from hornbook.base._class_weight import class_weights as class_weights
from hornbook.base._classifier import Classifier
from hornbook.base._clusterer import Clusterer
from hornbook.base._encoder import Encoder
from hornbook.base._foreign import adopted as adopted
from hornbook.base._kernel_columns import KernelColumns as KernelColumns
from hornbook.base._learner import Learner
from hornbook.base._members import Prepared, member_answers, member_proba, member_rows, member_scores, prepare
from hornbook.base._members import member_label_proba as member_label_proba
from hornbook.base._members import member_variants as member_variants
from hornbook.base._named_members import NamedMembers as NamedMembers
from hornbook.base._outlier_detector import OutlierDetector
from hornbook.base._predictor import Predictor
from hornbook.base._predictor import spread_scores as spread_scores
from hornbook.base._regressor import Regressor
from hornbook.base._row_plots import class_codes as class_codes
from hornbook.base._row_plots import draw_beside_rows as draw_beside_rows
from hornbook.base._row_plots import draw_outcomes as draw_outcomes
from hornbook.base._row_plots import in_plane as in_plane
from hornbook.base._row_plots import on_line as on_line
from hornbook.base._row_scores import DensityMixin as DensityMixin
from hornbook.base._scaled import Scaled
from hornbook.base._transformer import Transformer
from hornbook.base._working import Term, Working
from hornbook.base.binary_problems._codes import Code, binary_problem, one_vs_one, one_vs_rest
from hornbook.base.binary_problems._combination import coupled, normalized, pair_votes
from hornbook.base.binary_problems._combination import tie_breakers as tie_breakers
from hornbook.base.binary_problems._sigmoid import PlattSigmoid
from hornbook.base.intake._accepts import Accepts
from hornbook.base.intake._checks import refuse_infinite as refuse_infinite
from hornbook.base.intake._one_row import one_row as one_row
from hornbook.display import Description, Table

__all__ = [
    "Accepts",
    "Baseline",
    "Classifier",
    "Clusterer",
    "Code",
    "Description",
    "Encoder",
    "Learner",
    "OutlierDetector",
    "PlattSigmoid",
    "Predictor",
    "Prepared",
    "Regressor",
    "Scaled",
    "Table",
    "Term",
    "Transformer",
    "Working",
    "binary_problem",
    "coupled",
    "member_answers",
    "member_proba",
    "member_rows",
    "member_scores",
    "normalized",
    "one_vs_one",
    "one_vs_rest",
    "pair_votes",
    "prepare",
]
