"""The answers to one prompt, each with its marked names and its sources, and its history by day."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.db import transaction
from django.db.models import TextChoices
from django.http import Http404, HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from visibility.counts.past import select_prompt
from visibility.counts.reader import read_parts
from visibility.counts.words import engine_name
from visibility.detection.canonical import canonical_url
from visibility.drawing import charts
from visibility.models import Prompt, Recommendation
from visibility.models.prompts import LONGEST_PROMPT, LONGEST_TOPIC, Intent, Stage
from visibility.pages.answer_text import Mark, answer_html, definitions
from visibility.pages.forms import IdForm, PageForm, TextField, form_or
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.subjects import Subjects, subjects_of
from visibility.pages.tables import Table, wanted
from visibility.prompts.page_reads import EngineDays, answer_of_prompt, days_of_prompt
from visibility.prompts.reads import detail_of, results_of
from visibility.prompts.resources import AnswerShown, SubjectTally
from visibility.prompts.services import describe_prompt, move_prompt, reword_prompt
from visibility.recommendations.cards import ShownCard, show
from visibility.recommendations.kinds import CHORES
from visibility.sources.pages import Page, source_numbers, sources_of_answer

MOST_STRIPS = 3
LONGEST_LOCALE, LONGEST_PERSONA = 20, 200


@dataclass(frozen=True, slots=True)
class Strip:
    """A subject's days with one engine: the class of its colour, how many days mention it, and the drawing."""

    name: str
    is_own: bool
    days: int
    drawn: Any


@dataclass(frozen=True, slots=True)
class EngineHistory:
    """The strips of one engine, of so many days from the first one."""

    engine: str
    days: int
    first: date
    strips: Sequence[Strip]


def described(choices: type[TextChoices]) -> list[tuple[str, Any]]:
    """What a prompt may be described as, and that nothing is stated."""
    return [("", gettext_lazy("not stated")), *((each.value, gettext_lazy(each.value)) for each in choices)]


class WordingForm(IdForm):
    """A prompt in other words, under another topic, or described otherwise; what was not sent stays as it is."""

    fold = gettext_lazy("Topic, language, and who asks")
    folded = ("topic", "locale", "stage", "intent", "persona")
    text = TextField(label=gettext_lazy("Wording"), max_length=LONGEST_PROMPT)
    topic = forms.CharField(
        label=gettext_lazy("Topic"),
        help_text=gettext_lazy("A topic that there is not yet is added."),
        max_length=LONGEST_TOPIC,
        required=False,
    )
    locale = forms.CharField(
        label=gettext_lazy("Language and country, such as en-GB"), max_length=LONGEST_LOCALE, required=False
    )
    stage = forms.ChoiceField(label=gettext_lazy("Stage"), choices=described(Stage), required=False)
    intent = forms.ChoiceField(label=gettext_lazy("Intent"), choices=described(Intent), required=False)
    persona = forms.CharField(label=gettext_lazy("Who asks"), max_length=LONGEST_PERSONA, required=False)


@brand_page
def answers(visit: Visit, prompt_id: UUID) -> HttpResponse:
    """One prompt: the answer that is chosen, else the latest, with its marks and sources."""
    return _page(visit, prompt_id)


def _page(visit: Visit, prompt_id: UUID, form: PageForm | None = None) -> HttpResponse:
    prompt = Prompt.objects.filter(brand=visit.brand, pk=prompt_id).tracked().select_related("topic").first()
    if prompt is None:
        raise Http404
    prompt.brand = visit.brand
    read_parts(visit.brand)
    selection = select_prompt(prompt)
    found = detail_of(prompt, selection, full=True)
    if file := wanted(visit, Table("answers", COLUMNS, lambda: map(_cells, found.answers))):
        return file
    results = results_of(prompt, selection.of_figure).results
    shown = answer_of_prompt(prompt, visit.query.get("answer", "")) or next(iter(found.answers), None)
    rivals = subjects_of(visit.brand, selection)
    hues = {each.name: rivals.hue(each.competitor_id) for each in results}
    counted = {
        "lead": _lead(results, found.prompt.absent),
        "history": [_history(each, results, rivals) for each in days_of_prompt(prompt)],
        **_by_engine(results[: 1 + MOST_STRIPS], rivals),
    }
    return visit.show(
        "answers.html",
        "prompts",
        prompt=prompt,
        found=found,
        **counted,
        **_answer(visit, shown, hues),
        **_other_answers(found.answers, shown),
        **_to_do(visit, prompt, form),
    )


def _reword(visit: Visit, values: dict[str, Any]) -> str:
    at: dict[str, Any] = {"brand_id": visit.brand.pk, "prompt_id": values["id"]}
    sent = {name: values[name] for name in ("locale", "stage", "intent", "persona") if name in visit.request.POST}
    locale = sent.pop("locale", None)
    with transaction.atomic():
        before = Prompt.objects.filter(brand=visit.brand, pk=values["id"]).select_related("topic").first()
        after = reword_prompt(visit.caller, **at, text=values["text"], locale=locale)
        if before and values["topic"] and values["topic"] != before.topic_name:
            move_prompt(visit.caller, **at, topic=values["topic"])
        if sent:
            describe_prompt(visit.caller, **at, **sent)
    if before and after.version == before.version:
        return gettext("Saved.")
    return gettext("Reworded. The new wording is asked from the next scan on.")


reword_act = act(
    _reword,
    lambda visit, values: visit.address("brand-prompt", values["id"]),
    WordingForm,
    lambda visit, form: _page(visit, form.cleaned_data["id"], form),
)


