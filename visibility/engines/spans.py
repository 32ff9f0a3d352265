"""Places of citations: the provider's offsets turned into character offsets of the text that is kept."""

from typing import Any

from visibility.engines.bodies import whole
from visibility.engines.protocol import Source


def spanned(url: str, title: str, base: int, length: int, start: Any, end: Any) -> Source:
    """A source whose span counts from `base` in a part of `length` characters; without span where that is off."""
    first, last = whole(start), whole(end)
    if first is None or last is None or not first < last <= length:
        return Source(url=url, title=title)
    return Source(url=url, title=title, start=base + first, end=base + last)


class ByteText:
    """Text addressed by UTF-8 bytes, as Gemini does."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = text.encode("utf-8", "replace")

    def place(self, start: int, end: int, quoted: str) -> tuple[int, int] | None:
        """The characters from byte `start` to byte `end`.

        Where these are not the `quoted` words, the place of those nearest to `start`; None where they are nowhere.
        """
        if quoted and self._bytes[start:end] != quoted.encode("utf-8", "replace"):
            return self._nearest(start, quoted)
        if not 0 <= start < end <= len(self._bytes):
            return None
        first = len(self._bytes[:start].decode("utf-8", "ignore"))
        return first, first + len(self._bytes[start:end].decode("utf-8", "ignore"))

    def _nearest(self, start: int, quoted: str) -> tuple[int, int] | None:
        target = len(self._bytes[:start].decode("utf-8", "ignore"))
        before = self._text.rfind(quoted, 0, target + len(quoted))
        after = self._text.find(quoted, target)
        places = [place for place in (before, after) if place >= 0]
        if not places:
            return None
        first = min(places, key=lambda place: abs(place - target))
        return first, first + len(quoted)
