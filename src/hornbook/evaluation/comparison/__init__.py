"""Learners side by side on the same folds: scores, standings and the verdict."""
