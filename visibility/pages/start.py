"""The first hour of a brand, in steps with an address each: its site, what is proposed from it, prompts or a file of
answers, the first scan.

A step is done when its rows are there, so that people may interrupt it. What is refused stays in its form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError, invalid
from apikeys.language import day_words, number_words, time_words
from apikeys.models import User
from brands.brands import create_brand, update_brand
from brands.domains import without_path
from brands.models import Brand, Cadence
from visibility.answers.detect import BRAND, Reader
from visibility.content.prompts import prepare_prompts, prompt_to_copy
from visibility.content.questions import Wishes
from visibility.content.resources import GeneratedPrompt
from visibility.counts.figures import engines_of, figures_of
from visibility.counts.reader import select_now
from visibility.counts.words import base_words
from visibility.imports.reader import Reading
from visibility.imports.services import Imported, import_answers
from visibility.models import Engine, Prompt, Run, Topic
from visibility.models.prompts import topic_title
from visibility.onboarding.site import FIRST_PAGES, first_name, read_site
from visibility.pages.forms import PageForm, form_or
from visibility.pages.frame import Visit, account_page, act, brand_page, refuse, show_page
from visibility.pages.prompts import ReplyForm, add_reply
from visibility.pages.start_about import save_about, show_about
from visibility.pages.start_forms import AddForm, Again, FileForm, FirstPromptsForm, FirstScanForm
from visibility.prompts.services import PromptDraft, add_prompts, prompt_quota
from visibility.recommendations.reads import first_cards
from visibility.runs.engines import LOCAL
from visibility.runs.estimate import estimate_scan
from visibility.runs.reads import read_scan_status
from visibility.runs.services import start_scan
from visibility.runs.writing import writing_engine
from visibility.topics.pooling import assign


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `summary` says what is there already, or what it is for."""

    key: str
    title: str
    summary: str
    is_done: bool


@account_page
def add(request: HttpRequest, user: User) -> HttpResponse:
    """The step before these: the address of a new brand, whose site is then read by a job."""
    form = AddForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        address = form.cleaned_data["domain"].strip()
        domain = without_path(address)  # as it is copied from a browser
        try:
            brand = create_brand(
                Caller.from_user(user),
                owner=user,
                name=form.cleaned_data["name"] or first_name(domain),
                domain=domain,
                description=form.cleaned_data["description"],
            )
        except ServiceError as refusal:
            refuse(request, form, refusal)
        else:
            if address.removeprefix(domain).strip("/"):
                messages.info(
                    request,
                    gettext("All pages of {domain} count as yours: a section alone cannot be watched.").format(
                        domain=brand.domain
                    ),
                )
            if form.cleaned_data["reads"]:
                _read(request, user, brand)
            return HttpResponseRedirect(f"{reverse('brand-start', args=[brand.pk])}?step=about#now")
    response = show_page(
        request, "add.html", form=form, can_ask=_can_ask(), has_writer=writing_engine() is not None, pages=FIRST_PAGES
    )
    response.status_code = 400 if form.is_bound else 200
    return response


def _read(request: HttpRequest, user: User, brand: Brand) -> None:
    """Have the site read; without, people go on by hand."""
    try:
        read_site(Caller.from_user(user), brand.pk)
    except ServiceError as refusal:
        messages.warning(request, gettext("The site is not read. {message}").format(message=refusal.message))


def _can_ask() -> bool:
    """Whether scans of a new brand, which has no stored pages, have an engine to ask."""
    return Engine.objects.asked().exclude(preset=LOCAL).exists()


@brand_page
def start(visit: Visit) -> HttpResponse:
    """The steps, one of them open: the one in the address, else the one after the last that is done."""
    if not visit.may_edit:
        return HttpResponseRedirect(reverse("brand", args=[visit.brand.pk]))
    key = str(visit.query.get("step", ""))
    if visit.request.method != "POST":
        return _page(visit, key or _next(_steps(visit.brand)))
    if key not in SAVES:
        raise Http404
    outcome = SAVES[key](visit)
    if isinstance(outcome, Again):
        return _page(visit, key, outcome)
    return HttpResponseRedirect(f"{visit.address('brand-start')}?step={outcome}#now")


