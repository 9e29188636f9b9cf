"""Which clustering to trust: stability under resampling, the number of clusters, clusters in words."""
