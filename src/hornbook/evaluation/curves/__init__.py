"""Measures against a threshold, a number of rows or a parameter."""
