"""Confidence intervals of a mean, a proportion or any statistic, and numbers as text."""
