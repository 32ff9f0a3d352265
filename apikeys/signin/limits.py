"""How often a password may be wrong and a reset mail be asked for: counted apart from the budget of requests.

What is tried is counted before it is known to fail, so that a hundred attempts at once are no more than the limit;
what went well is counted too and taken off again. Windows are those of django-ratelimit: fixed, their ends spread.
"""

import threading
import time
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

import structlog
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django_ratelimit.core import get_usage

from apikeys.http.clientaddress import client_address, trusted_networks
from apikeys.http.limiter import CACHE_PAUSE, NO_REQUEST, ProcessCounter, Rate, Usage, end_of_window

log = structlog.get_logger(__name__)

LIMITS = ("SIGN_IN_FAILURES", "SIGN_IN_FAILURES_PER_ADDRESS", "PASSWORD_RESET_MAILS", "INVITATIONS")
"""The settings, each a rate such as 10/15m."""


class Throttled(Exception):
    """There were too many already. `until`: when the next one is taken (UTC, a whole minute)."""

    def __init__(self, rate: Rate, resets_in: int) -> None:
        super().__init__()
        self.rate = rate
        self.resets_in = resets_in
        self.until: datetime = (timezone.now() + timedelta(seconds=resets_in + 59)).replace(second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class _Counted:
    """An attempt that is counted, and by whom."""

    usage: Usage
    in_process: bool


class Attempts:
    """Attempts of each key under one rate, in the cache that all processes share, or in the process while the cache
    is silent. For all threads of the process."""

    def __init__(self, group: str, rate: Rate) -> None:
        self.rate = rate
        self._group = group
        self._fallback = ProcessCounter(rate)
        self._lock = threading.Lock()
        self._silent_until = 0.0

    def count(self, key: str) -> _Counted:
        """Count one attempt, which stands as a failure until it is taken off."""
        if time.monotonic() >= self._silent_until:
            try:
                tries, resets_in = self._in_cache("tried", key, increment=True)
                succeeded, _ = self._in_cache("succeeded", key, increment=False)
            except Exception as exc:  # each cache backend has its own family of errors
                self._silent_until = time.monotonic() + CACHE_PAUSE
                log.warning("cache silent, sign-ins are counted in the process", reason=repr(exc))
            else:
                failures = tries - succeeded
                remaining = max(self.rate.limit - failures, 0)
                return _Counted(Usage(failures <= self.rate.limit, remaining, resets_in), in_process=False)
        with self._lock:
            return _Counted(self._fallback.count(key, end_of_window(key, self.rate.seconds)), in_process=True)

    def take_off(self, key: str, count: _Counted) -> None:
        """The attempt was no failure. Where it cannot be taken off any more it stands."""
        if count.in_process:
            with self._lock:
                self._fallback.take_off(key)
            return
        try:
            self._in_cache("succeeded", key, increment=True)
        except Exception as exc:  # as above
            log.warning("cache silent, a sign-in stands as a failure", reason=repr(exc))

    def _in_cache(self, counter: str, key: str, *, increment: bool) -> tuple[int, int]:
        """How many there are in the window of the key, and the seconds until it ends."""
        usage = get_usage(
            NO_REQUEST,
            group=f"{self._group}.{counter}",
            key=lambda group, request: key,
            rate=(self.rate.limit, self.rate.seconds),
            increment=increment,
        )
        if usage["limit"] != self.rate.limit:  # how django-ratelimit says that the cache failed
            raise ConnectionError("the cache did not count")
        return usage["count"], max(usage["time_left"], 1)


class SignInAttempt:
    """One attempt to give the password of an account: counted when made, unless it is refused with Throttled."""

    def __init__(self, account: str, address: str) -> None:
        self._taken: list[tuple[Attempts, str, _Counted]] = []
        for attempts, key in (
            (attempts_of("SIGN_IN_FAILURES"), f"{account} {address}"),
            (attempts_of("SIGN_IN_FAILURES_PER_ADDRESS"), address),
        ):
            count = attempts.count(key)
            if not count.usage.allowed:
                self.take_off()  # what is refused here is no failure of what was counted before
                raise Throttled(attempts.rate, count.usage.resets_in)
            self._taken.append((attempts, key, count))

    def take_off(self) -> None:
        """It was no wrong password."""
        for attempts, key, count in self._taken:
            attempts.take_off(key, count)


def count_reset_mail(account: str) -> None:
    """Count one mail to the account, whether or not there is one. Raises Throttled."""
    attempts = attempts_of("PASSWORD_RESET_MAILS")
    count = attempts.count(account)
    if not count.usage.allowed:
        raise Throttled(attempts.rate, count.usage.resets_in)


def count_invitation(inviter: str, invited: str) -> None:
    """Count one invitation by an account and one of an address, whether or not it has an account. Raises
    Throttled."""
    attempts = attempts_of("INVITATIONS")
    for key in (f"by {inviter}", f"to {invited}"):
        count = attempts.count(key)
        if not count.usage.allowed:
            raise Throttled(attempts.rate, count.usage.resets_in)


def attempts_of(setting: str) -> Attempts:
    """The attempts that a setting limits."""
    return _attempts(setting, getattr(settings, setting))


@cache
def _attempts(setting: str, rate: str) -> Attempts:
    return Attempts(setting.lower(), Rate.parse(rate, setting))


def account_key(email: str) -> str:
    """One name for all spellings of an email address that could be taken for the same: any case, any form of its
    letters. Databases compare in upper case, where more letters are alike than in lower case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", email).strip().upper().casefold())


def address_of(request: HttpRequest) -> str:
    """The client's address, as the budget of requests counts it.

    From the server's own headers where they are there: WSGI makes X_Forwarded_For and X-Forwarded-For one.
    """
    scope = request.META.get("asgi.scope")
    if scope is None:
        forwarded = [request.META.get("HTTP_X_FORWARDED_FOR", "")]
    else:
        forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return client_address(request.META.get("REMOTE_ADDR"), forwarded, trusted_networks(settings.TRUSTED_PROXIES))
