"""Brands, their names and domains, the people who work on them, and the competitors they watch."""
