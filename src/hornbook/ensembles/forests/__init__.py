"""What forests of trees share: rows they draw, how they grow, what can be asked of them."""
