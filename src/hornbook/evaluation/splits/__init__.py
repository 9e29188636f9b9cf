"""Splits of the rows into training and test sets."""
