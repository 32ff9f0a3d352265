"""Where the talk is of buying, selling and using, a name that also means something else is likely a brand."""

import re
from functools import lru_cache

from visibility.detection.names.lists import TRADE

_WORD = re.compile(r"[^\W\d_]+")
_PRICE = re.compile(r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?[$\u20ac\u00a3\u00a5]")
_UNSPACED = re.compile("|".join(map(re.escape, sorted(TRADE.unspaced))))


@lru_cache(maxsize=2_048)
def speaks_of_trade(text: str) -> bool:
    """Whether a text has a word of the trade in it, or a price."""
    return not TRADE.words.isdisjoint(_WORD.findall(text.lower())) or _PRICE.search(text) is not None


@lru_cache(maxsize=2_048)
def speaks_of_trade_unspaced(text: str) -> bool:
    """The same of a text in a script without spaces or capitals."""
    return _UNSPACED.search(text) is not None
