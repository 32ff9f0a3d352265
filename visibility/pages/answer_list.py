"""What AI says: the answers behind any figure, one by one, narrowed by the filters of the address."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse, QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext

from apikeys.language import day_words, number_words, span_words
from brands.models import Brand
from visibility.answers.listing import (
    OWN_SITES,
    AnswerFilter,
    AnswerPage,
    ListedAnswer,
    every_answer,
    list_answers,
)
from visibility.answers.words import Words
from visibility.counts.past import select_on, select_prompt
from visibility.counts.reader import Selection, counted_competitors, select_between, select_now
from visibility.counts.rows import CountRow
from visibility.counts.words import engine_name, market_name
from visibility.detection import registrable_domain
from visibility.detection.addresses import host_of
from visibility.models import Prompt, Surface, Topic
from visibility.pages.answer_text import Mark, sentence_html
from visibility.pages.filters import DAY_FORMATS, OF_PAGE, OWN_DATES, PERIODS, day_field, offer_of, period_of
from visibility.pages.frame import Visit, brand_page
from visibility.pages.subjects import Subjects, subjects_of
from visibility.pages.tables import Table, wanted

LONGEST_SEARCH = 200
MOST_NAMES = 4
SAYS = {
    "mentioned": (gettext_lazy("Mentioned"), gettext_lazy("mention {whom}"), gettext_lazy("mentions {whom}")),
    "first": (gettext_lazy("Named first"), gettext_lazy("name {whom} first"), gettext_lazy("names {whom} first")),
    "recommended": (
        gettext_lazy("Recommended"),
        gettext_lazy("recommend {whom}"),
        gettext_lazy("recommends {whom}"),
    ),
    "cautioned": (gettext_lazy("Cautioned"), gettext_lazy("warn of {whom}"), gettext_lazy("warns of {whom}")),
    "rejected": (gettext_lazy("Rejected"), gettext_lazy("reject {whom}"), gettext_lazy("rejects {whom}")),
    "against": (
        gettext_lazy("Cautioned or rejected"),
        gettext_lazy("warn of or reject {whom}"),
        gettext_lazy("warns of or rejects {whom}"),
    ),
    "absent": (
        gettext_lazy("Not mentioned"),
        gettext_lazy("do not mention {whom}"),
        gettext_lazy("does not mention {whom}"),
    ),
    "not_shown": (
        gettext_lazy("No AI answer"),
        gettext_lazy("had no AI answer"),
        gettext_lazy("had no AI answer"),
    ),
}
"""What answers say of a subject, or that there was none: as a choice, and as the verb of several and of one."""
SURFACES = {
    Surface.API: gettext_lazy("by API"),
    Surface.APP: gettext_lazy("in the app"),
    Surface.API_IMPORTED: gettext_lazy("imported from an API"),
    Surface.IMPORTED: gettext_lazy("imported"),
    Surface.PAGES: gettext_lazy("stored pages"),
}
CHIPS = {
    "first": (gettext_lazy("first of those tracked"), "good"),
    "recommended": (gettext_lazy("recommended"), "good"),
    "cautioned": (gettext_lazy("cautioned"), "warn"),
    "rejected": (gettext_lazy("rejected"), "bad"),
}
COLUMNS = (
    *("day", "AI engine", "surface", "topic", "prompt", "about", "says", "sentence", "others mentioned"),
    *("answer", "address"),
)


class AnswersForm(forms.Form):
    """The filters of the address. What is not valid is left out, and `faults` says so."""

    q = forms.CharField(label=gettext_lazy("Search"), max_length=LONGEST_SEARCH, required=False)
    stance = forms.ChoiceField(
        choices=[("", gettext_lazy("Any")), *((key, words[0]) for key, words in SAYS.items())], required=False
    )
    site = forms.CharField(label=gettext_lazy("Site cited"), max_length=253, required=False)
    day = forms.DateField(input_formats=DAY_FORMATS, required=False)
    on = forms.DateField(input_formats=DAY_FORMATS, required=False)

    def __init__(self, query: QueryDict, brand: Brand) -> None:
        shown = query.copy()
        super().__init__(shown)
        self.brand = brand
        offer = offer_of(brand, foreign=True)
        self.topics, self.measured, self.names = offer.topics, offer.measured, counted_competitors(brand)
        self.is_pooled, self.has_markets = len(offer.surfaces) > 1, bool(offer.markets)
        offered: dict[str, tuple[str, list[tuple[str, Any]]]] = {
            "topic": (gettext("All topics"), [(key, each.title) for key, each in self.topics.items()]),
            "engine": (gettext("All AI engines"), [(name, engine_name(name)) for name in offer.engines]),
            "market": (gettext("All markets"), [(each, market_name(each)) for each in offer.markets]),
            "surface": (gettext("Any way"), [(each, SURFACES[Surface(each)]) for each in offer.surfaces]),
            "whose": (gettext("You"), [(str(pk), name) for pk, name in self.names.items()]),
        }
        for name, (nothing, choices) in offered.items():
            self.fields[name] = forms.ChoiceField(choices=[("", nothing), *choices], required=False)
        self.fields["whose"].label = gettext("about")
        periods = [
            ("", gettext("Now")),
            *((key, str(each.name)) for key, each in PERIODS.items()),
            (OWN_DATES, gettext("Own dates")),
        ]
        self.fields["period"] = forms.ChoiceField(choices=periods, required=False)
        for name in ("from", "to"):
            self.fields[name] = day_field()
        prompts = Prompt.objects.filter(brand=brand).tracked().select_related("topic")
        self.fields["prompt"] = forms.ModelChoiceField(prompts, required=False)
        self.full_clean()
        if not self.chosen("period") and (self.chosen("from") or self.chosen("to")):
            shown["period"] = OWN_DATES

    def clean_q(self) -> str:
        """The words; refused where there is none."""
        text: str = self.cleaned_data["q"]
        if text and not Words.of(text).single:
            raise forms.ValidationError(gettext("no word"))
        return text

    def clean_site(self) -> str:
        """A domain, of whatever address is given, or OWN_SITES."""
        text: str = self.cleaned_data["site"].lower()
        if text in ("", OWN_SITES):
            return text
        if "." not in (domain := registrable_domain(host_of(text))):
            raise forms.ValidationError(gettext("no site"))
        return domain

    def chosen(self, name: str) -> Any:
        """What a filter says; None where it says nothing, or nothing valid."""
        return self.cleaned_data.get(name) or None

    @property
    def faults(self) -> str:
        """The filters that are left out."""
        return ", ".join(str(self.fields[name].label or name).lower() for name in self.errors)

    @property
    def subject(self) -> UUID | None:
        """Whom `stance` is about: a competitor, or the brand (None)."""
        return UUID(key) if (key := self.chosen("whose")) else None

    @property
    def whom(self) -> str:
        """The subject in words."""
        return self.names[self.subject] if self.subject else gettext("you")

    @property
    def topic(self) -> Topic | None:
        """The chosen topic, else that of the chosen prompt."""
        prompt = self.chosen("prompt")
        return prompt.topic if prompt else self.topics.get(self.chosen("topic") or "")

    @property
    def is_foreign(self) -> bool:
        """Whether the chosen topic is not the brand's own, so that no figure counts its answers."""
        return self.topic is not None and self.topic.own is False

    @property
    def filter(self) -> AnswerFilter:
        """What narrows the base."""
        return AnswerFilter(self.subject, self.chosen("stance"), self.chosen("site") or "", self.chosen("q") or "")

    def _span(self) -> tuple[date, date] | None:
        """The days of the chosen period; None: those of now."""
        period, first, last = (self.chosen(name) for name in ("period", "from", "to"))
        if period in PERIODS:
            return period_of(period, self.measured)
        return (first or date.min, last or date.max) if first or last else None

    def select(self) -> Selection:
        """The answers of now, of the chosen period, or as of a day (`on`), of which figures are made."""
        prompt, topic, span = self.chosen("prompt"), self.chosen("topic"), self._span()
        if self.chosen("on"):
            found = select_on(self.brand, self.chosen("on"))
        elif span:
            found = select_between(self.brand, *span, foreign=self.is_foreign)
        elif prompt:
            prompt.brand = self.brand
            found = select_prompt(prompt)
        else:
            found = select_now(self.brand, foreign=self.is_foreign)
        return found.narrow(
            topics=[self.topics[topic]] if topic else [],
            prompts=[prompt.pk] if prompt else [],
            **{
                f"{name}s": [self.chosen(name)] if self.chosen(name) else []
                for name in ("engine", "market", "surface", "day")
            },
        )


