"""A brand, or all of a caller's brands, at a glance."""
