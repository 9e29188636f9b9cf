"""What makes an answer good: every measure, and the checked columns they read."""
