"""Text made from another text that still knows where each of its characters came from."""

from bisect import bisect_right
from dataclasses import dataclass, field

_PARTING = " \t\n\0,;|\u00b7"


@dataclass(slots=True)
class MappedText:
    """A text under construction, with the place of every part in the source it was made from.

    A part is either a verbatim copy of the source (its characters map one to one) or a substitute (it stands,
    as a whole, for a stretch of the source). Positions and lengths are in characters. Where `made_from` is given it
    is the source, and places are told as places in the source of that.
    """

    made_from: "MappedText | None" = None
    _parts: list[str] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)
    _origins: list[int] = field(default_factory=list)
    _widths: list[int] = field(default_factory=list)
    length: int = 0
    _read: int = 0
    _last: int = -1

    def copy(self, text: str, origin: int) -> None:
        """Append `text`, whose characters stand one to one at `origin` and after in the source."""
        self._append(text, origin, -1)

    def substitute(self, text: str, origin: int, width: int) -> None:
        """Append `text`, which stands as a whole for `width` characters of the source from `origin` on."""
        self._append(text, origin, width)

    def _append(self, text: str, origin: int, width: int) -> None:
        if text:
            self._parts.append(text)
            self._starts.append(self.length)
            self._origins.append(origin)
            self._widths.append(width)
            self.length += len(text)

    def ends_with(self, endings: tuple[str, ...]) -> bool:
        """Whether what has been made so far ends with one of these, but for white space, NUL and marks that part one
        label from the next."""
        for place in range(self._read, len(self._parts)):
            if self._parts[place].rstrip(_PARTING):
                self._last = place
        self._read = len(self._parts)
        return self._last >= 0 and self._parts[self._last].rstrip(_PARTING).endswith(endings)

    @property
    def text(self) -> str:
        """What has been made so far."""
        if len(self._parts) != 1:
            self._parts = ["".join(self._parts)]
            self._read, self._last = 0, -1
        return self._parts[0]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that `text[start:end]` (not empty) was made from."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, end - 1) - 1
        begin = self._origins[first]
        if self._widths[first] < 0:
            begin += start - self._starts[first]
        stop = self._origins[last]
        stop += self._widths[last] if self._widths[last] >= 0 else end - self._starts[last]
        return self.made_from.source_span(begin, stop) if self.made_from else (begin, stop)
