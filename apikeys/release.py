"""Which release this is."""

VERSION = "0.2.0"
"""As in pyproject.toml."""
