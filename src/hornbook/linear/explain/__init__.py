"""How `describe`, `working` and `plot` present linear models."""
