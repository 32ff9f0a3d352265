"""Times in French sentences: 22 novembre 2026 14:05 UTC."""

DATETIME_FORMAT = r"j F Y H:i \U\T\C"
