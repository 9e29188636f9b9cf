"""Intervals that hold a mean, a share or any statistic, and numbers as text."""
