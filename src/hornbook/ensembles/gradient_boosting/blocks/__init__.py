"""Boosting from rows that are not in memory: in files, or on other machines."""
