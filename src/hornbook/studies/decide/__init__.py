"""How a model decides: thresholds by the costs of mistakes, and calibration."""
