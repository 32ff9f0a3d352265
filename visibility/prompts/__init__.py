"""Prompts: what engines are asked, with every wording on record."""
