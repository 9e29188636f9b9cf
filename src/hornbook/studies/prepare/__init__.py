"""Everything that is decided before anything is fitted."""
