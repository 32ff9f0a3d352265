"""Runs: one scan, audit or comparison of a brand."""
