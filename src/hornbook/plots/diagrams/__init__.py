"""Diagrams: boxes and arrows, neurons and networks of them with their symbols."""
