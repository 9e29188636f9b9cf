"""Learners that are weighted sums of kernel values, other than support vector machines."""
