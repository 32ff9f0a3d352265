"""Foreign text and numbers, made such that every database takes them."""

import math
import re
from typing import Any

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that no database takes."""


def storable(value: Any) -> Any:
    """The value with every character and number that a database refuses replaced, each by one in its place:

    NUL and lone surrogates by U+FFFD (offsets into the text stay right), NaN and infinities by null.
    """
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {storable(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [storable(item) for item in value]
    return value