def _answer(visit: Visit, shown: AnswerShown | None, hues: Mapping[str, str]) -> dict[str, Any]:
    """The answer with its marks, in the colour of each name, and its sources."""
    if shown is None:
        return {"shown": None}
    sources = sources_of_answer(visit.brand, shown.id)
    marks = [Mark(each.start, each.end, hues.get(each.name, "")) for each in shown.mentions]
    names = dict.fromkeys(each.name for each in shown.mentions)
    return {
        "shown": shown,
        "text": answer_html(shown.text, marks, _refs(visit, shown, sources)),
        "sources": sources,
        "marked": [(name, hues[name]) for name in names if name in hues],
        "mentions_you": visit.brand.name in names,
    }


def _other_answers(answers: Sequence[AnswerShown], shown: AnswerShown | None) -> dict[str, Any]:
    """The latest answer of each engine, and all that are not shown."""
    latest: dict[tuple[str, str], AnswerShown] = {}
    for each in answers:
        latest.setdefault((each.engine, each.surface), each)
    others = [each for each in answers if shown is None or each.id != shown.id]
    return {"latest": list(latest.values()), "others": others}


def _refs(visit: Visit, shown: AnswerShown, sources: Sequence[Page]) -> dict[str, int]:
    """The place of the source for each label in the answer: by what the answer defines, else by the order in which
    its engine gave them."""
    places = {page.url: place for place, page in enumerate(sources, start=1)}
    defined = {label: places.get(canonical_url(url)) for label, url in definitions(shown.text).items()}
    given = {str(number): place for number, place in source_numbers(visit.brand, shown.id, sources).items()}
    return {label: place for label, place in {**given, **defined}.items() if place}


def _lead(results: Sequence[SubjectTally], absent: int) -> str:
    """How many answers of now mention the brand, and whom most of them mention; or that none was shown."""
    own = results[0]
    if not own.answers and absent:
        words = ngettext(
            "It was asked {number} time, and no AI answer was shown.",
            "It was asked {number} times, and no AI answer was shown.",
            absent,
        )
        return words.format(number=absent)
    if not own.answers:
        return gettext("It is not asked yet in this wording.")
    if own.answers == 1:
        first = ngettext(
            "{mentioned} of {answers} answer mentions you.",
            "{mentioned} of {answers} answer mention you.",
            own.mentioned,
        )
    else:
        first = ngettext(
            "{mentioned} of {answers} answers mentions you.",
            "{mentioned} of {answers} answers mention you.",
            own.mentioned,
        )
    first = first.format(mentioned=own.mentioned, answers=own.answers)
    best = max((each.mentioned for each in results[1:]), default=0)
    leaders = [each.name for each in results[1:] if each.mentioned == best]
    if not best or best < own.mentioned or len(leaders) > 2:
        return first
    second = ngettext("{best} mentions {leaders}.", "{best} mention {leaders}.", best)
    named = f" {gettext('and')} ".join(leaders)
    return f"{first} {second.format(best=best, leaders=named)}"


def _by_engine(results: Sequence[SubjectTally], rivals: Subjects) -> dict[str, Any]:
    """The columns of the heat map; and by engine how many answers it gave, and the cells."""
    rows, hues = [], [rivals.hue(each.competitor_id) for each in results]
    for counts in zip(*(each.engines for each in results), strict=True):
        engine, answers = counts[0].engine, counts[0].answers
        rows.append(
            (engine_name(engine), answers, charts.heat([each.mentioned for each in counts], answers, hues[1:]))
        )
    names = [gettext("You"), *(each.name for each in results[1:])]
    return {"subjects": list(zip(names, hues, strict=True)), "engines": rows}


def _history(each: EngineDays, results: Sequence[SubjectTally], rivals: Subjects) -> EngineHistory:
    subjects = [one for one in results if one.competitor_id is None or any(each.hits.get(one.competitor_id, ()))]
    strips = [
        Strip(
            gettext("You") if one.competitor_id is None else one.name,
            one.competitor_id is None,
            sum(each.hits[one.competitor_id]),
            charts.strip(each.hits[one.competitor_id], hue=rivals.hue(one.competitor_id)),
        )
        for one in subjects[: 1 + MOST_STRIPS]
    ]
    return EngineHistory(engine_name(each.engine), len(each.days), each.days[0], strips)


def _to_do(visit: Visit, prompt: Prompt, form: PageForm | None) -> dict[str, Any]:
    """What can be done: the most urgent task on its topic, and other words."""
    stored = {name: getattr(prompt, name) for name in ("id", "text", "locale", "stage", "intent", "persona")}
    stored["topic"] = prompt.topic_name
    wording = form_or(form, WordingForm, initial=stored)
    return {"task": _task(visit, prompt), "form": wording}


def _task(visit: Visit, prompt: Prompt) -> ShownCard | None:
    """The most urgent thing to do on its topic."""
    rows = Recommendation.objects.filter(
        brand=visit.brand, status=Recommendation.Status.OPEN, facts__topic_id=str(prompt.topic_id)
    )
    row = rows.exclude(kind__in=CHORES).order_by("-priority", "id").first()
    return show(row, visit.brand) if row else None


COLUMNS = ("day", "AI engine", "surface", "sample", "text", "mentioned", "cited")


def _cells(each: AnswerShown) -> list[Any]:
    names = list(dict.fromkeys(mention.name for mention in each.mentions))
    return [each.day, each.engine, each.surface, each.sample, each.text, names, [one.url for one in each.citations]]
