"""Whether every number of a text is one of its sources': what a model works out or makes up is not shown. Pure."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?")
_LIST_MARK = re.compile(r"^[^\S\n]*+\d{1,2}[.)]\s", re.MULTILINE)
_SPACES = re.compile(r"['’\u00a0\u202f ]")
_SEPARATORS = re.compile(r"[.,]")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?")
_MAX_DECIMALS = 2
_MAX_ROUNDED = Decimal(10) ** 15
"""What is larger is said as it is."""


def unfounded(text: str, sources: Iterable[str]) -> list[str]:
    """The numbers of the text, in digits, that no source has, also not rounded as they are: "12 %" may stand for
    11.76. Separators of thousands and decimals are read as in any of the four languages. Numbers in words are not
    looked at, nor those that only count the items of a list."""
    known = {value for source in sources for token in _NUMBER.findall(source) for value in _values(token)}
    figures = [value for value in known if value < _MAX_ROUNDED]
    rounded = {round(value, decimals) for value in figures for decimals in range(_MAX_DECIMALS + 1)}
    tokens = dict.fromkeys(_NUMBER.findall(_LIST_MARK.sub(" ", text)))
    return [token for token in tokens if not any(_stands(value, known, rounded) for value in _values(token))]


def _stands(value: Decimal, known: set[Decimal], rounded: set[Decimal]) -> bool:
    """Decimals are equal whatever zeros they end with; rounding up of halves is as good as to the even one."""
    step = Decimal(1).scaleb(int(value.as_tuple().exponent))
    half = step / 2
    return value in known or value in rounded or any(abs(value - other) == half for other in known)


def _values(token: str) -> Iterator[Decimal]:
    """What a number can mean: "1,234" is one thousand or one and a fraction, by language."""
    plain = _SPACES.sub("", token)
    if _GROUPED.fullmatch(plain):
        *groups, last = _SEPARATORS.split(plain)
        yield Decimal("".join([*groups, last]) if len(last) == 3 else f"{''.join(groups)}.{last}")
    if plain.count(".") + plain.count(",") <= 1:
        yield Decimal(plain.replace(",", "."))
