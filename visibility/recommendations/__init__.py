"""Recommendations: what to do, with the evidence for it."""
