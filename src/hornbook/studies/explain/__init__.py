"""The table and the errors of a model, column by column: where a column matters, and where a model fails."""
