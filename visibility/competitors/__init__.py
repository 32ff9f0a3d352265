"""Competitors: how they do in the same answers, who might be one, and where they are named and the brand is not."""
