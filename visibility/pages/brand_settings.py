"""The web pages of a brand's settings: what names it, how it is scanned, and how it is deleted."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apikeys.staff.fields import LinesField
from brands.models import Cadence
from brands.services.names import MAX_ALIASES, MAX_DOMAINS
from brands.services.tracked import BrandNames, read_names
from visibility.engines.display import display_name
from visibility.models import EngineConfig
from visibility.pages.acts import attempt_in, person
from visibility.pages.brand_adding import BrandForm, warn_of
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.pipeline.judge.judging import judging_engine
from visibility.services.brands import names_mark, plan_scans, remove_brand, rename_brand
from visibility.services.competitors.names import checks_of
from visibility.services.engines.configuring import chosen_names
from visibility.services.tables.catalogue import BRAND_TABLES

CADENCES = {
    Cadence.MANUAL: "Only when somebody starts a scan",
    Cadence.DAILY: "Every day",
    Cadence.WEEKLY: "Every week",
    Cadence.MONTHLY: "Every month",
}
TAKEN_ALONG = (
    "prompts",
    "answers",
    "mentions",
    "citations",
    "trend",
    "runs",
    "competitors",
    "recommendations",
    "drafts",
)
"""The tables that cannot be made again once a brand is deleted, in the order in which they are offered."""


class NamesForm(BrandForm):
    """What names a brand, and a mark of what did when the form was opened."""

    domains = LinesField(
        label="Further domains",
        help_text=f"Their citations count as the brand's own. One on each line, {MAX_DOMAINS} at most.",
    )
    seen_mark = forms.CharField(required=False, widget=forms.HiddenInput)
    field_order = ("name", "aliases", "domain", "domains", "description", "seen_mark")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["aliases"].help_text = f"By which answers mention it. One on each line, {MAX_ALIASES} at most."


class ScansForm(forms.Form):
    """How a brand is measured; the service checks it against the plan."""

    cadence = forms.ChoiceField(label="How often", choices=list(CADENCES.items()))
    samples = forms.IntegerField(
        label="Samples",
        min_value=1,
        help_text="Answers asked of each engine for each prompt; at least 2 for an interval of the panel.",
    )
    engines = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked: all that are enabled, later ones too. Days with other engines are not comparable.",
    )
    judges_names = forms.BooleanField(
        required=False,
        label="Let an engine decide names that nothing else tells of",
        help_text="Where answers use a name that also means something else. A credit for each answer that is read.",
    )

    def __init__(self, *args: Any, brand_engines: list[str], **more: Any) -> None:
        super().__init__(*args, **more)
        enabled = [
            (config.name, ": ".join(filter(None, (display_name(config.name), config.label))))
            for config in EngineConfig.objects.filter(enabled=True)
        ]
        gone = [
            (name, f"{display_name(name)} (no longer enabled)") for name in brand_engines if name not in dict(enabled)
        ]
        self.fields["engines"].choices = enabled + gone  # type: ignore[attr-defined]
        if not enabled + gone:
            self.fields["engines"].help_text = "The operator has enabled none yet."


class DeleteForm(forms.Form):
    """The name of the brand, typed, so that nobody deletes another."""

    name = forms.CharField(label="Type the name of the brand", strip=True)

    def __init__(self, *args: Any, expected: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self._expected = expected

    def clean_name(self) -> str:
        """Exactly the name."""
        name: str = self.cleaned_data["name"]
        if name != self._expected:
            raise forms.ValidationError("This is not its name. Nothing was deleted.")
        return name


@require_safe
@login_required
def settings_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What names a brand, how it is scanned, and the ways to its people and its end."""
    return _page(request, brand_frame(request, brand_id))


