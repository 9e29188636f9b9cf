"""scikit-learn's own suite on every learner."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.contract.learners import instances

# The only checks a learner may fail, each with its reason. Learners that draw belong here for
# check_sample_weight_equivalence_*; none of those registered now draws in these settings.
EXPECTED_FAILURES: dict[str, dict[str, str]] = {}


def expected(learner):
    return EXPECTED_FAILURES.get(type(learner).__name__, {})


@pytest.mark.filterwarnings("default")  # the suite provokes warnings on purpose
@parametrize_with_checks(instances(), expected_failed_checks=expected)
def test_suite(estimator, check):
    check(estimator)
