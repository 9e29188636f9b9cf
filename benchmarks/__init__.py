"""The same work on Hornbook and on its peers, in one process, best of several.

Every public module here is one benchmark: it has a function ``run(setting)`` that yields tables, and each
table states its target. Start them with ``python -m benchmarks NAME...`` or ``make bench``.
"""

from __future__ import annotations
