"""Texts and numbers, compared as people read them: white space, entities, quotes, case and formats do not matter."""

import html
import re
import unicodedata
from decimal import Decimal, InvalidOperation

_QUOTES = str.maketrans("\u2018\u2019\u02bc\u00b4\u201c\u201d\u201e\u00ab\u00bb", "''''" + '"' * 5)
"""Quotation marks in their plain forms."""
_TAG = re.compile(r"<[^<>]{0,2000}>")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?(?!\d)|\d+")
MAX_NUMBER = 18
"""Digits: a longer number is no price."""


def folded(text: str) -> str:
    """The text in one form: entities, tags, white space, quotes, dashes, accents composed, case."""
    plain = unicodedata.normalize("NFKC", html.unescape(_TAG.sub(" ", html.unescape(text))))
    return " ".join(plain.translate(_QUOTES).casefold().split())


def words_in(text: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(folded(text))


def declared_number(text: str) -> Decimal | None:
    """The first number of a value of structured data, read as schema.org has it written: a point parts decimals, also
    before three digits. Thousands are parted by commas where a point or another comma follows; a comma alone, which
    should not be there, parts decimals where one or two digits follow, and thousands where three do."""
    match = _NUMBER.search(text)
    written = re.sub(r"['’\u00a0\u202f ]", "", match[0]) if match else ""
    if not 0 < len(written) <= MAX_NUMBER:
        return None
    comma_decimal = written.count(",") == 1 and re.search(r",\d{1,2}$", written) is not None
    if comma_decimal or written.count(".") > 1:
        written = written.replace(".", "").replace(",", ".")
    return _decimals(written.replace(",", ""))[0]


def numbers_in(text: str) -> set[Decimal]:
    """Every value that a number of the text can have: 1.299 is 1299 and 1.299."""
    return {value for match in _NUMBER.finditer(text) for value in readings(match[0])}


def readings(written: str) -> list[Decimal]:
    """The values that a written number can have, the likelier first."""
    digits = re.sub(r"['’\u00a0\u202f ]", "", written)
    if not 0 < len(digits) <= MAX_NUMBER:
        return []
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return _decimals(digits)
    whole, rest = re.sub(r"[.,]", "", digits[:last]), digits[last + 1 :]
    grouped = len(rest) == 3 and 0 < len(re.split(r"[.,]", digits[:last])[-1]) <= 3
    if grouped and digits.count(digits[last]) > 1:
        return _decimals(whole + rest)
    return _decimals(whole + rest, f"{whole}.{rest}") if grouped else _decimals(f"{whole}.{rest}")


def _decimals(*texts: str) -> list[Decimal]:
    values = []
    for text in texts:
        try:
            values.append(Decimal(text))
        except InvalidOperation:
            continue
    return values