def _page(visit: Visit, key: str, again: Again | None = None, file: PageForm | None = None) -> HttpResponse:
    """The page with a step open, as it is stored or as it was sent."""
    if key not in SHOWS:
        raise Http404
    steps = _steps(visit.brand)
    response = visit.show(
        "start.html",
        "overview",
        steps=steps,
        key=key,
        done=sum(step.is_done for step in steps),
        file_form=form_or(file, FileForm),
        **SHOWS[key](visit, again.form if again else {}),
    )
    response.status_code = 400 if again and again.is_refused else 200
    return response


def _steps(brand: Brand) -> list[Step]:
    """The three steps after the site, with what is there of each."""
    topics = list(Topic.objects.filter(brand=brand).exclude(own=False).values_list("name", flat=True))
    rivals = list(brand.competitors.values_list("name", flat=True))
    about = gettext("{topics}. Against {rivals}.").format(
        topics=_listed(list(map(topic_title, topics)), gettext("No topic")),
        rivals=_listed(rivals, gettext("nobody yet")),
    )
    prompts = Prompt.objects.filter(brand=brand).active().count()
    is_measured = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY).exists()
    return [
        Step(
            "about",
            gettext("You and your market"),
            about if topics or rivals else gettext("Your names, topics and competitors"),
            bool(topics),
        ),
        Step(
            "prompts",
            gettext("Your prompts"),
            gettext("{prompts} to ask").format(prompts=prompts) if prompts else gettext("What buyers ask AI"),
            bool(prompts),
        ),
        Step("scan", gettext("Your first scan"), gettext("What it costs, then the answers"), is_measured),
    ]


def _listed(names: list[str], otherwise: str) -> str:
    more = gettext(" and {number} more").format(number=len(names) - 6) if len(names) > 6 else ""
    return ", ".join(names[:6]) + more if names else otherwise


def _next(steps: list[Step]) -> str:
    last = max((place for place, step in enumerate(steps) if step.is_done), default=-1)
    return steps[min(last + 1, len(steps) - 1)].key


def _show_prompts(visit: Visit, form: dict[str, Any]) -> dict[str, Any]:
    """A field for a list, suggestions to tick, and what to ask an assistant, unless an engine may be asked."""
    prompts: FirstPromptsForm = form.get("prompts") or FirstPromptsForm()
    suggested: list[GeneratedPrompt] = form.get("suggested", [])
    prompts.offer(suggested)
    return {
        "prompts": prompts,
        "is_suggested": bool(suggested),
        "quota": prompt_quota(visit.brand),
        "has_topics": visit.brand.topics.exclude(own=False).exists(),
        "has_writer": writing_engine() is not None,
        "to_copy": prompt_to_copy(visit.brand),
        "reply_form": form_or(form.get("reply"), ReplyForm),
    }


def _save_prompts(visit: Visit) -> str | Again:
    post = visit.request.POST
    if "prompts" not in post:
        return _save_reply(visit)
    form = FirstPromptsForm(post)
    if not form.is_valid():
        return Again({"prompts": form})
    try:
        if "suggest" in post:
            return _suggested(visit, form)
        _add_prompts(visit, form)
    except ServiceError as refusal:
        refuse(visit.request, form, refusal)
        return Again({"prompts": form})
    return "scan"


def _suggested(visit: Visit, form: FirstPromptsForm) -> Again:
    """The form with what the engine that writes suggests; nothing is added by that."""
    found = prepare_prompts(visit.caller, brand_id=visit.brand.pk, wishes=Wishes(), dry_run=True)()
    if found.why_none:
        messages.warning(visit.request, found.why_none)
    typed = FirstPromptsForm(initial={"prompts": form.cleaned_data["prompts"]})
    return Again({"prompts": typed, "suggested": found.prompts}, is_refused=False)


def _add_prompts(visit: Visit, form: FirstPromptsForm) -> None:
    """Add what is ticked and typed; each typed line goes to the topic whose words it has."""
    lines = form.cleaned_data["prompts"]
    topics = assign(lines, list(visit.brand.topics.exclude(own=False).values_list("name", flat=True)))
    drafts = [PromptDraft(text, topic) for topic, text in form.drafts]
    drafts += [PromptDraft(line, topics.get(line, "")) for line in lines]
    if not drafts and not Prompt.objects.filter(brand=visit.brand).active().exists():
        raise invalid("prompts", gettext("Write at least one prompt, or drop a file of answers."))
    added = add_prompts(visit.caller, brand_id=visit.brand.pk, drafts=drafts)
    reader = Reader(visit.brand)
    if naming := sum(BRAND in reader.names_in(prompt.text) for prompt in added.created):
        words = ngettext(
            "{naming} of your prompts names you. Such prompts never count.",
            "{naming} of your prompts name you. Such prompts never count.",
            naming,
        )
        messages.warning(visit.request, words.format(naming=naming))


