"""Signing in and out, one's own password, the start page. Wrong passwords are counted, by address, and by account at
an address: who knows an account's name shuts nobody out of it elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from math import ceil
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_lazy

from apikeys.accounts.caller import Caller
from apikeys.accounts.people import change_own_password
from apikeys.accounts.throttle import give_back, take
from apikeys.errors import ServiceError
from apikeys.language import in_language
from apikeys.models import User

TRIES_PER_ACCOUNT = 10
"""From one address."""
TRIES_PER_ADDRESS = 100
"""Larger: many people may share one address."""
WINDOW_SECONDS = 15 * 60


class PasswordTries(forms.Form):
    """A form that tries a password; `retry_after` is set, in seconds, once there were too many wrong ones."""

    retry_after: int | None = None

    @contextmanager
    def counted_try(self, request: HttpRequest, email: str) -> Iterator[None]:
        """Count the try that is made inside; one that raises nothing is uncounted. Raises ValidationError instead of
        trying, whether the account exists or not, once there were too many."""
        # The client's own address, also behind a proxy: the rate limit, which is outermost, puts it there.
        address = request.META.get("REMOTE_ADDR", "")
        bounds = (
            ("passwords from", address, TRIES_PER_ADDRESS),
            ("passwords of", f"{User.objects.key_of(email)} from {address}", TRIES_PER_ACCOUNT),
        )
        counters = []
        try:
            for group, subject, limit in bounds:
                counters.append(take(group, subject, limit=limit, seconds=WINDOW_SECONDS))
        except ServiceError as refusal:
            for counter in counters:  # of the address, which others share: no password was tried
                give_back(counter)
            seconds = self.retry_after = refusal.details["retryAfterSeconds"]
            raise ValidationError(
                gettext(
                    "There were too many wrong passwords. Try again in {minutes} minutes. If you forgot the "
                    "password, ask the operator of the service for a new one."
                ).format(minutes=ceil(seconds / 60))
            ) from None
        yield
        for counter in counters:
            give_back(counter)


class SignInForm(PasswordTries, AuthenticationForm):
    """Email address and password. Neither the answer nor its time says whether there is such an account."""

    error_messages = {
        "invalid_login": gettext_lazy("No account has this email address and password. Check both and try again."),
        "inactive": gettext_lazy("No account has this email address and password. Check both and try again."),
    }

    def clean(self) -> dict[str, Any]:
        assert self.request is not None  # noqa: S101 - the view hands it over
        with self.counted_try(self.request, self.cleaned_data.get("username", "")):
            return super().clean()


class OwnPasswordForm(PasswordTries, PasswordChangeForm):
    """The old password, which somebody at a foreign screen could guess, and twice the new one."""

    def __init__(self, request: HttpRequest, **options: Any) -> None:
        super().__init__(**options)
        self.request = request

    def clean_old_password(self) -> str:
        with self.counted_try(self.request, self.user.email):
            return super().clean_old_password()

    def save(self, commit: bool = True) -> User:
        caller = Caller.from_user(self.user)
        self.user = change_own_password(caller, password=self.cleaned_data["new_password1"])
        return self.user


@method_decorator(in_language, "dispatch")
class SignInView(views.LoginView):
    """The one way in, for staff, too."""

    form_class = SignInForm
    template_name = "sign-in.html"

    def form_invalid(self, form: Any) -> HttpResponse:
        return _with_status(super().form_invalid(form), form)


@method_decorator(in_language, "dispatch")
class PasswordView(views.PasswordChangeView):
    """Choose a new password; the sessions of other browsers end."""

    form_class = OwnPasswordForm
    template_name = "password.html"
    success_url = reverse_lazy("start")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            response = super().form_valid(form)
        except ServiceError as refusal:
            form.add_error(None, refusal.message)
            return self.form_invalid(form)
        messages.success(self.request, gettext("Your password is changed. Other browsers are signed out."))
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return _with_status(super().form_invalid(form), form)


def _with_status(response: HttpResponse, form: PasswordTries) -> HttpResponse:
    """The page of a form that was refused: 429 after too many wrong passwords, with when to come back."""
    if form.retry_after is not None:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(form.retry_after)
    return response


urlpatterns = [
    path("sign-in", SignInView.as_view(), name="sign-in"),
    path("sign-out", views.LogoutView.as_view(next_page="sign-in"), name="sign-out"),
    path("password", PasswordView.as_view(), name="password"),
]
