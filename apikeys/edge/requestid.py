"""The id of a request: on its answer, in every line of the log, in the call log.

Imports no models: logging is set up before them.
"""

import logging
import re
import secrets
from contextvars import ContextVar

from apikeys.accounts.keyformat import holds_secret

_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
current: ContextVar[str] = ContextVar("request_id", default="-")
"""The id of the request that is being answered; "-" outside of one."""


def sane_request_id(request_id: str | None) -> str:
    """The client's id, if it is 1 to 64 of A–Z a–z 0–9 . _ - and has nothing like a key in it; else a random one."""
    if request_id and _SANE.fullmatch(request_id) and not holds_secret(request_id):
        return request_id
    return secrets.token_hex(16)


class RequestIdFilter(logging.Filter):
    """Gives every line of the log the id of the request that it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current.get()
        return True
