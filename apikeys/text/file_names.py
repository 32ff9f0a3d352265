"""Names of files from words of others: nothing that a file system or a header could read otherwise."""

import re
import unicodedata

MAX_FILE_NAME = 80
_OTHER = re.compile(r"[^a-z0-9]+")


def file_stem(text: str) -> str:
    """Letters and digits of ASCII with dashes between them, letters without their accents; empty where there are
    none."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _OTHER.sub("-", plain).strip("-")[:MAX_FILE_NAME].strip("-")
