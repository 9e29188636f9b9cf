"""What targets become for hooks: several at once, and the weights of classes."""
