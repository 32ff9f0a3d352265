"""Metrics: from counts to figures with their uncertainty, and to changes. Knows no Django."""
