"""The forms that take a password or send a mail: Django's, throttled, and told of in the log."""

from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.views.decorators.debug import sensitive_variables

from apikeys.http.clientaddress import UNKNOWN
from apikeys.models import User
from apikeys.signin.limits import SignInAttempt, Throttled, account_key, address_of, count_reset_mail

log = structlog.get_logger(__name__)
Outcome = TypeVar("Outcome")

PASSWORDS = (
    "There were too many wrong passwords. Wait until {until}, then try again. If you forgot the password, choose a "
    "new one by mail: that signs you in at once."
)
MAILS = (
    "No further mail is sent to this address before {until}. Use the newest one that you "
    "have, and look for it in your spam folder. If none arrives, ask the operator."
)


class ThrottledForm:
    """A form that may be refused because too much was tried: `throttled` says until when."""

    throttled: Throttled | None = None

    def refuse(self, throttled: Throttled, message: str) -> ValidationError:
        """Keep that the form was throttled; the error for its reader, `{until}` filled in."""
        self.throttled = throttled
        return ValidationError(message.format(until=f"{throttled.until:%H:%M} UTC"), code="throttled")


class SignInForm(ThrottledForm, AuthenticationForm):
    """Sign in. Whether there is such an account changes neither the answer nor what is done for it."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "No account has this email address and password. Check both and try again.",
    }

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        email, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not email or not password:
            return super().clean()
        return _tried(self, self.request, "sign-in", email, super().clean)


class StaffSignInForm(SignInForm, AdminAuthenticationForm):
    """Sign in to the staff pages."""

    error_messages = {
        **SignInForm.error_messages,
        "invalid_login": "No staff account has this email address and password. Check both and try again.",
    }


class ChangePasswordForm(ThrottledForm, PasswordChangeForm):
    """Choose a new password with the old one, which somebody at a foreign screen could otherwise guess."""

    def __init__(self, *args: Any, request: HttpRequest, **more: Any) -> None:
        super().__init__(*args, **more)
        self.request = request

    @sensitive_variables()
    def clean_old_password(self) -> str:
        """The old password, if it is right."""
        return _tried(self, self.request, "password change", self.user.email, super().clean_old_password)


class ResetForm(ThrottledForm, PasswordResetForm):
    """Ask for a mail with a link. Mails are counted whether there is such an account or not."""

    def clean_email(self) -> str:
        """The address, if it may be sent another mail."""
        email: str = self.cleaned_data["email"]
        try:
            count_reset_mail(account_key(email))
        except Throttled as throttled:
            log.warning("password mail refused", account=_known(email), reason="throttled")
            raise self.refuse(throttled, MAILS) from None
        log.info("password mail asked for", account=_known(email))
        return email


def _tried(
    form: ThrottledForm, request: HttpRequest | None, act: str, email: str, check: Callable[[], Outcome]
) -> Outcome:
    """What `check` gives, which raises ValidationError for a wrong password; counted, and told of in the log."""
    address = address_of(request) if request else UNKNOWN
    try:
        attempt = SignInAttempt(account_key(email), address)
    except Throttled as throttled:
        log.warning(f"{act} refused", account=_known(email), address=address, reason="throttled")
        raise form.refuse(throttled, PASSWORDS) from None
    try:
        outcome = check()
    except ValidationError:
        log.warning(f"{act} failed", account=_known(email), address=address)
        raise
    except Exception:
        attempt.take_off()  # the service failed, not who tried
        raise
    attempt.take_off()
    log.info(f"{act} succeeded", account=_known(email), address=address)
    return outcome


def _known(email: str) -> int | None:
    """The account of this address, for the log alone; what is no address of an account may be a mistyped secret."""
    return User.objects.filter(email__iexact=email).values_list("pk", flat=True).first()
