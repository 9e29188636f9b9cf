# Written by scripts/lazy_stubs.py.
from hornbook.imbalance._cost_sensitive import CostSensitive as CostSensitive
from hornbook.imbalance._samplers import OverSampler as OverSampler
from hornbook.imbalance._samplers import UnderSampler as UnderSampler
from hornbook.imbalance._threshold_moving import ThresholdMoving as ThresholdMoving

HOMES: dict[str, str]
