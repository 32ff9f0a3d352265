"""How a fetch fails: the reason, a sentence for people, and which error of the libraries means which."""

import errno
import socket
import ssl
from typing import Literal

import aiohttp
from aiohttp.http_exceptions import LineTooLong

from visibility.net import BodyError, RefusedAddress

Reason = Literal[
    "bad_url",  # no address that a fetch may have, before anything was asked
    "refused_address",  # the host is the service's own, or not on the public internet
    "no_such_host",
    "tls",  # the certificate, or the encryption, is not good
    "timeout",  # not done in time, whatever came
    "connection",  # refused, reset or ended without an answer
    "too_many_redirects",
    "bad_response",  # no HTTP, or broken HTTP
    "too_large",  # header fields beyond the bounds; a body beyond its bound is cut instead
]


Hops = tuple[tuple[str, int], ...]
"""The redirects that were followed, the first one first: the address that was asked, and the status of its answer."""


class FetchError(Exception):
    """A fetch that gave no response. `detail` is one sentence for people, without anything secret.

    `url` is the address that failed, the last one where redirects (`hops`) led there.
    """

    def __init__(self, reason: Reason, url: str, detail: str, *, hops: Hops = ()) -> None:
        super().__init__(f"{url}: {detail}")
        self.reason: Reason = reason
        self.url = url
        self.detail = detail
        self.hops = hops


_CERTIFICATE = {
    9: "The certificate is not valid yet.",
    10: "The certificate has expired.",
    18: "The certificate is signed by itself, so nobody vouches for it.",
    19: "The certificate ends in an authority that is signed by itself and not known.",
    20: "The certificate's authority is not known, or the server does not send the certificates between.",
    21: "The server does not send the certificates between its own and the authority's.",
    23: "The certificate has been revoked.",
    26: "The certificate is not one for a server.",
    62: "The certificate is for another host name.",
}
"""By OpenSSL's number of the fault (X509_V_ERR_…)."""
_CONNECTION = {
    errno.ECONNREFUSED: "The server refuses connections.",
    errno.ECONNRESET: "The server broke off the connection.",
    errno.EPIPE: "The server broke off the connection.",
    errno.ETIMEDOUT: "The server cannot be reached.",
    errno.EHOSTUNREACH: "The server cannot be reached.",
    errno.ENETUNREACH: "The server cannot be reached.",
}
_NO_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})


class BadResponse(Exception):
    """A response that is refused for its header; the text is the sentence for people."""


def failure_of(error: Exception, seconds: float) -> tuple[Reason, str]:
    """The reason and the sentence for an error of the exchange; `seconds` is the time that a fetch had."""
    if isinstance(error, BadResponse | BodyError):
        return "bad_response", str(error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return _below(error.os_error)
    if isinstance(error, TimeoutError):
        return "timeout", f"The answer was not complete within {seconds:g} seconds."
    if isinstance(error, aiohttp.ClientResponseError):
        if _has_cause(error, LineTooLong):
            return "too_large", "The answer's header fields are too long."
        return "bad_response", "The server does not answer in valid HTTP, or with too many header fields."
    if isinstance(error, aiohttp.ClientPayloadError):
        return "bad_response", "The body ended before it was complete, or is not sent in valid HTTP."
    if isinstance(error, OSError):
        return _below(error)
    return "connection", "The server closed the connection without an answer."


def _below(error: OSError) -> tuple[Reason, str]:
    """The reason and the sentence for an error of the system, the guard or the encryption."""
    if isinstance(error, RefusedAddress):
        return "refused_address", "The host name leads to an address that is not on the public internet."
    if isinstance(error, socket.gaierror):
        if error.errno in _NO_NAME:
            return "no_such_host", "There is no such host name."
        return "no_such_host", "The host name could not be looked up."
    if isinstance(error, ssl.SSLCertVerificationError):
        return "tls", _CERTIFICATE.get(error.verify_code, f"The certificate is not good: {error.verify_message}.")
    if isinstance(error, ssl.SSLError):
        reason = (error.reason or "unknown").replace("_", " ").lower()
        return "tls", f"No encrypted connection could be agreed on ({reason})."
    return "connection", _CONNECTION.get(error.errno or 0, "The connection failed.")


def _has_cause(error: BaseException | None, kind: type[Exception]) -> bool:
    while error and not isinstance(error, kind):
        error = error.__cause__
    return error is not None
