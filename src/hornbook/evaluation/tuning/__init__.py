"""The search for good parameters, and how good what it finds really is."""
