"""Answers: what is detected in them."""
