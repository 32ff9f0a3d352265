"""The short form of results: what models are given unless they ask for all."""
