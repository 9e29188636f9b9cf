"""Everything that is decided before fitting."""
