"""API keys in the staff pages: issued and rotated in the answer to a form, shown there once and nowhere else."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.debug import sensitive_variables

from apikeys.errors import ServiceError
from apikeys.models import ApiKey
from apikeys.scopes import AGENT_SCOPES, ALL_SCOPES, REPORTING_SCOPES, Scope
from apikeys.services.keys import GRANT_RUN_SCOPES, RUN_SCOPES, issue_key, opens_doors, revoke_key, rotate_key
from apikeys.staff.base import Act, ReadOnlyAdmin, ServiceAdmin, operator, operator_caller
from apikeys.staff.fields import PersonField
from apikeys.staff.pages import page_of

_DAY_SECONDS = int(timedelta(days=1).total_seconds())
OVERLAPS = {
    0: "none: the old key stops at once",
    3_600: "1 hour",
    _DAY_SECONDS: "1 day",
    7 * _DAY_SECONDS: "7 days",
    30 * _DAY_SECONDS: "30 days",
}


PRESETS: dict[str, tuple[str, frozenset[str]]] = {
    "": ("the scopes ticked below alone", frozenset()),
    "reporting": ("reporting: sites, visibility and recommendations, to read", REPORTING_SCOPES),
    "agent": ("an agent: to read everything, and to write prompts, competitors and drafts", AGENT_SCOPES),
    "all": ("everything that you may grant, scans and audits included", ALL_SCOPES),
}


class IssueKeyForm(forms.Form):
    """What a new key is to be. The nonce makes a repeated form harmless."""

    owner = PersonField(help_text="Email address of the account. The key sees the brands of this account.")
    name = forms.CharField(max_length=100, help_text="What the key is for, such as “Looker dashboard”.")
    preset = forms.ChoiceField(
        label="For",
        required=False,
        choices=[(name, label) for name, (label, _) in PRESETS.items()],
        widget=forms.RadioSelect(attrs={"class": "radiolist"}),
        help_text="What most keys are for. Scopes that are ticked below are added to it.",
    )
    scopes = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple(attrs={"class": "radiolist"})
    )
    expires_in_days = forms.IntegerField(
        required=False, min_value=1, max_value=3_650, help_text="Empty: the key works until it is revoked."
    )
    nonce = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, *args: Any, may_grant_run_scopes: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [scope for scope in Scope if may_grant_run_scopes or scope not in RUN_SCOPES]
        scopes = self.fields["scopes"]
        if isinstance(scopes, forms.MultipleChoiceField):
            scopes.choices = [(str(scope), f"{scope}: {scope.help}") for scope in offered]
        if not may_grant_run_scopes:
            scopes.help_text = "Run scopes, which spend credits, need the permission “Can grant run scopes”."

    def clean(self) -> dict[str, Any]:
        """The scopes of the preset, as far as they are offered, and those that are ticked."""
        cleaned = super().clean() or {}
        if "scopes" in self.errors or "preset" in self.errors:
            return cleaned
        offered = [value for value, _ in self.fields["scopes"].choices]  # type: ignore[attr-defined]
        wanted = PRESETS[cleaned["preset"]][1] | set(cleaned["scopes"])
        cleaned["scopes"] = [scope for scope in offered if scope in wanted]
        if not cleaned["scopes"]:
            self.add_error("scopes", "This field is required: choose what the key is for, or tick its scopes.")
        return cleaned


class RevokeKeyForm(forms.Form):
    """Why the key ends."""

    reason = forms.CharField(max_length=200, help_text="For the record, such as “lost” or “contract ended”.")


class RotateKeyForm(forms.Form):
    """How long the old key goes on beside the new one."""

    overlap = forms.TypedChoiceField(
        choices=list(OVERLAPS.items()),
        coerce=int,
        initial=_DAY_SECONDS,
        help_text="How long the old key keeps working.",
    )


def _revoke(request: HttpRequest, key: ApiKey, values: dict[str, Any]) -> str:
    revoke_key(operator_caller(request), key=key, reason=values["reason"])
    return f"The key {key} is revoked: the next call with it is refused."


@sensitive_variables("raw")
def _rotate(request: HttpRequest, key: ApiKey, values: dict[str, Any]) -> HttpResponse:
    new, raw = rotate_key(operator_caller(request), key=key, overlap=timedelta(seconds=values["overlap"]))
    return shown_once(request, new, raw)


@sensitive_variables("raw")
def shown_once(request: HttpRequest, key: ApiKey | None, raw: str | None) -> HttpResponse:
    """The page with the raw key, or, without one, that it was shown already."""
    warnings = []
    if raw and key and not opens_doors(key.owner):
        plan = key.owner.plan
        warnings.append(
            f"{key.owner} is on the plan {plan or 'none'}, which has no API access: every call with this key is "
            "refused until the plan changes."
        )
    context = {
        **admin.site.each_context(request),
        "title": "API key issued" if raw else "API key was issued already",
        "opts": ApiKey._meta,
        "key": key,
        "raw": raw,
        "warnings": warnings,
    }
    response = TemplateResponse(request, "admin/apikeys/apikey/issued.html", context, status=200 if raw else 409)
    response["Referrer-Policy"] = "no-referrer"
    return response


@admin.register(ApiKey)
class ApiKeyAdmin(ServiceAdmin, ReadOnlyAdmin):
    """Keys: issue, revoke, rotate, each behind its own permission. Their rows are neither changed nor deleted."""

    list_display = ("name", "owner", "masked", "state", "created_at", "expires_at", "last_used_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__email", "last_four")
    date_hierarchy = "created_at"
    fieldsets = (
        (None, {"fields": ("owner", "name", "masked", "state", "scopes", "expires_at")}),
        ("On record", {"fields": ("created_at", "created_by", "rotated_from", "rotated_to", "last_used_at")}),
        ("Revocation", {"fields": ("revoked_at", "revoked_by", "revoked_reason")}),
    )
    acts = (
        Act(
            slug="revoke",
            label="Revoke",
            permission="apikeys.revoke_apikey",
            explanation="Ends the key for good. The next call with it is refused.",
            perform=_revoke,
            form=RevokeKeyForm,
            applies=lambda key: key.revoked_at is None,
        ),
        Act(
            slug="rotate",
            label="Rotate",
            permission="apikeys.rotate_apikey",
            explanation="Creates a new key with the same owner, name, scopes and expiry, and shows it once. The old "
            "key keeps working for the overlap.",
            perform=_rotate,
            form=RotateKeyForm,
            applies=lambda key: key.revoked_at is None and not key.rotations.exists(),
        ),
    )

    @admin.display(description="key")
    def masked(self, key: ApiKey) -> str:
        return f"{key.prefix}…{key.last_four}"

    @admin.display(description="state")
    def state(self, key: ApiKey) -> str:
        if key.revoked_at:
            return "revoked"
        if key.expires_at and key.expires_at <= timezone.now():
            return "expired"
        return "active"

    @admin.display(description="rotated to")
    def rotated_to(self, key: ApiKey) -> str:
        successor = key.rotations.first()
        return format_html('<a href="{}">{}</a>', page_of(successor), successor) if successor else "-"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return operator(request).has_perm("apikeys.issue_apikey")

    def has_view_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        names = ("view_apikey", "issue_apikey", "revoke_apikey", "rotate_apikey")
        return any(operator(request).has_perm(f"apikeys.{name}") for name in names)

    @sensitive_variables("raw")
    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for a key; the answer to the form carries it. The form sent again is told that it was issued."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = IssueKeyForm(
            request.POST if request.method == "POST" else None,
            may_grant_run_scopes=operator(request).has_perm(GRANT_RUN_SCOPES),
        )
        if form.is_bound and form.is_valid():
            try:
                key, raw = self._issue(request, form.cleaned_data)
            except ServiceError as error:
                if error.details.get("argument") == "nonce":
                    issued = ApiKey.objects.select_related("owner").filter(issue_nonce=form.cleaned_data["nonce"])
                    return shown_once(request, issued.first(), None)
                argument = str(error.details.get("argument"))
                form.add_error(argument if argument in form.fields else None, error.message)
            else:
                return shown_once(request, key, raw)
        return self._form_page(request, form)

    @sensitive_variables("raw")
    def _issue(self, request: HttpRequest, values: dict[str, Any]) -> tuple[ApiKey, str]:
        days = values["expires_in_days"]
        with transaction.atomic():
            key, raw = issue_key(
                operator_caller(request),
                owner=values["owner"],
                name=values["name"],
                scopes=values["scopes"],
                expires_at=timezone.now() + timedelta(days=days) if days else None,
                nonce=values["nonce"],
            )
            self.log_addition(request, key, [{"added": {}}])
        return key, raw

    def _form_page(self, request: HttpRequest, form: forms.Form) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": "Issue API key",
            "explanation": "The key is shown once, in the answer to this form. Only its hash is stored.",
            "form": form,
            "submit_label": "Issue key",
            "opts": self.opts,
            "back": reverse("admin:apikeys_apikey_changelist"),
        }
        return TemplateResponse(request, "admin/act.html", context)
