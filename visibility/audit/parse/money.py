"""Amounts of money in a text: a number beside a sign or code of a currency."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CODES = (
    "AED ARS AUD BGN BRL BYN CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KES KRW KWD KZT"
    " MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD UYU VND ZAR"
)
CODES = frozenset(_CODES.split())
"""What stands beside prices of shops; not each of the 180 codes, some of which are words (ALL, TOP, LAK)."""
SIGNS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₴": "UAH", "₺": "TRY", "₪": "ILS",
    "฿": "THB",
    "₫": "VND", "₦": "NGN", "₱": "PHP", "₸": "KZT", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON", "лв": "BGN",
    "kn": "HRK", "тг": "KZT", "тенге": "KZT", "руб": "RUB", "грн": "UAH", "원": "KRW", "円": "JPY", "元": "TWD",
    "ر.س": "SAR", "د.إ": "AED", "tl": "TRY", "fr": "CHF", "sfr": "CHF", "rs": "INR", "kr": "SEK", "rp": "IDR",
    "rm": "MYR",
    "us$": "USD", "ca$": "CAD", "c$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "hk$": "HKD", "nt$": "TWD",
    "s$": "SGD", "r$": "BRL", "mx$": "MXN", "$": "USD", "euro": "EUR", "euros": "EUR",
    "б.р": "BYN",
}  # fmt: skip
SHARED = {
    "$": {"ca": "CAD", "au": "AUD", "nz": "NZD", "mx": "MXN", "cl": "CLP", "ar": "ARS", "co": "COP", "sg": "SGD",
    "hk": "HKD",
          "tw": "TWD", "uy": "UYU"},
    "rs": {"pk": "PKR"}, "kr": {"no": "NOK", "dk": "DKK", "is": "ISK"}, "руб": {"by": "BYN"}, "¥": {"cn": "CNY"},
    "元": {"cn": "CNY"}, "fr": {},
}  # fmt: skip
"""Signs of several currencies, by the country in a host's name or a language's region."""

_SIGN = "|".join(
    re.escape(sign) for sign in sorted([*SIGNS, *(code.lower() for code in CODES)], key=len, reverse=True)
)
_SPACE = "[\u0020\u00a0\u2009\u202f]"
_NUMBER = (
    rf"\d{{1,3}}(?:(?:[.,'’]|{_SPACE})\d{{3}}){{1,6}}(?:[.,]\d{{1,2}})?(?!\d)|\d{{1,9}}(?:\s?[.,]\s?\d{{1,3}})?(?!\d)"
)
_MONEY = re.compile(
    rf"(?<![\w])(?P<before>{_SIGN})\.?{_SPACE}{{0,2}}(?P<after_sign>{_NUMBER})(?![^\W\d_])"
    rf"|(?<![\w.,])(?P<number>{_NUMBER})(?:,[-–—]{{1,2}}|\.-)?{_SPACE}{{0,2}}(?P<after>{_SIGN})(?![^\W\d_])",
    re.IGNORECASE,
)

_RANGE = re.compile(rf"(?<![\w.,])({_NUMBER})\s?[-–—]\s?$")
"""The lower end of a range whose sign stands at its upper end: `502,20 – 558,00 €`."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount (`1299.00`), its currency, the words and where they begin in the text."""

    amount: str
    currency: str
    quote: str
    start: int


def money_in(text: str, country: str = "", declared: str = "") -> Iterator[Money]:
    """The amounts in a text. `country`: ISO 3166 in lower case, tells which dollar; `declared`: the currency that the
    page names for its offer, wins where the sign leaves it open."""
    for match in _MONEY.finditer(text):
        sign = (match["before"] or match["after"]).lower()
        lower = _RANGE.search(text[max(0, match.start() - 20) : match.start()]) if match["number"] else None
        if lower:
            start = match.start() - len(lower[0])
            yield Money(plain(lower[1]), _currency(sign, country, declared), text[start : match.end()].strip(), start)
        amount = plain(match["after_sign"] or match["number"])
        if amount:
            yield Money(amount, _currency(sign, country, declared), match[0].strip(), match.start())


def _currency(sign: str, country: str, declared: str) -> str:
    if sign.upper() in CODES:
        return sign.upper()
    choices = SHARED.get(sign)
    if choices is None:
        return SIGNS[sign]
    if declared in CODES and (declared in choices.values() or declared == SIGNS[sign]):
        return declared
    return choices.get(country, SIGNS[sign])


def plain(number: str) -> str:
    """An amount with a point and no separators: `1.299,00` and `1,299.00` are both `1299.00`. Where one separator
    stands before three digits, it parts thousands."""
    number = re.sub(r"[\s'’\u00a0\u2009\u202f]", "", number)
    last = max(number.rfind("."), number.rfind(","))
    if last < 0:
        return number
    whole, rest = re.sub(r"[.,]", "", number[:last]), number[last + 1 :]
    several = len(re.findall(re.escape(number[last]), number)) > 1
    if len(rest) == 3 and (several or len(set(number) & {".", ","}) == 1):
        return whole + rest
    return f"{whole or '0'}.{rest}" if not several else whole + rest


def same_amount(one: str, other: str) -> bool:
    """Whether two amounts are the same: `20` and `20.00` are."""
    try:
        return abs(float(one) - float(other)) < 0.005
    except ValueError:
        return False
