"""Brands in the staff pages, as far as what is measured has a say."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from apikeys.admin.base import Act, operator_caller
from apikeys.caller import Caller
from brands.admin import BrandAdmin
from brands.models import Brand
from visibility.models import EngineConfig
from visibility.services.brands import remove_brand
from visibility.services.engines import choose_engines, chosen_names
from visibility.services.names import name_flags


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
    chosen = choose_engines(operator_caller(request), brand_id=brand.pk, names=values["engines"])
    return f"Scans ask {', '.join(str(each) for each in chosen) or 'all enabled engines'}."


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
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Brand | None = None) -> Any:
        return (*super().get_readonly_fields(request, obj), "asked_engines", "ambiguous_names")

    def get_fieldsets(self, request: HttpRequest, obj: Brand | None = None) -> Any:
        return (
            *super().get_fieldsets(request, obj),
            ("Names that mean something else, too", {"fields": ("ambiguous_names",)}),
            ("Engines", {"fields": ("asked_engines",)}),
        )

    @admin.display(description="names")
    def ambiguous_names(self, brand: Brand) -> str:
        if brand._state.adding:
            return "shown when the brand is saved"
        return " ".join(flag.reason for flag in name_flags(brand).values()) or "none"

    @admin.display(description="engines")
    def asked_engines(self, brand: Brand) -> str:
        return ", ".join(chosen_names(brand)) or "all that are enabled"

    def remove(self, caller: Caller, obj: Brand) -> None:
        remove_brand(caller, brand=obj)
