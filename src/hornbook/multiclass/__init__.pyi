# Written by scripts/lazy_stubs.py.
from hornbook.multiclass._one_vs_one import OneVsOne as OneVsOne
from hornbook.multiclass._one_vs_rest import OneVsRest as OneVsRest
from hornbook.multiclass._output_codes import OutputCodes as OutputCodes

HOMES: dict[str, str]
