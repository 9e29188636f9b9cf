"""Measures of predictions, and the input checks they share."""
