"""Imports: answers that were captured elsewhere, from files to figures."""
