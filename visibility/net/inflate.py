"""Inflates gzip up to a bound, so that a bomb of a thousand times its size takes no more than a page."""

import zlib

_GZIP = 16 + zlib.MAX_WBITS
_AT_ONCE = 4_096
"""Bytes to inflate at a time: the rest behind each member is copied, and there may be very many members."""


class BodyError(ValueError):
    """A body that cannot be read; the text is a sentence for people."""


class BrokenGzip(BodyError):
    """The data is no gzip, or damaged."""


class UnknownCoding(BodyError):
    """The body is compressed in a way that nobody asked for."""


class Inflater:
    """Inflates data piece by piece, also several members in a row, to at most `limit` bytes in all."""

    def __init__(self, limit: int) -> None:
        self._room = limit
        self._member = zlib.decompressobj(_GZIP)
        self._out = bytearray()
        self._begun = False
        self.cut = False
        """There is more than the limit allows."""

    def feed(self, data: bytes) -> None:
        """Inflate further data, which is ignored once the result is `cut`. Raises BrokenGzip."""
        for start in range(0, len(data), _AT_ONCE):
            if self.cut:
                return
            self._take(data[start : start + _AT_ONCE])

    def _take(self, data: bytes) -> None:
        while data and not self.cut:
            if self._member.eof:
                # Padding may follow the last member; browsers pass over it.
                if not data.startswith(b"\x1f"):
                    return
                self._member = zlib.decompressobj(_GZIP)
            self._begun = True
            try:
                # One byte more than there is room for shows whether the body is cut or just fits.
                piece = self._member.decompress(data, self._room + 1)
            except zlib.error as error:
                raise BrokenGzip("The compressed body is damaged.") from error
            self.cut = len(piece) > self._room
            self._out += piece[: self._room]
            self._room -= min(len(piece), self._room)
            data = self._member.unconsumed_tail or self._member.unused_data

    @property
    def complete(self) -> bool:
        """Whether the data ended where a member does, or there was none."""
        return self._member.eof or not self._begun

    def inflated(self) -> bytes:
        """The bytes inflated since the last call, up to the limit."""
        inflated, self._out = bytes(self._out), bytearray()
        return inflated
