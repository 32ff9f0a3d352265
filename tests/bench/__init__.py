"""Benchmarks: each is a ratio to a limit measured in the same run on the same machine. `make bench`."""
