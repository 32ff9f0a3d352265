"""What answers and reviews mean: findings with quotes, read by an engine or by an assistant of one's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from visibility.counts.reader import read_parts
from visibility.models import Reading, Topic
from visibility.models.reading import Facet
from visibility.pages.forms import PageForm, TextField, VerbField, form_or
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.tables import Table, wanted
from visibility.reading.costs import reading_cost
from visibility.reading.passages import Source
from visibility.reading.reads import Finding, findings_of, last_readings
from visibility.reading.services import Taken, read_now, switch, take_in
from visibility.reading.task import LONGEST_REPLY, printed_task

REVIEWS = "reviews"
MOST_REASONS = 5
FACETS = {
    Facet.ROLE: gettext_lazy("Chosen for"),
    Facet.REASON: gettext_lazy("Why"),
    Facet.LIMIT: gettext_lazy("Lacks"),
    Facet.WARNING: gettext_lazy("Warned of"),
    Facet.PRICE: gettext_lazy("Price"),
    Facet.PRODUCT: gettext_lazy("Product"),
    Facet.BUYER: gettext_lazy("Buyers"),
    Facet.RATING: gettext_lazy("Rating"),
    Facet.FACT: gettext_lazy("Fact"),
}
COLUMNS = ("topic", "about", "facet", "heading", "answers", "of", "AI engine", "quote")


@dataclass(frozen=True, slots=True)
class Line:
    """A finding with the name of its subject and its facet in words."""

    finding: Finding
    subject: str
    facet: str

    @property
    def values(self) -> str:
        """The values with their answers, where they differ."""
        values = self.finding.values
        return ", ".join(f"{value} ({number})" for value, number in values.items()) if len(values) > 1 else ""


@dataclass(frozen=True, slots=True)
class Tab:
    """A topic, or the reviews (None)."""

    topic: Topic | None
    last: Reading | None
    is_here: bool

    @property
    def key(self) -> str:
        """Its name in addresses."""
        return str(self.topic.pk) if self.topic else REVIEWS


@brand_page
def reading(visit: Visit) -> HttpResponse:
    """What was read on one topic or in reviews, and how to read it."""
    return _page(visit)


def _page(visit: Visit, form: PageForm | None = None) -> HttpResponse:
    read_parts(visit.brand)
    source, last = Source(visit.brand), last_readings(visit.brand)
    topics = {each.pk if each else None: each for each in source.topics()}
    topics |= {pk: each.topic for pk, each in last.items()}  # also those that no answer of now is on
    found = _lines(visit, last.values())
    if file := wanted(visit, Table("readings", COLUMNS, lambda: _rows(list(topics.values()), found))):
        return file
    keys = {str(pk) if pk else REVIEWS: each for pk, each in topics.items()}
    named = form["topic"].value() if form else None
    here = named if named in keys else visit.choice("topic", keys, next(iter(keys), None))
    chosen = keys[here] if here else None
    cost = reading_cost(visit.brand, source, [chosen] if here and visit.may_edit else [])
    material = source.material(chosen) if here and visit.may_edit else None
    lines = [each for each in found if each.finding.topic == (chosen.pk if chosen else None)] if here else []
    return visit.show(
        "reading.html",
        "settings",
        tabs=[Tab(each, last.get(each.pk if each else None), key == here) for key, each in keys.items()],
        here=here,
        chosen=chosen,
        last=last.get(chosen.pk if chosen else None),
        own=[each for each in lines if each.finding.is_telling and not each.finding.subject],
        rivals=[each for each in lines if each.finding.is_telling and each.finding.subject],
        others=[each for each in lines if not each.finding.is_telling],
        prompt=printed_task(material) if material and material.texts else "",
        cost=cost,
        form=form_or(form, ReplyForm, initial={"topic": here}),
    )


def _lines(visit: Visit, readings: Iterable[Reading]) -> list[Line]:
    names = {each.pk: each.name for each in visit.brand.competitors.all()}
    return [
        Line(each, names.get(each.subject, "") if each.subject else gettext("You"), str(FACETS[each.facet]))
        for each in findings_of(visit.brand, readings)
    ]


def _rows(topics: Sequence[Topic | None], lines: Sequence[Line]) -> list[list[Any]]:
    names: dict[UUID | None, str] = {each.pk: each.name for each in topics if each}
    rows = []
    for line in lines:
        each = line.finding
        head = [names.get(each.topic, "") if each.topic else REVIEWS, line.subject, each.facet, each.heading]
        quotes = {quote.engine: quote.text for quote in reversed(each.quotes)}
        rows += [[*head, k, n, engine, quotes.get(engine, "")] for engine, (k, n) in each.by_engine.items()]
    return rows


class ReplyForm(PageForm):
    """What an assistant wrote of a topic, or of the reviews."""

    topic = forms.CharField(widget=forms.HiddenInput)
    text = TextField(label=gettext_lazy("Its reply, a JSON object"), rows=6, max_length=LONGEST_REPLY)

    def clean_topic(self) -> UUID | None:
        """The id of the topic; None for the reviews."""
        key = self.cleaned_data["topic"]
        return None if key == REVIEWS else forms.UUIDField().clean(key)


class SwitchForm(PageForm):
    """Whether new answers are read."""

    verb = VerbField("on", "off")


def _take_in(visit: Visit, values: dict[str, Any]) -> str:
    return taken_words(take_in(visit.caller, brand_id=visit.brand.pk, topic=values["topic"], text=values["text"]))


def taken_words(taken: Taken) -> str:
    """How many rows were kept, and why others were not."""
    kept, refused = len(taken.checked.kept), taken.checked.refused
    words = ngettext("{kept} row kept, {refused} refused.", "{kept} rows kept, {refused} refused.", kept)
    words = words.format(kept=kept, refused=len(refused))
    reasons = "; ".join(f"{each.answer} “{each.value}”: {each.reason}" for each in refused[:MOST_REASONS])
    return f"{words} {reasons}{'; …' if len(refused) > MOST_REASONS else '.'}" if reasons else words


def _here(visit: Visit, values: dict[str, Any]) -> str:
    return f"{visit.address('brand-reading')}?topic={values['topic'] or REVIEWS}"


def _read(visit: Visit, values: dict[str, Any]) -> str:
    read_now(visit.caller, visit.brand.pk)
    return gettext("Reading has begun. Topics without new answers are not read again. Look again in some minutes.")


def _switch(visit: Visit, values: dict[str, Any]) -> str:
    verb = values["verb"]
    switch(visit.caller, visit.brand.pk, verb == "on")
    return (
        gettext("New answers are read once a week from now on.")
        if verb == "on"
        else gettext("Answers are read no more by themselves.")
    )


take_in_act = act(_take_in, _here, ReplyForm, _page)
read_act, switch_act = act(_read, "brand-reading"), act(_switch, "brand-reading", SwitchForm)
