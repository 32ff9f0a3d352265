"""The first hour of a brand, in steps with an address each: site, names, topics, competitors, prompts, the first
scan.

A step is done when its rows are there, so that people may interrupt it. What is refused stays in its form.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from brands.brands import create_brand, update_brand
from brands.competitors import add_competitor, remove_competitor
from brands.domains import without_path
from brands.models import Brand, Cadence
from visibility.answers.detect import BRAND, Reader
from visibility.answers.names import uses_of_names
from visibility.content.prompts import prepare_prompts, prompt_to_copy
from visibility.content.questions import Wishes
from visibility.counts.figures import engines_of, figures_of
from visibility.counts.reader import select_now
from visibility.counts.words import base_words
from visibility.detection import is_plain
from visibility.models import Engine, Prompt, Run, Topic
from visibility.pages.frame import Visit, account_page, brand_page, lines_of, show_page, uuid_of
from visibility.pages.prompts import add_reply
from visibility.prompts.services import PromptDraft, add_prompts, prompt_quota
from visibility.runs.engines import LOCAL
from visibility.runs.estimate import estimate_scan
from visibility.runs.reads import read_scan_status
from visibility.runs.services import start_scan
from visibility.runs.writing import writing_engine
from visibility.topics.services import name_own_topics

COMPETITOR_ROWS = 3
RELOAD_SECONDS = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `summary` says what is there already, or what it is for."""

    key: str
    title: str
    summary: str
    is_done: bool


@account_page
def add(request: HttpRequest, user: User) -> HttpResponse:
    """The step before these: the site and name of a new brand."""
    if request.method != "POST":
        return show_page(request, "add.html", can_ask=_can_ask())
    typed = {name: str(request.POST.get(name, "")) for name in ("name", "domain", "description")}
    name, address, description = (text.strip() for text in typed.values())
    domain = without_path(address)  # as it is copied from a browser
    try:
        brand = create_brand(Caller.from_user(user), owner=user, name=name, domain=domain, description=description)
    except ServiceError as refusal:
        messages.error(request, refusal.message)
        response = show_page(request, "add.html", **typed, can_ask=_can_ask())
        response.status_code = 400
        return response
    if address.removeprefix(domain).strip("/"):
        messages.info(request, f"All pages of {brand.domain} count as yours: a section alone cannot be watched.")
    return HttpResponseRedirect(f"{reverse('brand-start', args=[brand.pk])}?step=names")


def _can_ask() -> bool:
    """Whether scans of a new brand, which has no stored pages, have an engine to ask."""
    return Engine.objects.asked().exclude(preset=LOCAL).exists()


@brand_page
def start(visit: Visit) -> HttpResponse:
    """The steps, one of them open: the one in the address, else the one after the last that is done."""
    if not visit.may_edit:
        return HttpResponseRedirect(reverse("brand", args=[visit.brand.pk]))
    steps = _steps(visit.brand)
    key = str(visit.query.get("step", "")) or _next(steps)
    if key not in FORMS:
        raise Http404
    save, form = FORMS[key]
    if visit.request.method != "POST":
        return _page(visit, steps, key, form(visit))
    try:
        if key == "prompts" and "suggest" in visit.request.POST:
            return _page(visit, steps, key, _suggested(visit))
        following = save(visit)
    except ServiceError as refusal:
        messages.error(visit.request, refusal.message)
        response = _page(visit, steps, key, {**form(visit), **_typed(visit)})
        response.status_code = 400
        return response
    return HttpResponseRedirect(f"{reverse('brand-start', args=[visit.brand.pk])}?step={following}#now")


def _page(visit: Visit, steps: list[Step], key: str, form: dict[str, Any]) -> HttpResponse:
    run = Run.objects.filter(brand=visit.brand, kind=Run.Kind.VISIBILITY).not_refused().newest().first()
    status = read_scan_status(visit.caller, visit.brand.pk, run.pk) if run else None
    done = sum(step.is_done for step in steps)
    is_still = "still" in visit.query
    now = select_now(visit.brand) if run and not run.is_active else None
    figures = figures_of(now) if now else None
    response = visit.show(
        "start.html",
        "overview",
        steps=steps,
        key=key,
        done=done,
        scan=status,
        running=None,  # the step shows it itself
        still=is_still,
        figures=figures,
        base=base_words(figures, engines_of(now)) if now and figures else "",
        **form,
    )
    if key == "scan" and run and run.is_active and not is_still:
        # With an address: to the present one, which has a fragment, browsers only scroll.
        response["Refresh"] = f"{RELOAD_SECONDS}; url={visit.request.path}?step=scan"
    return response


