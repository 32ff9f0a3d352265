"""Site audits: how ready a site is to be read, trusted and cited by AI systems. Pure: no Django."""
