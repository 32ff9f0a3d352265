"""Engines: what is asked, what it costs, and the ledger of every call."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apikeys.errors import conflict
from apikeys.staff import Act, ActingAdmin, ReadOnlyAdmin, never
from visibility.engines import PRESETS
from visibility.models import Engine, ProviderCall, Surface
from visibility.runs.check import check_engine, report_of
from visibility.runs.engines import LOCAL, reach, state_of

if TYPE_CHECKING:
    EngineModelAdmin = admin.ModelAdmin[Engine]
    EngineModelForm = forms.ModelForm[Engine]
else:
    EngineModelAdmin = admin.ModelAdmin
    EngineModelForm = forms.ModelForm

DAYS_SHOWN = 30


class EngineForm(EngineModelForm):
    """How an engine is reached, and what one answer may take. Its provider's key is an environment variable."""

    preset = forms.ChoiceField(
        label="Provider",
        choices=[*((name, preset.label) for name, preset in PRESETS.items()), (LOCAL, "Stored pages of the brand")],
    )

    base_url = forms.URLField(
        label="Base URL", required=False, assume_scheme="https", help_text="empty: the provider's own address"
    )

    class Meta:
        model = Engine
        fields = "__all__"

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if cleaned and cleaned.get("preset") not in ("", LOCAL) and not cleaned.get("model"):
            self.add_error("model", "Name the model, as the provider calls it.")
        return cleaned


def _try(request: HttpRequest, engine: Engine, values: dict[str, Any]) -> str:
    reached = reach(engine)
    if reached is None or reached.surface != Surface.API:
        raise conflict(f"It cannot be asked: {state_of(engine)}.")
    return report_of(reached, check_engine(reached))


@admin.register(Engine)
class EngineAdmin(ActingAdmin, EngineModelAdmin):
    """The engines. Those without a provider are known from imports. One that has answered is never deleted."""

    form = EngineForm
    actions = None
    acts = (
        Act(
            slug="try",
            label="Try it",
            permission="visibility.change_engine",
            explanation="It is asked one real question, which costs what an answer costs and counts in no figure.",
            perform=_try,
            applies=lambda engine: engine.preset not in ("", LOCAL),
            is_atomic=False,
        ),
    )
    has_delete_permission = never
    list_display = ("name", "preset", "model", "search", "is_enabled", "state")
    list_filter = ("is_enabled",)
    fieldsets = (
        (None, {"fields": ("name", "preset", "model", "base_url", "search", "is_enabled")}),
        ("At most", {"fields": ("max_output_tokens", "max_searches", "max_samples")}),
        ("Pace", {"fields": ("concurrency", "requests_per_minute")}),
        (
            "Prices that you pay",
            {
                "fields": ("input_price", "output_price", "search_price"),
                "description": "Only where they differ from the provider's list, or it has none. Empty: as listed.",
            },
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Engine | None = None) -> tuple[str, ...]:
        """The name is in answers and figures."""
        return ("name",) if obj else ()

    def response_add(self, request: HttpRequest, obj: Engine, post_url_continue: str | None = None) -> HttpResponse:
        """Says of a new engine whether scans ask it."""
        messages.info(request, f"{obj.name}: {state_of(obj)}. “Try it” asks one question.")
        return super().response_add(request, obj, post_url_continue)

    def state(self, engine: Engine) -> str:
        """Whether scans ask it, and what is in the way."""
        return state_of(engine)


@admin.register(ProviderCall)
class ProviderCallAdmin(ReadOnlyAdmin):
    """Every call to a provider, the newest first, below what each of the last days cost."""

    change_list_template = "admin/calls.html"
    list_display = ("created_at", "engine", "purpose", "brand_name", "outcome", "cost", "cost_source", "error_code")
    list_filter = ("outcome", "purpose", "engine")
    ordering = ["-id"]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {**(extra_context or {}), "days": _days()})


def _days() -> Any:
    """Calls and US dollars of each of the last days (UTC), the newest first."""
    since = timezone.now() - timedelta(days=DAYS_SHOWN)
    days = ProviderCall.objects.filter(created_at__gte=since).annotate(day=TruncDate("created_at")).values("day")
    unknown = Q(cost=None) & ~Q(outcome__in=[ProviderCall.Outcome.FAILED, ProviderCall.Outcome.PENDING])
    answered = Q(outcome=ProviderCall.Outcome.ANSWERED)
    return days.annotate(
        calls=Count("pk"),
        answered=Count("pk", filter=answered),
        unknown=Count("pk", filter=unknown),
        dollars=Sum("cost"),
    ).order_by("-day")
