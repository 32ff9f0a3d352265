"""Times in Spanish sentences: 22 de noviembre de 2026 14:05 UTC."""

DATETIME_FORMAT = r"j \d\e F \d\e Y H:i \U\T\C"
