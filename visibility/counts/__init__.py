"""Counts: the one reader of cells. How often answers name whom, by what, and who is ahead; see README.md."""
