"""Links by which a person chooses a password: asked for by mail within the hour, or handed on by the operator."""

from datetime import timedelta

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.http import HttpRequest
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode
from django.utils.translation import get_language, gettext, override
from procrastinate.contrib.django import app

from apikeys.accounts import throttle
from apikeys.errors import ServiceError
from apikeys.mail.post import has_mail, post
from apikeys.mail.words import Button, notice
from apikeys.models import User

RESETS_PER_HOUR = 3
"""Of one account: further requests are answered alike, and write nothing."""
ASKED_PER_HOUR = 30
"""By one address."""


class Links(PasswordResetTokenGenerator):
    """Tokens of an account that work once, and until its password, its address or its last sign-in changes."""

    def __init__(self, page: str, lasts: timedelta) -> None:
        super().__init__()
        self.key_salt, self.page, self.lasts = f"apikeys.signin.links.{page}", page, lasts

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Whether the token opens the account, which has to be active."""
        if user is None or not token or not user.is_active or not super().check_token(user, token):
            return False
        age = self._num_seconds(self._now()) - base36_to_int(token.split("-")[0])
        return bool(age <= self.lasts.total_seconds())

    def address(self, user: User) -> str:
        """A new link for this account."""
        uid = urlsafe_base64_encode(force_bytes(user.pk))
        return settings.PUBLIC_URL + reverse(self.page, args=[uid, self.make_token(user)])


RESET = Links("new-password", timedelta(hours=1))
WELCOME = Links("welcome", timedelta(days=14))


def ask_for_reset(request: HttpRequest, email: str) -> None:
    """Have the worker mail a link, if there is such an account: this does the same for all addresses.

    Raises rate_limited for too many by one client.
    """
    throttle.take("resets from", request.META.get("REMOTE_ADDR", ""), limit=ASKED_PER_HOUR, seconds=3600)
    app.configure_task("visibility.jobs.mail_reset").defer(email=email, language=get_language())


def mail_reset(email: str, language: str) -> None:
    """Mail a link for a new password to the account of this address, if there is one."""
    user = User.objects.with_email(email)
    if user is None or not user.is_active:
        return
    try:
        throttle.take("resets of", str(user.pk), limit=RESETS_PER_HOUR, seconds=3600)
    except ServiceError:
        return
    with override(language):
        lines = [
            gettext("Somebody, probably you, asked for a new password for {email}.").format(email=user.email),
            gettext("The link works once, within an hour. If it was not you, do nothing: your password stays."),
        ]
        link = RESET.address(user)
        words = notice(gettext("Choose a new password"), lines, Button(gettext("Choose a new password"), link))
    post(words, to=user.email, person=user, kind="reset", once=f"reset:{link[-90:]}", has_secret=True)


def welcome(user: User) -> str:
    """Invite somebody to an account that the operator made: by mail, then empty; else the link to hand on."""
    link = WELCOME.address(user)
    if not has_mail():
        return link
    lines = [
        gettext("An account was made for you: {email}.").format(email=user.email),
        gettext("The link works once, within 14 days. Choose a password there, then sign in."),
    ]
    words = notice(gettext("Your account at Brand Visibility"), lines, Button(gettext("Choose a password"), link))
    post(words, to=user.email, person=user, kind="welcome", once=f"welcome:{link[-90:]}", has_secret=True)
    return ""
