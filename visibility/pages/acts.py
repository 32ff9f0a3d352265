"""What the web pages share: who reads, who acts, what is not there, and how a refusal is shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import User
from apikeys.operators import staff_reader
from visibility.services.scans.starting import StartedScan, StartReason

Result = TypeVar("Result")


def page_caller(user: User) -> Caller:
    """A person sees the own and the shared brands; staff who may view brands in the admin look at all of them."""
    return staff_reader(user) or Caller.from_user(user)


def signed_in(request: HttpRequest) -> User:
    """The person, behind `login_required`."""
    assert isinstance(request.user, User)  # noqa: S101 -- narrows the type after login_required
    return request.user


def reader(request: HttpRequest) -> Caller:
    """Who looks."""
    return page_caller(signed_in(request))


def person(request: HttpRequest) -> Caller:
    """Who writes does so as themselves: staff who may look at all brands may change their own only."""
    return Caller.from_user(signed_in(request))


@contextmanager
def raise_404_if_missing() -> Iterator[None]:
    """What the person cannot see is not there."""
    try:
        yield
    except ServiceError as error:
        if error.code == ErrorCode.NOT_FOUND:
            raise Http404 from error
        raise


def attempt(request: HttpRequest, act: Callable[[], Result]) -> Result | None:
    """What the act gives; None, and a message that says why, where it is refused."""
    try:
        with raise_404_if_missing():
            return act()
    except ServiceError as error:
        messages.error(request, error.message)
        return None


def attempt_in(form: forms.Form, act: Callable[[], Result]) -> Result | None:
    """What the act gives; None where it is refused: why stands in the form, at the field that is named."""
    try:
        with raise_404_if_missing():
            return act()
    except ServiceError as error:
        argument = error.details.get("argument")
        form.add_error(argument if argument in form.fields else None, error.message)
        return None


def start_and_tell(request: HttpRequest, start: Callable[[], StartedScan], what: str) -> StartedScan | None:
    """Start a scan (or `what` it is), and say that it has started, which one stands in its way, or why it cannot.
    None where it is refused."""
    started = attempt(request, start)
    if started is None:
        return None
    if started.started:
        messages.success(request, f"The {what} has started: {started.run.total} questions are being asked.")
    else:
        messages.info(request, f"No new {what}: {in_the_way(started)}")
    return started


def in_the_way(standing: StartedScan) -> str:
    """Why nothing can start now, and when it can, for people."""
    when = date_format(standing.next_allowed_at.astimezone(UTC), "DATETIME_FORMAT")
    if standing.reason is StartReason.ACTIVE:
        return f"one is under way. The next can start when it has ended, from {when} on."
    began = date_format(standing.run.created_at.astimezone(UTC), "DATETIME_FORMAT")
    return f"the last one began on {began}. The next can start on {when}."


def problems(form: forms.Form) -> str:
    """What is wrong with a form, in a line."""
    return " ".join(f"{form[name].label}: {' '.join(map(str, errors))}" for name, errors in form.errors.items())
