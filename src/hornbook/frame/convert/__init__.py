"""Conversion of tables of any library into typed columns, and back."""
