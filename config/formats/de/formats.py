"""Times in German sentences: 22. November 2026 14:05 UTC."""

DATETIME_FORMAT = r"j. F Y H:i \U\T\C"