def _steps(brand: Brand) -> list[Step]:
    """The five steps after the site, with what is there of each."""
    names = [name.text for name in brand.names.filter(competitor=None)]
    topics = list(Topic.objects.filter(brand=brand).exclude(own=False).values_list("name", flat=True))
    competitors = list(brand.competitors.values_list("name", flat=True))
    prompts = Prompt.objects.filter(brand=brand).active().count()
    is_measured = Run.objects.measured().filter(brand=brand, kind=Run.Kind.VISIBILITY).exists()
    return [
        Step("names", "Your names", _listed(names, "How answers may write you"), len(names) > 1 or bool(topics)),
        Step("topics", "Your topics", _listed(topics, "What you sell, in the words of buyers"), bool(topics)),
        Step("competitors", "Your competitors", _listed(competitors, "With whom you compare"), bool(competitors)),
        Step("prompts", "Your prompts", f"{prompts} to ask" if prompts else "What buyers ask AI", bool(prompts)),
        Step("scan", "Your first scan", "What it costs, then the answers", is_measured),
    ]


def _listed(names: list[str], otherwise: str) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(names[:6]) + more if names else otherwise


def _next(steps: list[Step]) -> str:
    last = max((place for place, step in enumerate(steps) if step.is_done), default=-1)
    return steps[min(last + 1, len(steps) - 1)].key


def _typed(visit: Visit) -> dict[str, Any]:
    """What was sent, for the form that shows it again."""
    post = visit.request.POST
    typed: dict[str, Any] = {name: str(value) for name, value in post.items() if name in ("aliases", "topics")}
    if "competitor" in post:
        typed["rows"] = _padded(list(zip(post.getlist("competitor"), post.getlist("domain"), strict=False)))
    if "prompts" in post:
        texts = zip(post.getlist("topic"), post.getlist("prompts"), strict=False)
        typed["fields"] = [(topic, text, 0) for topic, text in texts]
    return typed


