"""The web pages that bring a brand in: its name and domain, then what is next until its first scan runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apikeys.errors import ServiceError
from apikeys.staff.fields import LinesField
from apikeys.text.sentences import counted
from brands.models import MAX_NAME, Brand, Competitor
from brands.services.brands import DESCRIPTION_LENGTH
from visibility.metrics.amounts import dollars, duration
from visibility.models import Prompt, Run
from visibility.pages.acts import attempt_in, person, reader, signed_in
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.resources.competitors import AmbiguousName
from visibility.services.brands import add_own_brand
from visibility.services.competitors.listing import watch_competitor
from visibility.services.competitors.names import warning_of
from visibility.services.prompts.editing import quota_of
from visibility.services.scans.estimates import estimate_scan
from visibility.services.topics.beginning import FEWEST, MAX_EACH, MOST, begin_with_topics, first_topics

ON_EACH = 2
"""Prompts that are offered for each of the first topics: more topics tell more than more wordings of one."""


class BrandForm(forms.Form):
    """What makes a brand; the service checks it."""

    name = forms.CharField(max_length=MAX_NAME, help_text="As answers write it.")
    domain = forms.CharField(help_text="Its main domain, such as acme.com. Citations of it count as yours.")
    description = forms.CharField(
        required=False,
        max_length=DESCRIPTION_LENGTH,
        label="What it sells",
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="A line will do. It helps to write prompts, and to tell the name from its other meanings.",
    )
    aliases = LinesField(
        label="Other names", help_text="By which answers mention it, one on each line. Products count, too."
    )


class RivalForm(forms.Form):
    """A competitor to begin with; the service checks it."""

    name = forms.CharField(max_length=MAX_NAME)
    domain = forms.CharField(help_text="Such as rival.com.")


class FirstTopicsForm(forms.Form):
    """The topics to begin with; the service checks them."""

    topics = LinesField(
        label="What it sells",
        required=True,
        widget=forms.Textarea(attrs={"rows": 8, "dir": "auto"}),
        help_text=f"{FEWEST} to {MOST} topics, one on each line, as buyers call them: running shoes. They are yours "
        "from the start, and what the score speaks of.",
    )
    on_each = forms.IntegerField(label="Prompts on each", initial=ON_EACH, min_value=1, max_value=MAX_EACH)


@dataclass(frozen=True, slots=True)
class Start:
    """How far a brand is on its way to a first measurement."""

    rivals: Sequence[str]
    prompts: int
    runs: int

    @property
    def step(self) -> str:
        """What is next."""
        if self.runs:
            return "done"
        if self.prompts:
            return "scan"
        return "topics" if self.rivals else "rivals"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def add_brand(request: HttpRequest) -> HttpResponse:
    """A new brand of the person's own. What is refused stays in the form, with the reason."""
    form = BrandForm(request.POST) if request.method == "POST" else BrandForm()
    if form.is_valid():
        added = attempt_in(form, lambda: add_own_brand(person(request), **form.cleaned_data))
        if added:
            messages.success(request, f"{added.brand.name} is added.")
            warn_of(request, added.ambiguous_names)
            return redirect("start-page", brand_id=added.brand.pk)
    context = {"form": form, "most": signed_in(request).limit("max_sites")}
    return render(request, "visibility/brand_add_page.html", context, status=400 if form.errors else 200)


@require_safe
@login_required
def start_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """What is next for a new brand: competitors, topics with their prompts, the first scan."""
    return _start_page(request, brand_frame(request, brand_id))


@require_POST
@login_required
def first_rival(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Watch a competitor and stay, to add the next."""
    frame = brand_frame(request, brand_id)
    form = RivalForm(request.POST)
    if form.is_valid():
        added = attempt_in(form, lambda: watch_competitor(person(request), brand_id=brand_id, **form.cleaned_data))
        if added:
            messages.success(request, f"{added.competitor.name} is watched.")
            warn_of(request, added.ambiguous_names)
            return redirect("start-page", brand_id=brand_id)
    return _start_page(request, frame, rival=form, status=400)


@require_POST
@login_required
def begin_topics(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Take the first topics as the brand's own, with prompts on each."""
    frame = brand_frame(request, brand_id)
    form = FirstTopicsForm(request.POST)
    if form.is_valid():
        wishes = form.cleaned_data
        added = attempt_in(form, lambda: begin_with_topics(person(request), brand_id=brand_id, **wishes))
        if added:
            messages.success(request, f"{counted(len(added.prompts), 'prompt')} added. Read them before you scan.")
            return redirect("start-page", brand_id=brand_id)
    return _start_page(request, frame, topics=form, status=400)


def warn_of(request: HttpRequest, names: Sequence[AmbiguousName]) -> None:
    """Say at once which new names also mean something else."""
    for name in names:
        messages.warning(request, f"{warning_of(name)} “Competitors” has what can be said of such names.")


def _start_page(
    request: HttpRequest,
    frame: BrandFrame,
    *,
    rival: RivalForm | None = None,
    topics: FirstTopicsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    active = Prompt.objects.filter(brand=frame.brand).active()
    start = _start_of(frame.brand, active.count())
    context = frame.context(
        "brand-page",
        start=start,
        step="topics" if request.GET.get("next") == "topics" and start.step == "rivals" else start.step,
        quota=quota_of(frame.brand, start.prompts),
        some=list(active[:10]),
        rival=rival or RivalForm(auto_id="rival_%s"),
        first=topics or FirstTopicsForm(),
    )
    if topics is None and frame.may_edit and not start.prompts:
        context["first"] = FirstTopicsForm(initial={"topics": first_topics(frame.caller, brand=frame.brand)})
    if frame.may_edit and start.step == "scan":
        context |= _estimate(request, frame)
    return render(request, "visibility/start_page.html", context, status=status)


def _start_of(brand: Brand, prompts: int) -> Start:
    rivals = Competitor.objects.filter(brand=brand).values_list("name", flat=True)
    runs = Run.objects.filter(brand=brand, kind=Run.Kind.VISIBILITY).count()
    return Start(list(rivals), prompts, runs)


def _estimate(request: HttpRequest, frame: BrandFrame) -> dict[str, object]:
    """What the first scan takes, or why none can start."""
    try:
        estimate = estimate_scan(reader(request), brand_id=frame.brand.pk)
    except ServiceError as refusal:
        return {"refusal": refusal.message}
    return {"estimate": estimate, "cost": dollars(estimate.cost), "duration": duration(estimate.seconds)}


_START = "brands/<uuid:brand_id>/start"
urlpatterns = [
    path("brands/add", add_brand, name="add-brand"),
    path(_START, start_page, name="start-page"),
    path(f"{_START}/competitor", first_rival, name="first-competitor"),
    path(f"{_START}/topics", begin_topics, name="begin-topics"),
]