def _save_reply(visit: Visit) -> str | Again:
    form = ReplyForm(visit.request.POST)
    if form.is_valid():
        try:
            messages.success(visit.request, add_reply(visit, form.cleaned_data))
            return "prompts"
        except ServiceError as refusal:
            refuse(visit.request, form, refusal)
    return Again({"reply": form})


def _import(visit: Visit, values: dict[str, Any]) -> str:
    """Import the file as a whole or not at all."""
    reading = Reading(values["zone"], values["columns"], values["kind"])
    try:
        imported = import_answers(visit.caller, brand=visit.brand.pk, file=values["text"], reading=reading)
    except UnicodeDecodeError as error:
        raise invalid("file", gettext("The file is not UTF-8. Save it as UTF-8 and drop it again.")) from error
    return imported_words(imported)


def imported_words(imported: Imported) -> str:
    """What came of an import."""
    words = ngettext("{number} answer added", "{number} answers added", imported.added)
    words = words.format(number=number_words(imported.added))
    if imported.known:
        words += gettext(", {number} were there already").format(number=number_words(imported.known))
    prompts = ngettext("{number} prompt added.", "{number} prompts added.", imported.prompts)
    return f"{words}; {prompts.format(number=number_words(imported.prompts))}"


import_act = act(
    _import,
    lambda visit, values: f"{visit.address('brand-start')}?step=scan#now",
    FileForm,
    lambda visit, form: _page(visit, "prompts", file=form),
)


def _show_scan(visit: Visit, form: dict[str, Any]) -> dict[str, Any]:
    """What a scan costs, how it goes on, or what came of it and what to do next."""
    run = Run.objects.filter(brand=visit.brand, kind=Run.Kind.VISIBILITY).not_refused().newest().first()
    now = select_now(visit.brand) if run and not run.is_active else None
    figures = figures_of(now) if now else None
    shown = {
        "scan": read_scan_status(visit.caller, visit.brand.pk, run.pk) if run else None,
        "scan_form": form_or(
            form.get("scan"), FirstScanForm, initial={"verb": "samples", "samples": visit.brand.samples}
        ),
        "most_samples": visit.brand.owner.limit("max_samples"),
        "figures": figures,
        "base": base_words(figures, engines_of(now)) if now and figures else "",
        "first": next(iter(first_cards(visit.brand, 1)), None) if figures else None,
    }
    try:
        return {**shown, "estimate": estimate_scan(visit.brand)}
    except ServiceError as refusal:
        return {**shown, "obstacle": refusal.message}


def _save_scan(visit: Visit) -> str | Again:
    form = FirstScanForm(visit.request.POST)
    if form.is_valid():
        try:
            _scan(visit, form.cleaned_data["verb"], form.cleaned_data["samples"])
            return "scan"
        except ServiceError as refusal:
            refuse(visit.request, form, refusal)
    return Again({"scan": form})


def _scan(visit: Visit, verb: str, samples: int | None) -> None:
    if verb == "weekly":
        update_brand(visit.caller, brand_id=visit.brand.pk, cadence=Cadence.WEEKLY)
        messages.success(visit.request, gettext("Scans are planned. You see the next one on every page."))
    elif verb == "samples":
        update_brand(visit.caller, brand_id=visit.brand.pk, samples=samples)
    elif (started := start_scan(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)).reason:
        moment = started.next_allowed_at
        words = gettext("The next scan may start after {day}, {time} UTC.")
        words = words.format(day=day_words(moment), time=time_words(moment)) if moment else ""
        messages.warning(visit.request, f"{started.reason.words()} {words}".strip())


Shows = Callable[[Visit, dict[str, Any]], dict[str, Any]]
SHOWS: dict[str, Shows] = {"about": show_about, "prompts": _show_prompts, "scan": _show_scan}
SAVES: dict[str, Callable[[Visit], str | Again]] = {
    "about": save_about,
    "prompts": _save_prompts,
    "scan": _save_scan,
}
"""How each step is shown; and saved, which returns the step that follows."""
