"""Linear models in words, tables and pictures: what `describe`, `working` and `plot` are made of."""
