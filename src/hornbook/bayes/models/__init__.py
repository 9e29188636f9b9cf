"""What Bayes classifiers count and store: tables, densities, trees and networks of columns."""
