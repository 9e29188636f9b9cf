"""What a reader gets: the page, its figures and tables, the files of a run."""
