"""Numbers from columns of any kind: statistics, bins, indicators, scaling."""
