"""Comparisons of learners, tests, and the components of an error."""
