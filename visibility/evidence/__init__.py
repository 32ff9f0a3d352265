"""Buyer evidence, read from pages, reviews and answers without a model: each item with its quotes. Pure."""
