"""What is asked and where the brand is missing, by topic; and the answers to one prompt, marked."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from visibility.models import Answer, Mention, Prompt, Topic
from visibility.pages import charts
from visibility.pages.frame import Visit, act, brand_page
from visibility.prompts.reads import PromptFilter, list_prompts, read_prompt
from visibility.prompts.resources import AnswerShown
from visibility.prompts.services import PromptDraft, add_prompts, archive_prompt, reword_prompt
from visibility.topics.proposals import propose_topics
from visibility.topics.services import decide_topic

OWN = {"own": True, "other": False, "undecided": None}
MOST_DAYS = 42


@brand_page
def prompts(visit: Visit) -> HttpResponse:
    """All prompts by topic, those that name the brand least first; the topics that nobody has decided on top."""
    show = visit.query.get("show", "all")
    found = list_prompts(visit.caller, visit.brand.pk, PromptFilter(), full=True)
    by_topic: dict[str, list[Any]] = defaultdict(list)
    for row in found.prompts:
        is_missing = bool(row.answers) and row.mentioned < row.answers
        if show == "all" or (show == "missing" and is_missing) or (show == "new" and not row.answers):
            by_topic[row.topic].append((row, charts.bar(100 * row.mentioned / row.answers if row.answers else None)))
    topics = {topic.name: topic for topic in Topic.objects.filter(brand=visit.brand)}
    proposals = propose_topics(visit.caller, visit.brand.pk) if visit.may_edit else {}
    undecided = [(topic, proposals.get(topic.pk)) for topic in topics.values() if topic.own is None]
    return visit.show(
        "prompts.html",
        "prompts",
        groups=[(topics.get(name), name, rows) for name, rows in by_topic.items()],
        undecided=undecided,
        quota=found.quota,
        show=show,
        chosen=visit.query.get("topic", ""),
    )


@brand_page
def answers(visit: Visit, prompt_id: UUID) -> HttpResponse:
    """One prompt: the latest answers with their marks and sources, and how it went day by day."""
    prompt = Prompt.objects.filter(brand=visit.brand, pk=prompt_id).select_related("topic").first()
    if prompt is None:
        raise Http404
    found = read_prompt(visit.caller, prompt.pk, full=True)
    shown = _chosen(found.answers, visit.query.get("answer"))
    return visit.show(
        "answers.html",
        "prompts",
        prompt=prompt,
        found=found.prompt,
        versions=found.versions,
        answers=found.answers,
        shown=shown,
        text=marked_text(shown, visit.brand.name) if shown else "",
        history=_history(prompt),
    )


def _chosen(answers: list[AnswerShown], wanted: str | None) -> AnswerShown | None:
    return next((each for each in answers if str(each.id) == wanted), answers[0] if answers else None)


def marked_text(answer: AnswerShown, own: str) -> SafeString:
    """The text of an answer as text, with the names in it marked by their stored offsets."""
    parts: list[SafeString] = []
    at = 0
    for mention in sorted(answer.mentions, key=lambda each: each.start):
        if mention.start < at:
            continue
        parts.append(format_html("{}", answer.text[at : mention.start]))
        hue = "me" if mention.name == own else "b2"
        parts.append(format_html('<mark class="{}">{}</mark>', hue, answer.text[mention.start : mention.end]))
        at = mention.end
    parts.append(format_html("{}", answer.text[at:]))
    return format_html_join("", "{}", ((part,) for part in parts))


def _history(prompt: Prompt) -> list[tuple[str, int, int, Any]]:
    """By engine: on how many of the last measured days its answers mention the brand, and each day as a mark."""
    rows = Answer.objects.answered().filter(prompt=prompt, run__kind="visibility").select_related("engine")
    naming = set(Mention.objects.filter(answer__in=rows, competitor=None).values_list("answer", flat=True))
    by_engine: dict[str, dict[Any, bool]] = defaultdict(dict)
    for pk, day, engine in rows.order_by("day").values_list("pk", "day", "engine__name"):
        by_engine[engine][day] = by_engine[engine].get(day, False) or pk in naming
    found = []
    for engine, days in sorted(by_engine.items()):
        hits = list(days.values())[-MOST_DAYS:]
        found.append((engine, sum(hits), len(hits), charts.strip(hits)))
    return found


def _add(visit: Visit) -> str:
    text, topic = str(visit.request.POST.get("prompts", "")), str(visit.request.POST.get("topic", ""))
    drafts = [PromptDraft(line.strip(), topic) for line in text.splitlines() if line.strip()]
    added = add_prompts(visit.caller, brand_id=visit.brand.pk, drafts=drafts)
    number = len(added.created) + len(added.restored)
    return f"{number} prompt{'s' * (number != 1)} added. They count from the next scan on."


def _change(visit: Visit) -> str:
    """Archive or reword a prompt."""
    pk = _uuid(visit.request.POST.get("id"))
    if visit.request.POST.get("verb") == "archive":
        archive_prompt(visit.caller, brand_id=visit.brand.pk, prompt_id=pk)
        return "Archived. It is asked no more; its history stays."
    reword_prompt(visit.caller, brand_id=visit.brand.pk, prompt_id=pk, text=str(visit.request.POST.get("text", "")))
    return "Reworded. The new wording is asked from the next scan on."


def _decide(visit: Visit) -> str:
    own = OWN.get(str(visit.request.POST.get("own")))
    topic = decide_topic(visit.caller, brand_id=visit.brand.pk, topic_id=_uuid(visit.request.POST.get("id")), own=own)
    words = {True: "counts for you", False: "counts no more", None: "is undecided again"}
    return f"{topic.name} {words[own]}. Figures follow within seconds."


def _uuid(text: object) -> UUID:
    try:
        return UUID(str(text))
    except ValueError:
        raise Http404 from None


def _address(visit: Visit) -> str:
    return reverse("brand-prompts", args=[visit.brand.pk])


add_act, change_act, decide_act = act(_add, _address), act(_change, _address), act(_decide, _address)
