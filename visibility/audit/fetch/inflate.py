"""Gzip, read no further than a bound: a bomb of a thousand times its size ends where a page would."""

import zlib

_GZIP = 16 + zlib.MAX_WBITS


class BrokenGzip(ValueError):
    """The data is no gzip, or damaged."""


class Inflater:
    """Inflates what comes piece by piece, also several members in a row, to at most `limit` bytes in all."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._member = zlib.decompressobj(_GZIP)
        self._out = bytearray()
        self._begun = False
        self.cut = False
        """There is more than the limit allows."""

    def feed(self, data: bytes) -> None:
        """Take further data. What comes once it is `cut` is not looked at. Raises BrokenGzip."""
        while data and not self.cut:
            if self._member.eof:
                # Padding may follow the last member; browsers pass over it.
                if not data.startswith(b"\x1f"):
                    return
                self._member = zlib.decompressobj(_GZIP)
            self._begun = True
            room = self._limit - len(self._out)
            try:
                # One byte more than there is room for tells a body that just fits from one that is cut.
                self._out += self._member.decompress(data, room + 1)
            except zlib.error as error:
                raise BrokenGzip("The data is not gzip, or damaged.") from error
            self.cut = len(self._out) > self._limit
            data = self._member.unconsumed_tail or self._member.unused_data

    @property
    def complete(self) -> bool:
        """Whether the data ended where a member does, or there was none."""
        return self._member.eof or not self._begun

    def inflated(self) -> bytes:
        """What was inflated, up to the limit."""
        return bytes(memoryview(self._out)[: self._limit])


def inflate(data: bytes, limit: int) -> tuple[bytes, bool]:
    """The inflated data, at most `limit` bytes, and whether it was cut: longer than that, or its end is missing.

    Raises BrokenGzip.
    """
    inflater = Inflater(limit)
    inflater.feed(data)
    return inflater.inflated(), inflater.cut or not inflater.complete
