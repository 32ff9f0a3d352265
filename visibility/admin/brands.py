"""Brands in the staff pages, as far as what is measured has a say."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html_join

from apikeys.caller import Caller
from apikeys.operators import system_caller
from apikeys.staff.base import Act, operator_caller
from brands.admin import BrandAdmin
from brands.models import Brand
from brands.services.policies import tracked_names
from brands.services.tracked import read_names
from visibility.admin.brand_acts import BRAND_ACTS
from visibility.admin.evidence import REVIEW_ACTS
from visibility.admin.topics import TOPICS_ACT
from visibility.models import EngineConfig
from visibility.pipeline.judge.judging import judging_engine
from visibility.services.brands import remove_brand
from visibility.services.competitors.name_words import in_sentences
from visibility.services.competitors.names import name_checks, warned_names, warning_of
from visibility.services.engines.configuring import choose_engines, chosen_names


class ChooseEnginesForm(forms.Form):
    """Some of the enabled engines, or none for all."""

    engines = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "radiolist"}),
        help_text="None chosen: all that are enabled, later ones too.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = self.fields["engines"]
        if isinstance(offered, forms.MultipleChoiceField):
            offered.choices = [(config.name, str(config)) for config in EngineConfig.objects.filter(enabled=True)]


def _choose(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    engines = choose_engines(operator_caller(request), brand_id=brand.pk, names=values["engines"])
    return f"Scans ask {', '.join(str(engine) for engine in engines) or 'all enabled engines'}."


@admin.register(Brand)
class MeasuredBrandAdmin(BrandAdmin):
    """Brands with the engines they have chosen. Their scans end, and are settled, before they are deleted."""

    acts = (
        *BrandAdmin.acts,
        Act(
            slug="engines",
            label="Choose engines",
            permission="brands.change_brand",
            explanation="Which engines scans of this brand ask. A choice starts over: what is not chosen here is no "
            "longer asked. Days with different engines are not comparable.",
            perform=_choose,
            form=ChooseEnginesForm,
        ),
        *BRAND_ACTS,
        TOPICS_ACT,
        *REVIEW_ACTS,
    )

    def view_on_site(self, obj: Brand) -> str:
        """The brand's own page."""
        return reverse("brand-page", args=[obj.pk])

    def get_readonly_fields(self, request: HttpRequest, obj: Brand | None = None) -> Any:
        return (*super().get_readonly_fields(request, obj), "asked_engines", "ambiguous_names")

    def get_fieldsets(self, request: HttpRequest, obj: Brand | None = None) -> Any:
        return (
            *super().get_fieldsets(request, obj),
            ("Names that mean something else, too", {"fields": ("ambiguous_names",)}),
            ("Engines", {"fields": ("asked_engines",)}),
        )

    def save_model(self, request: HttpRequest, obj: Brand, form: Any, change: bool) -> None:
        stored = self.get_queryset(request).filter(pk=obj.pk).first() if change else None
        vars(request)["known_names"] = set(tracked_names(stored)) if stored else set()
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Warn at once of names that are new here and mean something else, too."""
        super().save_related(request, form, formsets, change)
        if form.instance.judges_names and judging_engine() is None:
            messages.warning(
                request,
                "Nobody judges names yet: no engine is ticked as the one that writes, or its key is missing. Until "
                "then the detector decides alone.",
            )
        names = read_names(form.instance)
        new_names = [name for name in names.spellings if name not in vars(request)["known_names"]]
        for warned in warned_names(names, new_names):
            messages.warning(request, f"{warning_of(warned)} The brand's page here says what is proposed for it.")

    @admin.display(description="names")
    def ambiguous_names(self, brand: Brand) -> str:
        if brand._state.adding:
            return "shown when the brand is saved"
        checks = name_checks(system_caller("admin"), brand_id=brand.pk)
        return format_html_join("", "<p>{}</p>", ((in_sentences(check),) for check in checks)) or "none"

    @admin.display(description="engines")
    def asked_engines(self, brand: Brand) -> str:
        return ", ".join(chosen_names(brand)) or "all that are enabled"

    def remove(self, caller: Caller, obj: Brand) -> None:
        remove_brand(caller, brand=obj)
