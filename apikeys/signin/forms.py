"""The forms of signing in. Neither their answers nor the time that these take say whether there is an account."""

from typing import Any

from allauth.account.utils import perform_login
from allauth.core import context
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp.forms import ActivateTOTPForm
from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.people import change_own_password
from apikeys.models import User
from apikeys.signin.tries import give_back, take_code_try, take_password_try

WRONG = gettext_lazy("No account has this email address and password. Check both and try again.")


class SignInForm(AuthenticationForm):
    """Email address and password: the first step, after which allauth asks for what else there is."""

    error_messages = {"invalid_login": WRONG, "inactive": WRONG}

    def clean(self) -> dict[str, Any]:
        assert self.request is not None  # noqa: S101 - the view hands it over
        counters = take_password_try(self.request, self.cleaned_data.get("username", ""))
        cleaned = super().clean()
        give_back(counters)
        return cleaned

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        """Go on to the second factor, or to the page that was asked for."""
        response: HttpResponse = perform_login(request, self.get_user(), redirect_url=redirect_url)
        return response


class PasswordAgainForm(forms.Form):
    """The password of who is signed in, before something that a foreign hand must not do."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    @sensitive_variables("password")
    def clean_password(self) -> str:
        """Refuses a wrong one, and counts it."""
        password: str = self.cleaned_data["password"]
        counters = take_password_try(context.request, self.user.email)
        if not self.user.check_password(password):
            raise forms.ValidationError(gettext_lazy("This is not your password. Try again."))
        give_back(counters)
        return password


class OwnPasswordForm(PasswordChangeForm):
    """The old password, which somebody at a foreign screen could guess, and twice the new one."""

    def __init__(self, request: HttpRequest, **options: Any) -> None:
        super().__init__(**options)
        self.request = request

    def clean_old_password(self) -> str:
        counters = take_password_try(self.request, self.user.email)
        old_password = super().clean_old_password()
        give_back(counters)
        return old_password

    def save(self, commit: bool = True) -> User:
        caller = Caller.from_user(self.user)
        self.user = change_own_password(caller, password=self.cleaned_data["new_password1"])
        return self.user


class AddressForm(PasswordAgainForm):
    """A new email address for the account."""

    email = forms.EmailField(
        label=gettext_lazy("New email address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    field_order = ("email", "password")


class ForgottenForm(forms.Form):
    """Whose password is forgotten."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True}),
    )


def _code_field() -> forms.CharField:
    attributes = {"autocomplete": "one-time-code", "inputmode": "numeric", "autofocus": True}
    return forms.CharField(label=gettext_lazy("Code"), max_length=20, widget=forms.TextInput(attributes))


class FirstCodeForm(ActivateTOTPForm):
    """A code of the app that is set up."""

    code = _code_field()


class _CountedCode(mfa_forms.BaseAuthenticateForm):
    code = _code_field()

    def clean_code(self) -> str:
        counters = take_code_try(context.request, self.user)
        code: str = super().clean_code()
        give_back(counters)
        return code


class CodeForm(_CountedCode, mfa_forms.AuthenticateForm):
    """A code of the app, or a recovery code, at signing in."""


class CodeAgainForm(_CountedCode, mfa_forms.ReauthenticateForm):
    """The same, before something that a foreign hand must not do."""
