"""Summaries of columns, and problems of a table."""
