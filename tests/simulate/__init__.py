"""Simulations of what the figures promise, over the whole grid: `python -m tests.simulate`."""
