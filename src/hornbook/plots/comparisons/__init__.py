"""Learners side by side, tests, and what an error is made of."""
