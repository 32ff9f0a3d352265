"""Faults that are planted on purpose: each must fail a test. `make mutants`."""
