"""How often a password or a code may be wrong: counted by address, and by account at an address, so that who knows an
account's name shuts nobody out of it elsewhere. allauth's own limits are off: they count by account alone."""

from math import ceil

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext

from apikeys.accounts import throttle
from apikeys.errors import ServiceError
from apikeys.models import User

TRIES_PER_ACCOUNT = 10
"""From one address."""
TRIES_PER_ADDRESS = 100
"""Larger: many people may share one address."""
WINDOW_SECONDS = 15 * 60
CODES_PER_HOUR = 20
"""Wrong codes of a second factor, from wherever: only who knows the password can give one."""
Bound = tuple[str, str, int, int]
"""What is counted, of whom, how many, and in how many seconds."""


class TooManyTries(ValidationError):
    """There were too many wrong ones; the page is answered with 429, and with the seconds to wait."""

    def __init__(self, request: HttpRequest, seconds: int, words: str) -> None:
        come_back_in(request, seconds)
        super().__init__(words.format(minutes=ceil(seconds / 60)), code="too_many_tries")


def come_back_in(request: HttpRequest, seconds: int) -> None:
    """Have the page of this request answered with 429, and with when to come back."""
    vars(request)["retry_after"] = seconds


def seconds_to_come_back(request: HttpRequest) -> int | None:
    """What was noted of this request."""
    seconds: int | None = vars(request).get("retry_after")
    return seconds


def take_password_try(request: HttpRequest, email: str) -> list[str]:
    """Count a try of a password, whether the account exists or not; its counters, to `give_back` a right one.

    Raises TooManyTries instead of counting it.
    """
    # The client's own address, also behind a proxy: the rate limit, which is outermost, puts it there.
    address = request.META.get("REMOTE_ADDR", "")
    bounds: list[Bound] = [
        ("passwords from", address, TRIES_PER_ADDRESS, WINDOW_SECONDS),
        ("passwords of", f"{User.objects.key_of(email)} from {address}", TRIES_PER_ACCOUNT, WINDOW_SECONDS),
    ]
    words = gettext(
        "There were too many wrong passwords. Try again in {minutes} minutes. If you forgot the password, choose a "
        "new one."
    )
    return _take(request, bounds, words)


def take_code_try(request: HttpRequest, user: User) -> list[str]:
    """Count a try of a code by somebody who knows the password; as `take_password_try`. A new password begins anew,
    and shuts out who knew the old one."""
    address = request.META.get("REMOTE_ADDR", "")
    bounds: list[Bound] = [
        ("codes from", address, TRIES_PER_ADDRESS, WINDOW_SECONDS),
        ("codes of", f"{user.pk} {user.password}", CODES_PER_HOUR, 3600),
    ]
    return _take(request, bounds, gettext("There were too many wrong codes. Try again in {minutes} minutes."))


def give_back(counters: list[str]) -> None:
    """Uncount a try that was right."""
    for counter in counters:
        throttle.give_back(counter)


def _take(request: HttpRequest, bounds: list[Bound], words: str) -> list[str]:
    counters: list[str] = []
    try:
        for group, subject, limit, seconds in bounds:
            counters.append(throttle.take(group, subject, limit=limit, seconds=seconds))
    except ServiceError as refusal:
        give_back(counters)  # of the address, which others share: nothing was tried
        raise TooManyTries(request, refusal.details["retryAfterSeconds"], words) from None
    return counters
