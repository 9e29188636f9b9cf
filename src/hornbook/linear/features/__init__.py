"""Columns mapped before a linear function sees them."""