def _padded(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return rows + [("", "")] * (COMPETITOR_ROWS - len(rows))


def _names_form(visit: Visit) -> dict[str, Any]:
    names = [name.text for name in visit.brand.names.filter(competitor=None)]
    return {
        "aliases": "\n".join(names[1:]),
        "plain": [name for name in names if is_plain(name)],
        "uses": uses_of_names(visit.brand),
    }


def _save_names(visit: Visit) -> str:
    before = set(visit.brand.names.filter(competitor=None).values_list("text", flat=True))
    description = visit.posted("description") or None  # asked for only where there is none
    aliases = lines_of(visit.posted("aliases"))
    update_brand(visit.caller, brand_id=visit.brand.pk, aliases=aliases, description=description)
    added = set(visit.brand.names.filter(competitor=None).values_list("text", flat=True)) - before
    if plain := sorted(name for name in added if is_plain(name)):
        words = f"“{plain[0]}” is plain language, too: it counts only where an answer means you."
        messages.warning(visit.request, words)
        if not (description or visit.brand.description):
            return "names"  # which asks what the brand sells: that tells it from the word
    return "topics"


def _save_topics(visit: Visit) -> str:
    name_own_topics(visit.caller, brand_id=visit.brand.pk, names=lines_of(visit.posted("topics")))
    return "competitors"


def _competitors_form(visit: Visit) -> dict[str, Any]:
    return {
        "rows": _padded([]),
        "tracked": visit.brand.competitors.order_by("created_at", "pk"),
        "room": visit.brand.owner.limit("max_competitors_per_site"),
    }


@transaction.atomic
def _save_competitors(visit: Visit) -> str:
    """All of them or none, so that what is shown again is what is missing."""
    post = visit.request.POST
    if "remove" in post:
        remove_competitor(visit.caller, brand_id=visit.brand.pk, competitor_id=uuid_of(post["remove"]))
        return "competitors"
    for name, domain in zip(post.getlist("competitor"), post.getlist("domain"), strict=False):
        if name.strip() or domain.strip():
            add_competitor(visit.caller, brand_id=visit.brand.pk, name=name, domain=domain)
    return "competitors" if "more" in post else "prompts"


def _prompts_form(visit: Visit) -> dict[str, Any]:
    """A field for each topic; and what to ask an assistant, unless an engine may be asked for suggestions."""
    counts = Counter(Prompt.objects.filter(brand=visit.brand).active().values_list("topic__name", flat=True))
    topics = list(visit.brand.topics.exclude(own=False).values_list("name", flat=True))
    return {
        "fields": [*((name, "", counts[name]) for name in topics), ("", "", 0)],
        "quota": prompt_quota(visit.brand),
        "has_topics": bool(topics),
        "has_writer": writing_engine() is not None,
        "to_copy": prompt_to_copy(visit.brand),
    }


def _suggested(visit: Visit) -> dict[str, Any]:
    """The form with what the engine that writes suggests, by topic; nothing is added by that."""
    found = prepare_prompts(visit.caller, brand_id=visit.brand.pk, wishes=Wishes(), dry_run=True)()
    if found.why_none:
        messages.warning(visit.request, found.why_none)
    form, texts = _prompts_form(visit), defaultdict(list)
    for each in found.prompts:
        texts[each.topic].append(each.text)
    fields = [(name, "\n".join(texts.pop(name, [])), asked) for name, _, asked in form["fields"]]
    return {**form, "fields": [*((name, "\n".join(new), 0) for name, new in texts.items()), *fields]}


def _save_prompts(visit: Visit) -> str:
    if visit.posted("reply").strip():
        messages.success(visit.request, add_reply(visit))
        return "prompts"
    texts = zip(visit.request.POST.getlist("topic"), visit.request.POST.getlist("prompts"), strict=False)
    drafts = [PromptDraft(line, topic) for topic, text in texts for line in lines_of(text)]
    added = add_prompts(visit.caller, brand_id=visit.brand.pk, drafts=drafts)
    reader = Reader(visit.brand)
    if naming := sum(BRAND in reader.names_in(prompt.text) for prompt in added.created):
        words = f"{naming} of your prompts name{'s' if naming == 1 else ''} you. Such prompts never count."
        messages.warning(visit.request, words)
    return "scan"


def _scan_form(visit: Visit) -> dict[str, Any]:
    most = visit.brand.owner.limit("max_samples")
    form: dict[str, Any] = {"weekly": Cadence.WEEKLY, "most_samples": most, "samples": range(1, most + 1)}
    try:
        return {**form, "estimate": estimate_scan(visit.caller, visit.brand.pk)}
    except ServiceError as refusal:
        return {**form, "obstacle": refusal.message}


def _save_scan(visit: Visit) -> str:
    post = visit.request.POST
    if "cadence" in post:
        update_brand(visit.caller, brand_id=visit.brand.pk, cadence=str(post["cadence"]))
        messages.success(visit.request, "Scans are planned. You see the next one on every page.")
    elif "samples" in post:
        samples = str(post["samples"])
        update_brand(visit.caller, brand_id=visit.brand.pk, samples=int(samples) if samples.isdecimal() else 0)
    elif (started := start_scan(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)).reason:
        after = date_format(started.next_allowed_at, "j M H:i")
        messages.warning(visit.request, f"{started.reason.words()} The next scan may start after {after} UTC.")
    return "scan"


FORMS: dict[str, tuple[Callable[[Visit], str], Callable[[Visit], dict[str, Any]]]] = {
    "names": (_save_names, _names_form),
    "topics": (
        _save_topics,
        lambda visit: {"topics": "\n".join(visit.brand.topics.exclude(own=False).values_list("name", flat=True))},
    ),
    "competitors": (_save_competitors, _competitors_form),
    "prompts": (_save_prompts, _prompts_form),
    "scan": (_save_scan, _scan_form),
}
"""How each step is saved, which returns the step that follows, and what its form shows."""
