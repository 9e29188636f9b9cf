"""K-medoids: clusters around rows, for any distance."""
