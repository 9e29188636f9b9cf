# Written by scripts/lazy_stubs.py.
from hornbook.datasets._boolean import boolean as boolean
from hornbook.datasets._generators import double_moon as double_moon
from hornbook.datasets._generators import gaussians as gaussians
from hornbook.datasets._generators import noisy_trend as noisy_trend
from hornbook.datasets._generators import two_samples as two_samples
from hornbook.datasets._iris import iris as iris
from hornbook.datasets._load import is_name as is_name
from hornbook.datasets._load import load as load
from hornbook.datasets._load import names as names
from hornbook.datasets._play_tennis import play_tennis as play_tennis
from hornbook.datasets._points import boosting_points as boosting_points
from hornbook.datasets._points import butterfly as butterfly
from hornbook.datasets._points import margin_points as margin_points
from hornbook.datasets._uci import glass as glass
from hornbook.datasets._uci import spam as spam
from hornbook.datasets._watermelon import watermelon as watermelon

HOMES: dict[str, str]
LENT: dict[str, str]
