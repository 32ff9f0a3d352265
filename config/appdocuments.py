"""Reads the documents by which apps say who they are, at addresses that strangers choose: by the audit's fetcher,
once, without redirects, and bounded."""

import asyncio
import threading
from http import HTTPStatus
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext

from apikeys.accounts.keyformat import digest
from apikeys.connect.errors import UnsoundApp
from visibility.audit.fetch.failures import FetchError
from visibility.audit.fetch.fetcher import Fetcher

MAX_BYTES = 16_384
SECONDS = 5.0
REMEMBERED_SECONDS = 60
"""How long a document, or that there is none, is remembered, so that repeated tries ask nobody."""


# Of those who ask the same host, one after the other.
_turns: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()
_turns_lock = threading.Lock()


def fetch_document(address: str) -> bytes:
    """The JSON document at an https address. Raises UnsoundApp, with a sentence for the person who connects."""
    host = urlsplit(address).hostname or ""
    with _turns_lock:
        turn = _turns.setdefault(host, threading.Lock())
    if not turn.acquire(timeout=SECONDS):
        raise UnsoundApp(gettext("%(host)s is slow to answer. Try again in a moment.") % {"host": host})
    try:
        place = f"app-document:{digest(address)}"
        remembered: bytes | str | None = cache.get(place)
        if remembered is None:
            try:
                remembered = asyncio.run(_fetch(address))
            except FetchError as error:
                remembered = error.detail
            cache.set(place, remembered, REMEMBERED_SECONDS)
    finally:
        turn.release()
    if isinstance(remembered, str):
        raise UnsoundApp(
            gettext("%(host)s does not say who the app is: %(reason)s") % {"host": host, "reason": remembered}
        )
    return remembered


async def _fetch(address: str) -> bytes:
    is_asked = False

    async def once(host: str) -> None:
        nonlocal is_asked
        if is_asked:
            raise FetchError("too_many_redirects", address, "The address leads to another.")
        is_asked = True

    fetcher = Fetcher(
        user_agent=settings.AUDIT_USER_AGENT,
        local_hosts=settings.AUDIT_LOCAL_HOSTS,
        own_hosts=frozenset(settings.ALLOWED_HOSTS),
        per_host=1,
        turn=once,
    )
    headers = {"Accept": "application/json"}
    async with fetcher:
        response = await fetcher.get(address, headers=headers, max_bytes=MAX_BYTES, deadline=SECONDS)
    fetched = response.fetched
    if fetched.status != HTTPStatus.OK:
        raise FetchError("bad_response", address, f"The answer has the status {fetched.status}.")
    kind = next((value for name, value in fetched.headers if name == "content-type"), "")
    if not kind.partition(";")[0].strip().lower().endswith(("/json", "+json")):
        raise FetchError("bad_response", address, "The answer is not JSON.")
    if fetched.cut:
        raise FetchError("too_large", address, f"The document has more than {MAX_BYTES} bytes.")
    return response.body
