"""One way to write days and times, on all pages and in the admin: 22 Nov 2026, 22 Nov 2026 14:05 UTC."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = r"j M Y H:i \U\T\C"
