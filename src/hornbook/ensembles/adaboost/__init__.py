"""Boosting by weights: every member learns mostly from the rows that those before it got wrong."""
