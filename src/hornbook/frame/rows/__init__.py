"""Where the rows of `Blocks` are, and how sums over them are computed there."""
