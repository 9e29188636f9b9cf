"""Combining predictors: rules for votes, numbers and probabilities; voting, stacking and calibration."""
