# Written by scripts/lazy_stubs.py.
from hornbook.cluster._blocks import blocks as blocks
from hornbook.cluster._connection import connected as connected
from hornbook.cluster._costs import ClusterCosts as ClusterCosts
from hornbook.cluster._faults import LostClusterError as LostClusterError
from hornbook.cluster._file_parts import file_parts as file_parts
from hornbook.cluster._measure import measure as measure
from hornbook.cluster._scan import scan as scan

HOMES: dict[str, str]
