"""Django's own views of signing in and of passwords, throttled: 429 with the time to wait."""

from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from django.contrib.auth import views
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from apikeys.models import User
from apikeys.services.mail import mail_leaves
from apikeys.signin.forms import ChangePasswordForm, ResetForm, SignInForm
from apikeys.signin.limits import address_of

log = structlog.get_logger(__name__)


def throttled_status(answer: HttpResponseBase) -> HttpResponseBase:
    """The page of a form, as 429 with Retry-After where the form was throttled."""
    form = (getattr(answer, "context_data", None) or {}).get("form")
    throttled = getattr(form, "throttled", None)
    if throttled:
        answer.status_code = 429
        answer.headers["Retry-After"] = str(throttled.resets_in)
    return answer


class AnswerFirst(HttpResponseRedirect):
    """A redirect that is sent before the work is done, so that how long it takes tells nobody anything."""

    def __init__(self, address: str, work: Callable[[], None]) -> None:
        super().__init__(address)
        self._work = work

    def close(self) -> None:
        """Called by the server when the answer is out."""
        try:
            self._work()
        except Exception:  # nobody waits for it any more
            log.exception("password mail not sent")
        finally:
            super().close()


class SignInView(views.LoginView):
    """The sign-in page."""

    authentication_form = SignInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: Any) -> HttpResponse:
        return throttled_status(super().form_invalid(form))  # type: ignore[return-value]


class ResetView(views.PasswordResetView):
    """Ask for a mail with a link. The account is looked for, and the mail sent, when the answer is out. Without a
    mail server none is made: it would be printed, and whoever reads the log could sign in as anybody."""

    form_class = ResetForm

    def form_valid(self, form: Any) -> HttpResponse:
        if not mail_leaves():
            return HttpResponseRedirect(str(self.get_success_url()))
        send = partial(form.save, request=self.request, use_https=self.request.is_secure())
        return AnswerFirst(str(self.get_success_url()), send)

    def form_invalid(self, form: Any) -> HttpResponse:
        return throttled_status(super().form_invalid(form))  # type: ignore[return-value]


class ResetConfirmView(views.PasswordResetConfirmView):
    """Choose a new password by the link of the mail, which also signs in: who failed too often need not wait."""

    post_reset_login = True

    def get_user(self, uidb64: str) -> User | None:
        """Whose link it is; None for an account that is deactivated, whatever Django finds in the link."""
        user: User | None = super().get_user(uidb64)
        return user if user and user.is_active else None

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = super().dispatch(*args, **kwargs)
        if kwargs["token"] != self.reset_url_token:
            # The address is the secret. The form stands at another one: it could not be sent without a referrer.
            answer.headers["Referrer-Policy"] = "no-referrer"
        return answer

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        log.info("sign-in succeeded", account=form.user.pk, address=address_of(self.request), by="mail")
        return answer


class ChangePasswordView(views.PasswordChangeView):
    """Choose a new password with the old one."""

    form_class = ChangePasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_invalid(self, form: Any) -> HttpResponse:
        return throttled_status(super().form_invalid(form))  # type: ignore[return-value]
