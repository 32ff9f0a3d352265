"""The operators' desk for keys and their calls."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.keys import (
    GRANT_RUN_SCOPES,
    LONGEST_OVERLAP,
    issue_key,
    revoke_key,
    rotate_key,
    set_may_connect,
)
from apikeys.errors import ErrorCode
from apikeys.models import ApiKey, CallLog
from apikeys.scopes import AGENT_SCOPES, ALL_SCOPES, REPORTING_SCOPES, RUN_SCOPES, Scope
from apikeys.staff import (
    Act,
    PersonField,
    ReadOnlyAdmin,
    ServiceAdmin,
    ServiceForm,
    link,
    never,
    operator,
    operator_caller,
    show_once,
    table,
)

LISTED_CALLS = 50
PRESETS = {
    "reporting": ("Reporting: reads sites, scores and recommendations. What most keys are for.", REPORTING_SCOPES),
    "agent": ("Agent: reads all, writes prompts, competitors and drafts. Spends no credits.", AGENT_SCOPES),
    "all": ("Everything that you may grant, scans and audits included. These spend credits.", ALL_SCOPES),
    "": ("Only what is ticked below.", frozenset[Scope]()),
}


class IssueKeyForm(ServiceForm):
    """What a new key is to be. The nonce makes a form that is sent again harmless."""

    owner = PersonField(label="Account", help_text="Email address. The key sees the brands of this account only.")
    preset = forms.ChoiceField(
        label="What it may do",
        required=False,
        choices=[(name, label) for name, (label, _) in PRESETS.items()],
        initial="reporting",
        widget=forms.RadioSelect(attrs={"class": "radiolist"}),
    )
    scopes = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "radiolist"}),
        help_text="What is ticked is added to the choice above.",
    )
    expires_in_days = forms.IntegerField(
        label="Ends after days",
        required=False,
        min_value=1,
        max_value=3_650,
        initial=365,
        help_text="Empty: the key works until it is revoked.",
    )
    nonce = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    class Meta:
        model = ApiKey
        fields = ["owner", "name", "may_connect"]
        labels = {"name": "What it is for"}
        help_texts = {"name": "Such as “Looker dashboard”."}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        may_spend = self.operator.has_perm(GRANT_RUN_SCOPES)
        self.offered = [scope for scope in Scope if may_spend or scope not in RUN_SCOPES]
        choices = [(scope.value, f"{scope}: {scope.help}") for scope in self.offered]
        self.fields["scopes"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        """The scopes of the preset, as far as they are offered, and those that are ticked."""
        cleaned = super().clean()
        if not self.errors:
            wanted = {*PRESETS[self.cleaned_data["preset"]][1], *self.cleaned_data["scopes"]}
            self.cleaned_data["scopes"] = [scope.value for scope in self.offered if scope in wanted]
        return cleaned


class RevokeForm(forms.Form):
    """Why the key ends."""

    reason = forms.CharField(max_length=200, help_text="For the record, such as “lost” or “contract ended”.")


class RotateForm(forms.Form):
    """How long the old key goes on next to the new one."""

    overlap_days = forms.IntegerField(
        label="Overlap in days",
        min_value=0,
        max_value=LONGEST_OVERLAP.days,
        initial=1,
        help_text="How long the old key works on, at most until it expires; 0: it stops at once.",
    )


def _revoke(request: HttpRequest, key: ApiKey, values: dict[str, Any]) -> str:
    revoke_key(operator_caller(request), key=key, reason=values["reason"])
    return f"The key {key} is revoked: the next call with it is refused."


def _set_may_connect(request: HttpRequest, key: ApiKey, values: dict[str, Any], *, allowed: bool) -> str:
    set_may_connect(operator_caller(request), key=key, allowed=allowed)
    return f"The key {key} is {'open' if allowed else 'closed'} to apps."


@sensitive_variables("raw")
def _rotate(request: HttpRequest, key: ApiKey, values: dict[str, Any]) -> HttpResponse:
    new, raw = rotate_key(operator_caller(request), key=key, overlap=timedelta(days=values["overlap_days"]))
    return _show_key(request, new, raw)


@sensitive_variables("raw")
def _show_key(request: HttpRequest, key: ApiKey, raw: str) -> HttpResponse:
    address = settings.PUBLIC_URL
    facts = [
        ("Account", key.owner),
        ("What it is for", key.name),
        ("What it may do", _scopes_in_words(key)),
        ("Ends", key.expires_at or "when it is revoked"),
        ("Known later as", f"{key.prefix}…{key.last_four}"),
        ("Where", f"{address}/api/v1/brands and, for agents, {address}/mcp"),
    ]
    note = "Lost it? Nobody can read it back: rotate it, or revoke it and issue another."
    if not key.owner.has_api_access:
        note = f"The plan of {key.owner} has no API access: every call is refused until the plan changes. {note}"
    return show_once(request, key, title="Copy this key now", secret=raw, facts=facts, note=note)


def _scopes_in_words(key: ApiKey) -> str:
    names = {"Reporting": REPORTING_SCOPES, "Agent": AGENT_SCOPES, "Everything": ALL_SCOPES}
    scopes = set(key.scopes)
    return next((name for name, preset in names.items() if preset == scopes), ", ".join(key.scopes))


@admin.register(ApiKey)
class ApiKeyAdmin(ServiceAdmin):
    """Keys: issue, revoke, rotate, each behind its own permission. Their rows are neither changed nor deleted."""

    add_form = IssueKeyForm
    add_fieldsets = (
        (
            None,
            {
                "fields": ("owner", "name", "preset", "expires_in_days", "may_connect", "nonce"),
                "description": "The key is shown once, in the answer to this form. Only its fingerprint is stored.",
            },
        ),
        ("Scopes one by one", {"fields": ("scopes",), "classes": ("collapse",)}),
    )
    change_form_template = "admin/key_form.html"
    has_change_permission = has_delete_permission = never
    list_display = ("name", "owner", "masked", "state", "may_do", "last_used_at", "expires_at", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email", "=last_four")
    search_help_text = "What the key is for, the email address of its owner, or its last four characters."
    fieldsets = (
        (
            None,
            {"fields": ("owner", "name", "masked", "state", "scopes", "may_connect", "expires_at", "last_used_at")},
        ),
        (
            "On record",
            {
                "fields": (
                    "created_at",
                    "created_by",
                    "rotated_from",
                    "replaced_by",
                    "revoked_at",
                    "revoked_by",
                    "revoked_reason",
                )
            },
        ),
        ("Connected apps", {"fields": ("connected_apps",)}),
        ("Last calls", {"fields": ("last_calls",)}),
    )
    acts = (
        Act(
            slug="revoke",
            label="Revoke",
            permission="apikeys.revoke_apikey",
            explanation="Ends the key for good. The next call with it is refused.",
            perform=_revoke,
            form=RevokeForm,
            applies=lambda key: key.revoked_at is None,
        ),
        Act(
            slug="rotate",
            label="Rotate",
            permission="apikeys.rotate_apikey",
            explanation="Makes a new key for the same account, with the same name, scopes and expiry, and shows it "
            "once. The old key works on for the overlap. A key is rotated once.",
            perform=_rotate,
            form=RotateForm,
            applies=lambda key: key.state_at(timezone.now()) == "active" and not hasattr(key, "rotated_to"),
        ),
        Act(
            slug="open",
            label="Open to apps",
            permission="apikeys.issue_apikey",
            explanation="The owner may let apps use this key by signing in. Each app gets what the owner ticks, and "
            "never more than the key.",
            perform=partial(_set_may_connect, allowed=True),
            applies=lambda key: not key.may_connect and key.revoked_at is None,
        ),
        Act(
            slug="close",
            label="Close to apps",
            permission="apikeys.issue_apikey",
            explanation="The next call of every app that uses this key is refused, until the key is opened again. "
            "The key itself works on.",
            perform=partial(_set_may_connect, allowed=False),
            applies=lambda key: key.may_connect and key.revoked_at is None,
        ),
    )

    @admin.display(description="key")
    def masked(self, key: ApiKey) -> str:
        """As much of the key as is stored."""
        return f"{key.prefix}…{key.last_four}"

    def state(self, key: ApiKey) -> str:
        """Whether it works, else why not."""
        return key.state_at(timezone.now())

    def may_do(self, key: ApiKey) -> str:
        return _scopes_in_words(key)

    def replaced_by(self, key: ApiKey) -> str:
        """The key that replaced it, as a link."""
        return link(key.rotated_to) if hasattr(key, "rotated_to") else "-"

    def connected_apps(self, key: ApiKey) -> SafeString:
        """The connections with this key, as links."""
        now = timezone.now()
        rows = key.connections.select_related("app", "key__owner")[:LISTED_CALLS]
        return table(
            ("Connection", "May do", "Last used", "State"),
            [(link(each), ", ".join(each.scopes), each.last_used_at or "-", each.state_at(now)) for each in rows],
        )

    @admin.display(description=f"the last {LISTED_CALLS}")
    def last_calls(self, key: ApiKey) -> SafeString:
        rows = [
            (date_format(call.created_at, "DATETIME_FORMAT"), call.get_door_display(), call.name, call.result)
            for call in key.calls.all()[:LISTED_CALLS]
        ]
        all_calls = f"{reverse('admin:apikeys_calllog_changelist')}?key={key.pk}"
        return format_html(
            '{}<p><a href="{}">All calls of this key</a></p>',
            table(("When", "Door", "Call", "Result"), rows),
            all_calls,
        )

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        return super().add_view(request, form_url, {"title": "Issue an API key"})

    def has_add_permission(self, request: HttpRequest) -> bool:
        return operator(request).has_perm("apikeys.issue_apikey")

    def has_view_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        names = ("view_apikey", "issue_apikey", "revoke_apikey", "rotate_apikey")
        return any(operator(request).has_perm(f"apikeys.{name}") for name in names)

    @sensitive_variables("raw")
    def store(self, caller: Caller, obj: ApiKey, form: Any, change: bool) -> ApiKey:
        values = form.cleaned_data
        days = values["expires_in_days"]
        key, raw = issue_key(
            caller,
            owner=values["owner"],
            name=values["name"],
            scopes=values["scopes"],
            expires_at=timezone.now() + timedelta(days=days) if days else None,
            may_connect=values["may_connect"],
            form_nonce=values["nonce"],
        )
        vars(obj)["raw"] = raw  # for response_add, in this request alone
        return key

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        return _show_key(request, obj, vars(obj).pop("raw"))


class CodeFilter(admin.SimpleListFilter):
    """By error code. They are known: to look for them among millions of rows would take long."""

    title, parameter_name = "error code", "error_code"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(code.value, code.value) for code in ErrorCode]

    def queryset(self, request: HttpRequest, queryset: QuerySet[CallLog]) -> QuerySet[CallLog]:
        return queryset.filter(error_code=self.value()) if self.value() else queryset


@admin.register(CallLog)
class CallLogAdmin(ReadOnlyAdmin):
    """Each call of a key on either door."""

    list_display = ("created_at", "key", "result", "name", "owner", "door", "app", "duration_ms", "count")
    list_filter = ("created_at", "door", "success", CodeFilter)
    list_select_related = ("key__owner", "connection__app")
    search_fields = ("key__name",)  # only shows the box: see get_search_results
    search_help_text = (
        "What the key is for, its last four characters, the email address of its owner, or a request id."
    )

    def owner(self, call: CallLog) -> str:
        return call.key.owner.email

    def app(self, call: CallLog) -> str:
        """The app that called, where it was let in by signing in."""
        return str(call.connection.app) if call.connection else "-"

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[CallLog], search_term: str
    ) -> tuple[QuerySet[CallLog], bool]:
        """The keys first, of which there are few: their calls are found by an index."""
        term = search_term.strip()
        if not term:
            return queryset, False
        keys = ApiKey.objects.filter(Q(name__icontains=term) | Q(owner__email__icontains=term) | Q(last_four=term))
        return queryset.filter(Q(key__in=list(keys.values_list("pk", flat=True))) | Q(request_id=term)), False
