"""Networks of threshold units by construction: layers, regions and their codes, formulas, trees."""
