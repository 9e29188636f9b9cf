"""K-means in the feature space of a kernel."""
