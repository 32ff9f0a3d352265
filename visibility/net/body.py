"""The body of a response, up to a bound."""

from dataclasses import dataclass

import aiohttp

from visibility.net.inflate import BrokenGzip, Inflater, UnknownCoding

READ_AT_ONCE = 65_536
_GZIP = frozenset({"gzip", "x-gzip"})


@dataclass(frozen=True, slots=True)
class Bounded:
    """A body, inflated; `cut`: there is more than the bound allows. `received`: bytes as they were sent."""

    content: bytes
    cut: bool
    received: int


async def read_body(response: aiohttp.ClientResponse, max_bytes: int) -> Bounded:
    """At most `max_bytes` of a body, as sent and as inflated; the connection of a longer one is closed.

    Raises BodyError where it is damaged, or compressed in another way than gzip.
    """
    inflater = Inflater(max_bytes) if _is_gzip(response) else None
    plain = bytearray()
    received = 0
    async for part in response.content.iter_chunked(READ_AT_ONCE):
        received += len(part)
        if inflater:
            inflater.feed(part)
        else:
            plain += part
        if received > max_bytes or (inflater and inflater.cut):
            response.close()  # nothing of the rest is awaited
            break
    else:
        if inflater and not inflater.complete:
            raise BrokenGzip("The compressed body is damaged.")
    cut = received > max_bytes or (inflater is not None and inflater.cut)
    content = inflater.inflated() if inflater else bytes(memoryview(plain)[:max_bytes])
    return Bounded(content, cut, received)


def _is_gzip(response: aiohttp.ClientResponse) -> bool:
    """Whether the body is gzip. Raises UnknownCoding for any other coding."""
    coding = ", ".join(response.headers.getall("Content-Encoding", [])).strip().lower()
    if coding in _GZIP:
        return True
    if coding not in ("", "identity"):
        raise UnknownCoding(f"The body is compressed in a way that was not asked for ({coding[:40]}).")
    return False
