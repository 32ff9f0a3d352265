"""When a name counts, as people say it on the page of settings."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import Http404
from django.utils.translation import gettext, gettext_lazy

from apikeys.text import storable
from brands.brands import update_brand
from brands.competitors import update_competitor
from brands.models import LONGEST_NAME, Brand, Name
from brands.names import set_name_policy
from visibility.pages.forms import LinesField, PageForm
from visibility.pages.frame import Visit


class NameUseForm(PageForm):
    """How a name that is also a word is meant."""

    name = forms.CharField(max_length=LONGEST_NAME, widget=forms.HiddenInput)
    also = forms.CharField(max_length=LONGEST_NAME, required=False, widget=forms.HiddenInput)
    never = forms.CharField(max_length=LONGEST_NAME, required=False, widget=forms.HiddenInput)


class PolicyForm(PageForm):
    """When a name counts; left empty, it counts wherever it occurs."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=LONGEST_NAME, widget=forms.Select)
    case_sensitive = forms.BooleanField(label=gettext_lazy("Only with these capitals"), required=False)
    required_near = LinesField(
        sign=",",
        label=gettext_lazy("One of these words is in the line, with commas between"),
        required=False,
    )
    forbidden_near = LinesField(
        sign=",",
        label=gettext_lazy("None of these words is right next to it, with commas between"),
        required=False,
    )

    def offer(self, brand: Brand) -> None:
        """Show the names of the brand and its competitors."""
        names = sorted(brand.names.all(), key=lambda each: (each.competitor_id is not None, each.text))
        self.fields["name"].widget.choices = [(each.text, each.text) for each in names]


def policies_of(brand: Brand) -> Sequence[Name]:
    """The names of the brand and its competitors that do not count everywhere."""
    return [each for each in brand.names.all() if each.case_sensitive or each.required_near or each.forbidden_near]


def set_policy(visit: Visit, values: dict[str, Any]) -> str:
    """Say when a name counts, in place of what was said of it before."""
    policy = {name: values[name] for name in ("name", "case_sensitive", "required_near", "forbidden_near")}
    name = set_name_policy(visit.caller, brand_id=visit.brand.pk, **policy)
    return gettext("When “{name}” counts is saved. Figures follow within minutes.").format(name=name.text)


def mend_name(visit: Visit, values: dict[str, Any]) -> str:
    """Add a longer name, or rule a name out beside a word."""
    row = visit.brand.names.filter(text=storable(values["name"])).select_related("competitor").first()
    if row is None:
        raise Http404
    if word := values["also"]:
        others = visit.brand.names.filter(competitor=row.competitor, is_main=False).values_list("text", flat=True)
        if row.competitor is None:
            update_brand(visit.caller, brand_id=visit.brand.pk, aliases=[*others, word])
        else:
            at = {"brand_id": visit.brand.pk, "competitor_id": row.competitor.pk}
            update_competitor(visit.caller, **at, aliases=[*others, word])
        return gettext("“{word}” counts as a name, too. Figures follow within minutes.").format(word=word)
    word = values["never"]
    set_name_policy(
        visit.caller,
        brand_id=visit.brand.pk,
        name=row.text,
        case_sensitive=row.case_sensitive,
        required_near=row.required_near,
        forbidden_near=[*row.forbidden_near, word],
    )
    return gettext("“{text}” beside “{word}” does not count any more. Figures follow within minutes.").format(
        text=row.text, word=word
    )
