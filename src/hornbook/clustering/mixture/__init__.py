"""Parts of `GaussianMixture`: components and their estimates, starts, passes, what it says and draws."""
