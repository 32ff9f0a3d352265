"""Product cards in flat text: a name, its price and its rating without a space between them."""

import re
from collections.abc import Iterator

_MAX_LENGTH = 200
_PRICE = re.compile(r"[$\u20ac\u00a3]\d[\d,.]*")
_END = re.compile(
    r"\d[\d.,]{0,30}(?:\([^()]{1,20}\))?(?=[A-Z])|\)(?=[A-Z\d])|[\xa0\0\n]|[.!?]\s?(?=[A-Z])|\s{2,}|[:$]"
)


def cards(shown: str) -> Iterator[tuple[int, int]]:
    """Where the names of cards stand: the words directly before a price, up to the card or sentence before."""
    done = 0
    for price in _PRICE.finditer(shown):
        start = max(done, price.start() - _MAX_LENGTH)
        for end in _END.finditer(shown, start, price.start()):
            start = end.end()
        if start + 3 < price.start() and not shown[price.start() - 1].isspace():
            yield start, price.start()
        done = price.end()
