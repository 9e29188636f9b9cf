"""The one skeleton of all learners.

`Learner` checks and converts what the user passes and calls the learner's hooks; `Classifier`, `Regressor`,
`Clusterer` and `Transformer` say what the answer is, and `Predictor` what classifiers and regressors share.
`Description`, `Working` and `Table` are what fitted models return when asked about themselves. `Baseline`,
`Encoder` and `Scaled` are learners every study needs. A learner around others (an ensemble, one against the
rest) prepares its rows once with `prepare` and asks fitted members with `member_answers`, `member_proba` and
`member_scores`.
"""

from __future__ import annotations

from hornbook.base._baseline import Baseline
from hornbook.base._class_weight import ClassWeight, class_weights
from hornbook.base._classifier import Classifier, spread_scores
from hornbook.base._clusterer import Clusterer
from hornbook.base._encoder import Encoder
from hornbook.base._foreign import adopted
from hornbook.base._learner import Learner
from hornbook.base._members import (
    Prepared,
    member_answers,
    member_proba,
    member_rows,
    member_scores,
    member_variants,
    prepare,
)
from hornbook.base._predictor import Predictor
from hornbook.base._regressor import Regressor
from hornbook.base._row_plots import class_codes, draw_beside_rows, draw_outcomes, in_plane, on_line
from hornbook.base._scaled import Scaled
from hornbook.base._transformer import Transformer
from hornbook.base._working import Term, Working
from hornbook.base.intake._accepts import Accepts
from hornbook.display import Description, Table
from hornbook.params import Floats

__all__ = [
    "Accepts",
    "Baseline",
    "ClassWeight",
    "Classifier",
    "Clusterer",
    "Description",
    "Encoder",
    "Floats",
    "Learner",
    "Predictor",
    "Prepared",
    "Regressor",
    "Scaled",
    "Table",
    "Term",
    "Transformer",
    "Working",
    "adopted",
    "class_codes",
    "class_weights",
    "draw_beside_rows",
    "draw_outcomes",
    "in_plane",
    "member_answers",
    "member_proba",
    "member_rows",
    "member_scores",
    "member_variants",
    "on_line",
    "prepare",
    "spread_scores",
]
