"""Which media type answers a request."""

import re
from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

_QUALITY = re.compile(r";\s*q\s*=\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*(?:;|$)", re.IGNORECASE)


class AcceptNegotiation(BaseContentNegotiation):
    """By the header Accept alone (RFC 9110, 12.5.1): the most specific range decides, and q=0 refuses.

    Parameters other than q, such as charset, are passed over: our types have none.
    """

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """None: no endpoint reads a body."""
        return None

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer that the client accepts; raises NotAcceptable when it accepts none."""
        qualities = qualities_of(request.META.get("HTTP_ACCEPT", "").strip() or "*/*")
        for renderer in renderers:
            main = renderer.media_type.partition("/")[0]
            for media_range in (renderer.media_type, f"{main}/*", "*/*", "*"):
                if media_range in qualities:
                    if qualities[media_range] > 0:
                        return renderer, renderer.media_type
                    break
        raise NotAcceptable


def qualities_of(header: str) -> dict[str, float]:
    """The highest quality of each item in an Accept header; 1 where none is given or it is not a number."""
    qualities: dict[str, float] = {}
    for part in header.split(","):
        media_range = part.partition(";")[0].strip().lower()
        quality = _QUALITY.search(part)
        qualities[media_range] = max(qualities.get(media_range, 0.0), float(quality[1]) if quality else 1.0)
    return qualities
