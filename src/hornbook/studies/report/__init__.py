"""The report of a study: the page, its figures and tables, and the files of a run."""