@dataclass(frozen=True, slots=True)
class Row:
    """An answer as the page shows it."""

    listed: ListedAnswer
    address: str
    sentence: SafeString
    found: SafeString
    chips: Sequence[tuple[str, str]]
    others: str


@brand_page
def answer_list(visit: Visit) -> HttpResponse:
    """The answers that the filters of the address leave, the newest first."""
    form = AnswersForm(visit.query, visit.brand)
    selection = form.select()
    base = selection.of_figure if form.chosen("prompt") else selection.counting(form.subject)
    answers = base.not_shown if form.filter.says == "not_shown" else base.answers
    writer = _Writer(visit, form.subject, subjects_of(visit.brand, selection))
    table = Table("answers", COLUMNS, lambda: map(writer.cells, every_answer(visit.brand, answers, form.filter)))
    if file := wanted(visit, table):
        return file
    page = list_answers(visit.brand, answers, form.filter, visit.query.get("page", ""))
    return visit.show(
        "answer_list.html",
        "answers",
        form=form,
        lead=_not_shown_lead(page)
        if form.filter.says == "not_shown"
        else _lead(form, page, _counted(form, selection)),
        base=_base(form),
        rows=[writer.row(each) for each in page.rows],
        page=page,
        kept=_without(visit.query),
        hidden=_hidden(form, visit.query),
        is_filtered=any(name not in OF_PAGE and value for name, value in visit.query.items()),
    )


