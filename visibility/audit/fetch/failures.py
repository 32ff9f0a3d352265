"""How a fetch fails: for a program a reason, for a person a sentence."""

from dataclasses import dataclass
from typing import Literal

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
