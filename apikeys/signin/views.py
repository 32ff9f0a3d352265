"""The pages of signing in, of one's own password and address, and of sessions."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.views import LoginView
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import views
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from apikeys.accounts.address import ask_for_address, change_of, confirm_change
from apikeys.accounts.joining import reset_password
from apikeys.errors import ServiceError
from apikeys.language import in_language
from apikeys.mail.post import has_mail
from apikeys.models import User
from apikeys.signin.adapters import mail_security
from apikeys.signin.forms import AddressForm, ForgottenForm, OwnPasswordForm, SignInForm
from apikeys.signin.links import RESET, WELCOME, ask_for_reset
from apikeys.signin.tries import come_back_in, seconds_to_come_back

if TYPE_CHECKING:
    BaseFormView = FormView[Any]
else:
    BaseFormView = FormView

BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome"}
BROWSERS |= {"Chrome": "Chrome", "Safari": "Safari"}
"""By the first sign that is in the name that a browser sends: others' names are in most."""
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows"}
SYSTEMS |= {"Mac OS X": "macOS", "Linux": "Linux"}
View = Callable[..., HttpResponseBase]


def page(view: View) -> View:
    """A page of signing in: in the language of its reader, not stored; 429 after too many tries, with when to come
    back."""

    @never_cache
    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **options: Any) -> HttpResponseBase:
        response = in_language(view)(request, *args, **options)
        if (seconds := seconds_to_come_back(request)) is not None:
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
            response.headers["Retry-After"] = str(seconds)
        return response

    return shown


class SignInView(LoginView):
    """The one way in, for staff, too."""

    form_class = SignInForm
    template_name = "sign-in.html"

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """With the ways that there are beside the password."""
        ways = {"oidc": settings.OIDC_NAME if settings.OIDC_URL else "", "has_mail": has_mail()}
        return {**super().get_context_data(**options), **ways}


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
        UserSession.objects.create_from_request(self.request)  # it has another key now
        messages.success(self.request, gettext("Your password is changed. Other browsers are signed out."))
        mail_security(form.user, gettext("Your password was changed"))
        return response


class ForgottenView(BaseFormView):
    """Ask for a link by mail. The answer is the same for all addresses."""

    form_class = ForgottenForm
    template_name = "forgotten.html"

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        try:
            ask_for_reset(self.request, form.cleaned_data["email"])
        except ServiceError as refusal:
            come_back_in(self.request, refusal.details["retryAfterSeconds"])
            form.add_error(None, refusal.message)
            return self.form_invalid(form)
        return self.render_to_response({"asked": form.cleaned_data["email"]})

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """With whether there is mail at all."""
        return {**super().get_context_data(**options), "has_mail": has_mail()}


class NewPasswordView(views.PasswordResetConfirmView):
    """Choose a password by a link that was mailed. Django keeps its token out of the address and of referrers."""

    template_name = "new-password.html"
    success_url = reverse_lazy("sign-in")
    token_generator = RESET
    is_first: ClassVar[bool] = False

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            user = reset_password(form.user, password=form.cleaned_data["new_password1"])
        except ServiceError as refusal:
            form.add_error(None, refusal.message)
            return self.form_invalid(form)
        self.request.session.pop(views.INTERNAL_RESET_SESSION_TOKEN, None)
        messages.success(self.request, gettext("Your password is set. Sign in with it."))
        if not self.is_first:
            mail_security(user, gettext("Your password was changed"))
        return HttpResponseRedirect(str(self.success_url))

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """With the account that the link opens."""
        return {**super().get_context_data(**options), "is_first": self.is_first, "account": self.user}


class WelcomeView(NewPasswordView):
    """The first password of an account that an operator made."""

    token_generator = WELCOME
    is_first = True


class AddressView(BaseFormView):
    """Ask for another address, with the password."""

    form_class = AddressForm
    template_name = "address.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": self.request.user}

    def form_valid(self, form: AddressForm) -> HttpResponse:
        assert isinstance(self.request.user, User)  # noqa: S101 - login_required
        if not has_mail():
            raise Http404
        try:
            ask_for_address(self.request.user, email=form.cleaned_data["email"])
        except ServiceError as refusal:
            form.add_error("email", refusal.message)
            return self.form_invalid(form)
        return self.render_to_response({"asked": form.cleaned_data["email"]})

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """With whether there is mail at all."""
        return {**super().get_context_data(**options), "has_mail": has_mail()}


def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link to the old or the new address: a button, as programs open links unasked."""
    try:
        change, side = change_of(token)
        is_done = confirm_change(token) if request.method == "POST" else None
    except ServiceError as refusal:
        return render(request, "confirm-address.html", {"problem": refusal.message}, status=refusal.code.status)
    return render(request, "confirm-address.html", {"change": change, "side": side, "is_done": is_done})


@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """The browsers in which this person is signed in; one or all others end by POST."""
    rows = UserSession.objects.purge_and_list(request.user)
    if request.method == "POST":
        wanted = request.POST.get("session", "")
        ended = [row for row in rows if not row.is_current() and wanted in ("others", str(row.pk))]
        for row in ended:
            row.end()
        messages.success(request, gettext("Signed out there."))
        return HttpResponseRedirect(reverse("sessions"))
    rows.sort(key=lambda row: (not row.is_current(), -row.last_seen_at.timestamp()))
    shown = [(row, browser_name(row.user_agent), row.is_current()) for row in rows]
    return render(request, "sessions.html", {"sessions": shown})


def browser_name(user_agent: str) -> str:
    """What a browser calls itself, in two words where it is one that people know: "Firefox, Windows"."""
    program = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(filter(None, (program, system))) or user_agent[:60] or "?"


def refused(request: HttpRequest) -> HttpResponse:
    """What single sign-on says to who has no account that works."""
    return render(request, "account/signup_closed.html", status=HTTPStatus.FORBIDDEN)


def cancelled(request: HttpRequest) -> HttpResponse:
    """What single sign-on says to who went back."""
    return render(request, "socialaccount/authentication_error.html")


hide_passwords = sensitive_post_parameters()
"""From reports of errors."""
