"""What both faces of gradient boosting share: losses by name, rounds of trees, early stopping."""
