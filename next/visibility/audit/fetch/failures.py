"""How a fetch fails: for a program a reason, for a person a sentence; and which error below means which."""

import errno
import socket
import ssl
from dataclasses import dataclass
from typing import Literal

import aiohttp
from aiohttp.http_exceptions import LineTooLong

from visibility.audit.fetch.inflate import BrokenGzip

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


@dataclass(frozen=True, slots=True)
class Hop:
    """A redirect that was followed: the address that was asked, and the status it answered with."""

    url: str
    status: int


class FetchError(Exception):
    """A fetch that gave no response. `detail` is one sentence for people, without anything secret.

    `url` is the address that failed, the last one where redirects (`hops`) led there. `temporary`: it may succeed
    later, as it is.
    """

    def __init__(
        self, reason: Reason, url: str, detail: str, *, temporary: bool = False, hops: tuple[Hop, ...] = ()
    ) -> None:
        super().__init__(f"{url}: {detail}")
        self.reason: Reason = reason
        self.url = url
        self.detail = detail
        self.temporary = temporary
        self.hops = hops


class RefusedAddress(OSError):
    """The guard's refusal, as it passes through the HTTP library, which wraps it."""


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
    """A response that is refused for what its header says; the text is the sentence for people."""


Failure = tuple[Reason, str, bool]
"""The reason, the sentence, and whether it may succeed later."""


def failure_of(error: Exception, seconds: float) -> Failure:
    """The failure that an error of the exchange stands for; `seconds` is the time that a fetch had."""
    if isinstance(error, BadResponse):
        return "bad_response", str(error), False
    if isinstance(error, BrokenGzip):
        return "bad_response", "The compressed body is damaged.", False
    if isinstance(error, aiohttp.ClientConnectorError):
        return _below(error.os_error)
    if isinstance(error, TimeoutError):
        return "timeout", f"The answer was not complete within {seconds:g} seconds.", True
    if isinstance(error, aiohttp.ClientResponseError):
        if _has_cause(error, LineTooLong):
            return "too_large", "The answer's header fields are too long.", False
        return "bad_response", "The server does not answer in valid HTTP, or with too many header fields.", False
    if isinstance(error, aiohttp.ClientPayloadError):
        return "bad_response", "The body ended before it was complete, or is not sent in valid HTTP.", True
    if isinstance(error, OSError):
        return _below(error)
    return "connection", "The server closed the connection without an answer.", True


def _below(error: OSError) -> Failure:
    """Of what the system, the guard or the encryption says."""
    if isinstance(error, RefusedAddress):
        return "refused_address", "The host name leads to an address that is not on the public internet.", False
    if isinstance(error, socket.gaierror):
        if error.errno in _NO_NAME:
            return "no_such_host", "There is no such host name.", False
        return "no_such_host", "The host name could not be looked up.", True
    if isinstance(error, ssl.SSLCertVerificationError):
        known = _CERTIFICATE.get(error.verify_code, f"The certificate is not good: {error.verify_message}.")
        return "tls", known, False
    if isinstance(error, ssl.SSLError):
        return "tls", f"No encrypted connection could be agreed on ({_words(error)}).", False
    known = _CONNECTION.get(error.errno or 0, "The connection failed.")
    return "connection", known, True


def _has_cause(error: BaseException | None, kind: type[Exception]) -> bool:
    while error and not isinstance(error, kind):
        error = error.__cause__
    return error is not None


def _words(error: ssl.SSLError) -> str:
    return (error.reason or "unknown").replace("_", " ").lower()
