"""Trees in words, rules, code and pictures: what `describe`, `working` and `plot` are made of."""
