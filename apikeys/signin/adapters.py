"""What allauth asks of the house: nobody signs up, wrong passwords are counted here, mails are ours."""

import logging
from ipaddress import ip_interface
from typing import Any
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from apikeys.accounts.joining import confirm_address, create_invited
from apikeys.language import written_for
from apikeys.mail.post import post
from apikeys.mail.words import Button, notice
from apikeys.models import User
from apikeys.signin.invited import invited_address
from apikeys.signin.seals import seal, unseal

logger = logging.getLogger(__name__)

WORDS_OF_PAGES = {
    "mfa/messages/totp_activated.txt": gettext_lazy("The app is set up: signing in asks for its code from now on."),
    "mfa/messages/totp_deactivated.txt": gettext_lazy("The app is removed."),
    "mfa/messages/webauthn_added.txt": gettext_lazy("The passkey is added: signing in asks for it from now on."),
    "mfa/messages/webauthn_removed.txt": gettext_lazy("The passkey is removed."),
}
"""What pages say, by the names of allauth's messages; of the others nothing is said."""
NOTICES = {
    "mfa/email/totp_activated": gettext_lazy("A second factor was set up: an app with codes"),
    "mfa/email/totp_deactivated": gettext_lazy("Your second factor was removed: the app with codes"),
    "mfa/email/webauthn_added": gettext_lazy("A second factor was added: a passkey"),
    "mfa/email/webauthn_removed": gettext_lazy("A second factor was removed: a passkey"),
    "mfa/email/recovery_codes_generated": gettext_lazy("New recovery codes were made; the old ones are void"),
    "socialaccount/email/account_connected": gettext_lazy("Single sign-on was used with your account"),
}
"""What is mailed to the person, by the names of allauth's mails."""


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as operators and invitations make them."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up."""
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        """Pages only: no answers as JSON."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The client's address; of IPv6 its /64, as the rate limit counts it."""
        try:
            return str(ip_interface(request.META.get("REMOTE_ADDR", "")).ip)
        except ValueError:
            return "0.0.0.0"  # noqa: S104 - nobody knows it

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **options: Any
    ) -> None:
        """Say what is in WORDS_OF_PAGES, or what allauth says in words."""
        words = options.get("message") or WORDS_OF_PAGES.get(message_template or "")
        if words:
            messages.add_message(request, level, str(words))

    def send_notification_mail(self, template_prefix: str, user: Any, *args: Any, **options: Any) -> None:
        """Tell the person what changed of signing in."""
        if subject := NOTICES.get(template_prefix):
            with written_for(self.request):
                mail_security(user, str(subject))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """No step of allauth that is used here writes a mail of its own."""
        raise NotImplementedError(template_prefix)


class SecondFactorAdapter(DefaultMFAAdapter):
    """Its words are ours, and its secrets are encrypted."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("This code does not work. Wait for the next one and try again."),
    }

    def encrypt(self, text: str) -> str:
        """A secret as it is stored."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """A stored secret."""
        return unseal(encrypted_text)

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """What a new passkey is called, until somebody names it."""
        return gettext("Passkey")


class SocialAdapter(DefaultSocialAccountAdapter):
    """Single sign-on by the one provider of the settings: for accounts that there are, and for who is invited."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Nobody signs up."""
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Find the account by the address that the provider has verified, and remember the identity for it."""
        if sociallogin.state.get("process") != AuthProcess.LOGIN:
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account")))
        if sociallogin.is_existing:
            return
        address = next((each.email for each in sociallogin.email_addresses if each.verified), "")
        user = User.objects.with_email(address) if address else None
        if user is None and address and User.objects.key_of(address) == invited_address(request):
            user = create_invited(email=address, is_confirmed=True)
        if user is not None and user.is_active:
            sociallogin.connect(request, confirm_address(user))

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, **options: Any
    ) -> None:
        """Log why: it is mostly the setting up."""
        logger.warning("Single sign-on failed: %s %s", error, exception or "")


def mail_security(user: User, subject: str) -> None:
    """Tell a person, in the language of this moment, what happened to the account, and what to do about it."""
    lines = [
        gettext("This happened to your account {email}.").format(email=user.email),
        gettext("If it was not you, choose a new password at once, and tell the operator of the service."),
    ]
    button = Button(gettext("Look at your account"), settings.PUBLIC_URL + "/account")
    post(notice(subject, lines, button), to=user.email, person=user, kind="security", once=f"security:{uuid4()}")
