"""Signing in: how often a password may be wrong, and who signed in."""
