"""The page on which a person lets an app in, with one of their keys. Each connecting asks anew."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

from csp.decorators import csp_replace
from django import forms
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from apikeys.connect.apps import Fetch, find_app
from apikeys.connect.errors import OAuthError, UnsoundApp
from apikeys.connect.metadata import is_resource, resource
from apikeys.connect.redirects import SCHEMES, is_among, is_loopback, may_redirect
from apikeys.connect.tokens import connect, connectable_keys
from apikeys.language import in_language
from apikeys.models import ApiKey, App, User
from apikeys.scopes import READ_SCOPES, RUN_SCOPES, Scope

_CHALLENGE = re.compile(r"[0-9A-Za-z_-]{43}")
NOTHING_TICKED = gettext_lazy("Tick at least one thing that this key may do.")


class Away(HttpResponseRedirect):
    """To the app that asked, whose address was checked; 303, so that a form is not posted on."""

    allowed_schemes = SCHEMES
    status_code = HTTPStatus.SEE_OTHER


@dataclass(frozen=True, slots=True)
class Asked:
    """What an app asks for, once it is known that it may be answered at `redirect_uri`."""

    app: App
    redirect_uri: str
    state: str | None
    challenge: str = ""
    scopes: frozenset[str] = READ_SCOPES

    @property
    def target(self) -> str:
        """Where the browser will be sent, as a person reads it."""
        parts = urlsplit(self.redirect_uri)
        return parts.hostname or "" if parts.scheme in ("http", "https") else parts.scheme

    @property
    def is_local(self) -> bool:
        """Whether it is sent to a program on the person's own machine."""
        return is_loopback(self.redirect_uri) or urlsplit(self.redirect_uri).scheme not in ("http", "https")

    def answered(self, **values: str) -> HttpResponse:
        """The redirect back to the app (RFC 6749, 4.1.2; `iss`: RFC 9207)."""
        values |= {} if self.state is None else {"state": self.state}
        mark = "&" if urlsplit(self.redirect_uri).query else "?"
        return Away(f"{self.redirect_uri}{mark}{urlencode({**values, 'iss': settings.PUBLIC_URL})}")


def _ticks(label: Any) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, required=False, widget=forms.CheckboxSelectMultiple)


class ConnectForm(forms.Form):
    """With which key, and what the app may do. Only reading is ticked beforehand, as far as it was asked for."""

    key = forms.ModelChoiceField(
        ApiKey.objects.none(),
        label=gettext_lazy("With which of your keys"),
        widget=forms.RadioSelect,
        empty_label=None,
    )
    reads = _ticks(gettext_lazy("It may read"))
    changes = _ticks(gettext_lazy("It may change"))
    spends = _ticks(gettext_lazy("It may spend credits"))

    def __init__(self, keys: list[ApiKey], asked: frozenset[str], data: Any = None) -> None:
        super().__init__(data, initial={"key": keys[0].pk, "reads": sorted(asked & READ_SCOPES)})
        self.fields["key"].queryset = ApiKey.objects.filter(pk__in=[key.pk for key in keys])  # type: ignore[attr-defined]
        carried = {scope for key in keys for scope in key.scopes}
        writes = frozenset(Scope) - READ_SCOPES - RUN_SCOPES
        for name, group in (("reads", READ_SCOPES), ("changes", writes), ("spends", RUN_SCOPES)):
            offered = [(scope.value, scope.help) for scope in Scope if scope in group and scope in carried]
            if offered:
                self.fields[name].choices = offered  # type: ignore[attr-defined]
            else:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        ticked = {scope for name in ("reads", "changes", "spends") for scope in cleaned.get(name, ())}
        key = cleaned.get("key")
        cleaned["scopes"] = [scope.value for scope in Scope if key and scope in ticked and scope in key.scopes]
        if key and not cleaned["scopes"]:
            raise forms.ValidationError(NOTHING_TICKED)
        return cleaned


def consent_page(fetch: Fetch) -> Callable[[HttpRequest], HttpResponseBase]:
    """The view that lets an app in or refuses it. What is wrong with the app itself is shown there; the rest goes
    back to it."""

    @never_cache
    @csp_replace({"form-action": None})  # browsers hold it against each redirect that follows, the app's own included
    @require_http_methods(["GET", "HEAD", "POST"])
    @in_language
    def authorize(request: HttpRequest) -> HttpResponse:
        if not settings.APPS_SIGN_IN:
            raise Http404
        if not request.user.is_authenticated:  # nothing is fetched for strangers
            return redirect_to_login(request.get_full_path())
        return _of_person(request, fetch)

    return authorize


def _of_person(request: HttpRequest, fetch: Fetch) -> HttpResponse:
    user = cast(User, request.user)
    try:
        query = _query(request)
        asked = _asked_by(query, fetch)
    except UnsoundApp as refusal:
        return render(request, "connect-refused.html", {"message": refusal.message}, status=HTTPStatus.BAD_REQUEST)
    try:
        asked = _checked(asked, query)
    except OAuthError as refusal:
        return asked.answered(error=refusal.code, error_description=refusal.message)
    if request.method == "POST" and "refuse" in request.POST:
        return asked.answered(error="access_denied", error_description="The person refused.")
    keys = connectable_keys(user, timezone.now())
    if not keys:
        return render(request, "connect.html", {"asked": asked})
    form = ConnectForm(keys, asked.scopes, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        code = connect(
            key=form.cleaned_data["key"],
            app=asked.app,
            scopes=form.cleaned_data["scopes"],
            challenge=asked.challenge,
            redirect_uri=asked.redirect_uri,
        )
        return asked.answered(code=code)
    status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
    return render(request, "connect.html", {"asked": asked, "form": form}, status=status)


def _query(request: HttpRequest) -> dict[str, str]:
    """The parameters of the address; each may be there once."""
    if any(len(values) > 1 for _, values in request.GET.lists()):
        raise UnsoundApp(gettext("The app gave something twice, so it is not clear what it asks for."))
    return request.GET.dict()


def _asked_by(query: Mapping[str, str], fetch: Fetch) -> Asked:
    """The app and where it may be answered; raises UnsoundApp, upon which no browser is sent anywhere."""
    app = find_app(query.get("client_id", ""), fetch)
    only = app.redirect_uris[0] if len(app.redirect_uris) == 1 else ""
    redirect_uri = query.get("redirect_uri", only)
    if not (may_redirect(redirect_uri) and is_among(redirect_uri, app.redirect_uris)):
        raise UnsoundApp(gettext("The app wants the browser to be sent to an address that is not its own."))
    return Asked(app, redirect_uri, query.get("state"))


def _checked(asked: Asked, query: Mapping[str, str]) -> Asked:
    """What the app asks for; raises what goes back to it."""
    if query.get("response_type") != "code":
        raise OAuthError("unsupported_response_type", "Use response_type=code.")
    challenge = query.get("code_challenge", "")
    if query.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(challenge):
        raise OAuthError("invalid_request", "Send a code_challenge of PKCE with the method S256.")
    if query.get("resource") and not is_resource(query["resource"]):
        raise OAuthError("invalid_target", f"Tokens are made for {resource()} only.")
    scopes = frozenset(Scope).intersection(query.get("scope", "").split()) or READ_SCOPES
    return Asked(asked.app, asked.redirect_uri, asked.state, challenge, scopes)
