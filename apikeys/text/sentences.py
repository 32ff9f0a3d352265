"""Pieces of plain sentences: a text on one line, a list in words, a beginning."""

from collections.abc import Sequence

from apikeys.text.untrusted import clean


def one_line(text: str) -> str:
    """The text on one line, without characters that hide or reorder."""
    return " ".join(clean(text).split())


def joined(names: Sequence[str]) -> str:
    """At least one name, and as many as there are, as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, in at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """A number with what is counted: "1 page", "3 pages". `many` where an s is not enough: "pages are"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