def _counted(form: AnswersForm, selection: Selection) -> CountRow | None:
    """The subject's count on the base; None where no answer counts."""
    axes = ("subject", "prompt") if form.chosen("prompt") else ("subject",)
    return next(iter(selection.rows(*axes, subjects=[form.subject])), None)


def _lead(form: AnswersForm, page: AnswerPage, row: CountRow | None) -> str:
    """How many answers there are, of how many, of which days, and how many of them mention the subject."""
    if row is None:
        return gettext("No answer counts here. Choose other days or filters.")
    days = span_words(row.first_day, row.last_day)
    total, mentioned = (row.of, row.mentioned) if form.filter.is_open else (page.total, page.mentioning)
    if form.filter.is_open:
        first = ngettext("{total} answer", "{total} answers", total).format(total=number_words(total))
    else:
        first = ngettext("{total} of {of} answer", "{total} of {of} answers", row.of)
        first = first.format(total=number_words(total), of=number_words(row.of))
    those = f" {gettext('and')} ".join(_narrowed(form, is_one=total == 1))
    listed = f"{first}{' ' * bool(those)}{those}, {days}"
    if form.filter.says:
        return f"{listed}."
    mentions = ngettext("{mentioned} mentions {whom}", "{mentioned} mention {whom}", mentioned)
    return f"{listed}; {mentions.format(mentioned=number_words(mentioned), whom=form.whom)}."


def _not_shown_lead(page: AnswerPage) -> str:
    """How often no AI answer was shown."""
    words = ngettext(
        "{total} time a prompt was asked and no AI answer was shown.",
        "{total} times a prompt was asked and no AI answer was shown.",
        page.total,
    )
    return words.format(total=number_words(page.total))


def _narrowed(form: AnswersForm, *, is_one: bool) -> Iterator[str]:
    """What the listed answers have in common, by the filters that narrow the base, each with its verb."""
    chosen, number = form.filter, 1 if is_one else 2
    if chosen.says:
        yield SAYS[chosen.says][1 + is_one].format(whom=form.whom)
    if chosen.site:
        site = gettext("your sites") if chosen.site == OWN_SITES else chosen.site
        yield ngettext("cites {site}", "cite {site}", number).format(site=site)
    if chosen.text:
        yield ngettext("matches “{text}”", "match “{text}”", number).format(text=chosen.text)


