"""Buyer evidence, read from pages, reviews and answers without a model: each item with its quotes. Pure."""

EVIDENCE_VERSION = 1
"""A whole number. Whoever changes what the rules find raises it; the evidence of every brand is then made anew."""
