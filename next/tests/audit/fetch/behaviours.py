"""How servers misbehave: what a hostile or broken one does with a single request."""

import gzip
import zlib
from functools import cache

from tests.audit.fetch.servers import answer, ends, forever, redirect, says

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
GZIPPED = ("Content-Type: text/html", "Content-Encoding: gzip")
MEGABYTE = 2**20
# One that inflates to nothing, again and again; and the header of a gzip whose body is such a block without end.
EMPTY_MEMBER = gzip.compress(b"", mtime=0)
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"


@cache
def bomb(megabytes=2_000):
    """Gzip that inflates to so much, from a kilobyte for each megabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    zeros = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return GZIP_HEAD + zeros * megabytes


@cache
def nested_bomb():
    """Gzip within gzip, both said to be so."""
    return gzip.compress(bomb(), mtime=0)


EXHAUSTING = {
    "/drip-body": lambda: forever(answer(200, "Content-Length: 100000", length=False), b"x", pause=0.2),
    "/drip-chunks": lambda: forever(CHUNKED, b"1\r\nx\r\n", pause=0.2),
    "/drip-header": lambda: forever(OK, b"X", pause=0.2),
    "/drip-fields": lambda: forever(OK, b"X-A: b\r\n", pause=0.2),
    "/drip-status": lambda: forever(b"HTTP/1.1 200 ", b"a", pause=0.2),
    "/drip-gzip": lambda: forever(answer(200, *GZIPPED, length=False) + GZIP_HEAD, EMPTY_BLOCK, pause=0.2),
    "/silence": lambda: forever(b"", b"", pause=0.2),
    "/drip-informational": lambda: forever(b"", b"HTTP/1.1 103 Early\r\n\r\n", pause=0.2),
    "/drip-redirect": lambda: forever(b"HTTP/1.1 301 Moved\r\nLocation: /", b"a", pause=0.2),
    "/drip-body-after-redirects": lambda: redirect("/drip-body"),
    "/drip-chunk-extension": lambda: forever(CHUNKED + b"1;", b"a", pause=0.2),
    "/drip-trailer": lambda: forever(CHUNKED + b"0\r\n", b"X: y\r\n", pause=0.2),
    "/flood-informational": lambda: forever(b"", b"HTTP/1.1 103 Early\r\n\r\n" * 3_000),
    "/flood-line-breaks": lambda: forever(b"", b"\r\n" * 30_000),
    "/flood-chunk-extension": lambda: forever(CHUNKED + b"1;", b"a" * 60_000),
}
"""What goes on and on, mostly slowly, and never becomes a body: only the deadline ends it."""

CUT = {
    "/endless-body": lambda: forever(answer(200, length=False), bytes(65_536)),
    "/endless-chunks": lambda: forever(CHUNKED, b"10000\r\n" + bytes(65_536) + b"\r\n"),
    "/huge-length": lambda: forever(answer(200, "Content-Length: 99999999999", length=False), bytes(65_536)),
    "/bomb": lambda: says(answer(200, *GZIPPED, body=bomb())),
    "/bomb-chunked": lambda: forever(
        answer(200, *GZIPPED, "Transfer-Encoding: chunked", length=False),
        f"{len(bomb(64)):x}\r\n".encode() + bomb(64) + b"\r\n",
    ),
    "/endless-empty-members": lambda: forever(answer(200, *GZIPPED, length=False), EMPTY_MEMBER * 3_000),
    "/endless-empty-blocks": lambda: forever(answer(200, *GZIPPED, length=False) + GZIP_HEAD, EMPTY_BLOCK * 13_000),
    "/nested-bomb": lambda: says(answer(200, *GZIPPED, body=nested_bomb())),
}
"""What is more than anybody wants: its beginning is taken. A nested one inflates once, to gzip that fits."""

BROKEN = {
    "/http-09": (lambda: ends(b"<html>no header at all</html>"), "bad_response"),
    "/no-status": (lambda: ends(b"HTTP/1.1\r\n\r\n"), "bad_response"),
    "/other-protocol": (lambda: ends(b"SSH-2.0-OpenSSH_9.2\r\n"), "bad_response"),
    "/short-body": (lambda: ends(answer(200, "Content-Length: 100", body=b"abc", length=False)), "bad_response"),
    "/negative-length": (lambda: ends(answer(200, "Content-Length: -1", length=False)), "bad_response"),
    "/two-lengths": (
        lambda: ends(answer(200, "Content-Length: 1", "Content-Length: 2", body=b"ab", length=False)),
        "bad_response",
    ),
    "/chunk-garbage": (lambda: ends(CHUNKED + b"zz\r\nabc\r\n0\r\n\r\n"), "bad_response"),
    "/chunk-negative": (lambda: ends(CHUNKED + b"-1\r\nabc\r\n0\r\n\r\n"), "bad_response"),
    "/chunk-unfinished": (lambda: ends(CHUNKED + b"5\r\nab"), "bad_response"),
    "/nul-in-header": (lambda: ends(OK + b"X: a\0b\r\n\r\n"), "bad_response"),
    "/space-before-colon": (lambda: ends(OK + b"X : a\r\nContent-Length: 0\r\n\r\n"), "bad_response"),
    "/upgrade": (
        lambda: ends(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
        "bad_response",
    ),
    "/deflate": (
        lambda: says(answer(200, "Content-Encoding: deflate", body=zlib.compress(b"a"))),
        "bad_response",
    ),
    "/br": (lambda: says(answer(200, "Content-Encoding: br", body=b"\x0b\x00\x80a\x03")), "bad_response"),
    "/zstd": (lambda: says(answer(200, "Content-Encoding: zstd", body=b"(\xb5/\xfd")), "bad_response"),
    "/gzip-twice": (lambda: says(answer(200, "Content-Encoding: gzip, gzip", body=nested_bomb())), "bad_response"),
    "/not-gzip": (lambda: says(answer(200, *GZIPPED, body=b"<html>plain</html>")), "bad_response"),
    "/gzip-broken": (
        lambda: says(answer(200, *GZIPPED, body=gzip.compress(bytes(9_999))[:-9] + bytes(9))),
        "bad_response",
    ),
    "/gzip-cut-off": (lambda: says(answer(200, *GZIPPED, body=gzip.compress(bytes(9_999))[:-9])), "bad_response"),
    "/long-field": (lambda: forever(OK + b"X: ", b"y" * 65_536), "too_large"),
    "/long-name": (lambda: forever(OK, b"y" * 65_536), "too_large"),
    "/endless-fields": (lambda: forever(OK, b"X-A: b\r\n" * 8_000), "bad_response"),
    "/long-status": (lambda: forever(b"HTTP/1.1 200 ", b"y" * 65_536), "too_large"),
    "/closes": (lambda: ends(b""), "connection"),
    "/closes-in-header": (lambda: ends(OK + b"X-A: b"), "connection"),
    "/redirect-loop": (lambda: redirect("/redirect-loop"), "too_many_redirects"),
}
"""What is no answer, and the reason that is told."""
