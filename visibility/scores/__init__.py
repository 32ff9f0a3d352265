"""Scores: what was measured on each day, with its uncertainty."""