def _base(form: AnswersForm) -> str:
    """Which answers these are."""
    if form.filter.says == "not_shown":
        return gettext("They are no failures: an AI engine's score is that among the answers shown.")
    if form.is_foreign:
        return gettext("This topic is not yours: no figure counts these answers.")
    if form.chosen("prompt"):
        return gettext("These are the answers to one prompt.")
    whom = gettext("you or {whom}").format(whom=form.whom) if form.subject else gettext("you")
    return gettext("These are the answers that figures count. Prompts that name {whom} are left out.").format(
        whom=whom
    )


def _without(query: QueryDict, *names: str) -> str:
    """The filters of the address but these, to be followed by another."""
    left = query.copy()
    for name in (*OF_PAGE, *names):
        left.pop(name, None)
    for name in [name for name, value in left.items() if not value]:
        left.pop(name)
    return f"{left.urlencode()}&" if left else ""


def _hidden(form: AnswersForm, query: QueryDict) -> list[tuple[str, str, str, str]]:
    """The filters that the form shows no field for: name, value, in words, and the address without it. A surface has
    words only where there are several."""
    prompt, day, on, surface = (form.chosen(name) for name in ("prompt", "day", "on", "surface"))
    found = {
        "on": on and (str(on), gettext("as counted on {day}").format(day=day_words(on))),
        "prompt": prompt and (str(prompt.pk), prompt.text),
        "day": day and (str(day), day_words(day)),
        "surface": surface and (surface, str(SURFACES[Surface(surface)]) if form.is_pooled else ""),
    }
    return [(name, *pair, f"?{_without(query, name)}") for name, pair in found.items() if pair]


class _Writer:
    """Writes answers as rows of the page and of the table."""

    def __init__(self, visit: Visit, subject: UUID | None, subjects: Subjects) -> None:
        self._visit, self._subject, self._subjects = visit, subject, subjects
        self._names: dict[UUID | None, str] = {None: gettext("you"), **dict(subjects.names.items())}

    def row(self, each: ListedAnswer) -> Row:
        """As the page shows it."""
        shown = list(self._others(each))
        more = gettext(" and {number} more").format(number=len(shown) - MOST_NAMES) if len(shown) > MOST_NAMES else ""
        is_twice = each.found is None or (each.sentence[0] < each.found[1] and each.found[0] < each.sentence[1])
        return Row(
            each,
            self._address(each),
            self._sentence(each, each.sentence),
            SafeString("") if is_twice or each.found is None else self._sentence(each, each.found),
            [(str(CHIPS[name][0]), CHIPS[name][1]) for name in each.says if name in CHIPS],
            f"{', '.join(shown[:MOST_NAMES])}{more}",
        )

    def cells(self, each: ListedAnswer) -> list[Any]:
        """As the table has it."""
        start, end = each.sentence
        answer, prompt = each.answer, each.answer.version.prompt
        says = (
            [("not shown" if answer.is_absent else "absent")]
            if not each.says
            else [name for name in each.says if name != "against"]
        )
        return [
            *(answer.day, answer.engine.name, answer.surface, prompt.topic_name, answer.version.text),
            *(self._names[self._subject], ", ".join(says), " ".join(answer.text[start:end].split())),
            *(", ".join(self._others(each)), answer.text),
            self._visit.request.build_absolute_uri(self._address(each)),
        ]

    def _others(self, each: ListedAnswer) -> Iterator[str]:
        return (name for pk, name in self._names.items() if pk in each.others)

    def _address(self, each: ListedAnswer) -> str:
        return f"{self._visit.address('brand-prompt', each.answer.prompt_id)}?answer={each.answer.pk}"

    def _sentence(self, each: ListedAnswer, span: tuple[int, int]) -> SafeString:
        marks = [Mark(start, end, self._subjects.hue(whose)) for start, end, whose in each.marks]
        return sentence_html(each.answer.text, span, marks)