@require_POST
@login_required
def save_names(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Keep what names the brand. What is refused stays in the form, with the reason."""
    frame = brand_frame(request, brand_id)
    form = NamesForm(request.POST, auto_id="names_%s")
    if form.is_valid():
        version = frame.brand.names_version
        saved = attempt_in(form, lambda: rename_brand(person(request), brand=frame.brand, **form.cleaned_data))
        if saved:
            again = saved.brand.names_version != version
            messages.success(request, "Saved. Stored answers are analysed again with it." if again else "Saved.")
            warn_of(request, saved.ambiguous_names)
            return redirect("brand-settings", brand_id=brand_id)
    if form.non_field_errors():
        # Whoever saves again has read what it is now.
        form.data = {**request.POST.dict(), "seen_mark": names_mark(read_names(frame.brand))}
    return _page(request, frame, names=form, status=400)


@require_POST
@login_required
def save_scans(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Keep how the brand is measured. What is refused stays in the form, with the reason."""
    frame = brand_frame(request, brand_id)
    form = ScansForm(request.POST, brand_engines=chosen_names(frame.brand), auto_id="scans_%s")
    if form.is_valid():
        saved = attempt_in(form, lambda: plan_scans(person(request), brand=frame.brand, **form.cleaned_data))
        if saved:
            messages.success(request, "Saved. The next scan follows it.")
            if saved.judges_names and judging_engine() is None:
                messages.warning(request, "No engine decides names yet: the operator has to choose one that writes.")
            return redirect("brand-settings", brand_id=brand_id)
    return _page(request, frame, scans=form, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What goes with the brand, what can be taken along before, and the form that deletes it."""
    frame = brand_frame(request, brand_id)
    if not frame.may_own:
        raise PermissionDenied("Only the owner of this brand may delete it.")
    form = DeleteForm(request.POST if request.method == "POST" else None, expected=frame.brand.name)
    if form.is_valid():
        name = frame.brand.name
        if attempt_in(form, lambda: _deleted(request, frame)):
            messages.success(request, f"{name} is deleted with everything that was measured of it.")
            return redirect("brand-list")
    context = frame.context(
        "brand-settings", form=form, tables=[name for name in TAKEN_ALONG if name in BRAND_TABLES]
    )
    return render(request, "visibility/brand_delete_page.html", context, status=400 if form.errors else 200)


def _deleted(request: HttpRequest, frame: BrandFrame) -> bool:
    remove_brand(person(request), brand=frame.brand)
    return True


def _page(
    request: HttpRequest,
    frame: BrandFrame,
    *,
    names: NamesForm | None = None,
    scans: ScansForm | None = None,
    status: int = 200,
) -> HttpResponse:
    brand, tracked = frame.brand, read_names(frame.brand)
    own = {brand.name, *tracked.aliases}
    engines = chosen_names(brand)
    context = frame.context(
        "brand-settings",
        tracked=tracked,
        checks=[check for check in checks_of(tracked) if check.name in own],
        engines=engines,
        cadence=CADENCES[Cadence(brand.cadence)],
    )
    if frame.may_edit:
        context |= {
            "names": names or NamesForm(initial=_names(tracked), auto_id="names_%s"),
            "scans": scans or ScansForm(initial=_scans(frame, engines), brand_engines=engines, auto_id="scans_%s"),
            "most_samples": brand.owner.limit("max_samples"),
        }
    else:
        context["refused"] = names or scans
    return render(request, "visibility/settings_page.html", context, status=status)


def _names(tracked: BrandNames) -> dict[str, Any]:
    brand = tracked.brand
    return {
        "name": brand.name,
        "domain": brand.domain,
        "description": brand.description,
        "aliases": tracked.aliases,
        "domains": tracked.domains,
        "seen_mark": names_mark(tracked),
    }


def _scans(frame: BrandFrame, engines: list[str]) -> dict[str, Any]:
    brand = frame.brand
    return {
        "cadence": brand.cadence,
        "samples": brand.samples,
        "engines": engines,
        "judges_names": brand.judges_names,
    }


_SETTINGS = "brands/<uuid:brand_id>/settings"
urlpatterns = [
    path(_SETTINGS, settings_page, name="brand-settings"),
    path(f"{_SETTINGS}/names", save_names, name="save-names"),
    path(f"{_SETTINGS}/scans", save_scans, name="save-scans"),
    path(f"{_SETTINGS}/delete", delete_page, name="delete-brand"),
]
