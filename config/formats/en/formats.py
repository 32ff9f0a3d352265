"""Days and times in words that are the same in every country; all times are UTC and say so."""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = r"j M Y, H:i \U\T\C"
