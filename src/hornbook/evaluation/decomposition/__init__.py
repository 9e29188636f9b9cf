"""Where an error comes from: noise, bias, variance, and the risk to expect."""
