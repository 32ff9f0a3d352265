"""Engines in the staff pages: what is asked, within which bounds, and whether it answers. Keys are never shown."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.staff.base import Act, ServiceAdmin, ServiceForm, operator_caller
from visibility.engines.spec import LocaleHandling
from visibility.metrics.shown import shown
from visibility.models import EngineConfig
from visibility.pipeline.ask.engines import has_key
from visibility.services.engines.checks import FIELDS, PROVIDERS
from visibility.services.engines.configuring import Trial, add_engine, edit_engine, remove_engine, try_engine
from visibility.services.operating.status import LAST_ERROR_OF, last_error, with_last_error

HANDLING = {
    LocaleHandling.SEARCH: "its country goes to the search tool, where that takes one",
    LocaleHandling.INSTRUCTION: "that, and a system message names it",
    LocaleHandling.IGNORE: "it is not told",
}


class EngineForm(ServiceForm):
    """One engine; the name of one that exists is fixed."""

    provider = forms.ChoiceField(choices=list(PROVIDERS.items()))
    locale_handling = forms.ChoiceField(
        choices=[(str(handling), words) for handling, words in HANDLING.items()],
        initial=LocaleHandling.SEARCH,
        label="A prompt's locale",
    )
    input_price = forms.DecimalField(required=False, help_text="US dollars for a million tokens of input.")
    output_price = forms.DecimalField(required=False, help_text="US dollars for a million tokens of output.")
    search_price = forms.DecimalField(required=False, help_text="US dollars for a thousand searches.")

    class Meta:
        model = EngineConfig
        fields = list(FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fix("name")


def _try(request: HttpRequest, config: EngineConfig, values: dict[str, Any]) -> str:
    return told(try_engine(operator_caller(request), engine=config))


def told(trial: Trial) -> str:
    """What came back, in a sentence."""
    cost = "cost unknown" if trial.cost is None else f"${shown(trial.cost, 6)} ({trial.cost_source})"
    searched = {True: f"searched, {trial.sources} sources", False: "not searched", None: "search not reported"}
    return (
        f"It answers: {trial.served_model or 'model not reported'}, {shown(trial.seconds)} seconds, {cost}, "
        f"{searched[trial.searched]}. “{trial.text.strip()[:200]}”"
    )


@admin.register(EngineConfig)
class EngineConfigAdmin(ServiceAdmin):
    """The AI systems that scans ask."""

    form = EngineForm
    list_display = ("name", "enabled", "last_error", "key_is_set", "provider", "model", "search", "writes", "label")
    list_filter = ("enabled", "provider", "search")
    search_fields = ("name", "label", "model")
    readonly_fields = ("key_is_set", "last_error")
    fieldsets = (
        (None, {"fields": ("name", "label", "enabled", "writes", "last_error")}),
        ("What is asked", {"fields": ("provider", "base_url", "model", "search", "locale_handling")}),
        ("Key", {"fields": ("key_variable", "key_is_set")}),
        ("Bounds of an answer", {"fields": ("max_output_tokens", "max_searches")}),
        ("Bounds of a run", {"fields": ("max_samples",)}),
        ("What the provider allows this key", {"fields": ("concurrency", "requests_per_minute")}),
        (
            "Prices",
            {
                "fields": ("input_price", "output_price", "search_price"),
                "description": "Empty: what the provider reports, else the price list. One price given: those not "
                "given count as nothing.",
            },
        ),
    )
    acts = (
        Act(
            slug="test",
            label="Test connection",
            permission="visibility.change_engineconfig",
            explanation="Asks this engine one short question now and says what came back. The provider bills it as "
            "any other question; nothing is stored.",
            perform=_try,
            calls_out=True,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[EngineConfig]:
        return with_last_error(super().get_queryset(request), timezone.now())

    @admin.display(description="key is set", boolean=True)
    def key_is_set(self, config: EngineConfig) -> bool | None:
        return has_key(config) if config.key_variable else None

    @admin.display(description="last error")
    def last_error(self, config: EngineConfig) -> str:
        return last_error(config) or f"none within {LAST_ERROR_OF.days} days"

    def store(self, caller: Caller, obj: EngineConfig, form: Any, change: bool) -> EngineConfig:
        if change:
            return edit_engine(caller, engine=obj, **form.changed_values(*FIELDS))
        return add_engine(caller, **{name: form.cleaned_data[name] for name in FIELDS})

    def remove(self, caller: Caller, obj: EngineConfig) -> None:
        remove_engine(caller, engine=obj)
