"""The filters of an address: period, topic, AI engine and market of pages with figures; figure and lines of the
chart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from apikeys.language import span_words
from brands.models import Brand
from visibility.counts.past import select_on
from visibility.counts.reader import Selection, read_parts
from visibility.counts.words import engine_name, market_name
from visibility.models import Topic
from visibility.overview.line import Part
from visibility.scores.engines import measured_of


class Period(NamedTuple):
    """How many days a period has up to the last measured one; None: all."""

    name: Any
    days: int | None


PERIODS = {
    "14": Period(gettext_lazy("2 weeks"), 14),
    "42": Period(gettext_lazy("6 weeks"), 42),
    "180": Period(gettext_lazy("6 months"), 180),
    "all": Period(gettext_lazy("All days"), None),
}
OWN_DATES = "own"
FIGURES = {
    "score": (gettext_lazy("Mentioned"), "score", "low", "high"),
    "voice": (gettext_lazy("Share of voice"), "shareOfVoice", "shareOfVoiceLow", "shareOfVoiceHigh"),
    "cited": (gettext_lazy("Your site cited"), "citationRate", "citationRateLow", "citationRateHigh"),
    "prominence": (gettext_lazy("Prominence"), "prominence", "prominenceLow", "prominenceHigh"),
}
"""The figures of the chart: name, and those of the value and of the ends of its interval in the API."""
FIRST_PERIOD, FIRST_FIGURE = "42", "score"
MOST_RIVALS = 3
"""Competitors with a line of their own."""
CARRIED = ("period", "from", "to", "topic", "engine", "market")
"""What links take along from page to page."""
OF_PAGE = ("page", "format", "table")
"""What an address says beside filters."""
DAY_FORMATS = ["%Y-%m-%d"]


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to choose from: the first and last measured day, the brand's topics, engines, surfaces, markets
    (none where there is one alone), and competitors by id."""

    measured: tuple[date, date] | None
    topics: Mapping[str, Topic]
    engines: Sequence[str]
    surfaces: Sequence[str]
    markets: Sequence[str]
    rivals: Mapping[str, str]


def offer_of(brand: Brand, *, foreign: bool = False) -> Offer:
    """What the brand has; with `foreign` topics that are not its own, too, which no figure counts. What figures need
    of the brand is read with it once."""
    read_parts(brand)
    topics = sorted(brand.topics.all(), key=lambda each: each.name)
    listed = [each for each in topics if foreign or each.own is not False]
    rivals = {str(each.pk): each.name for each in brand.competitors.all()}
    measured = measured_of(brand)
    names, surfaces = ([*dict.fromkeys(key[place] for key in measured.engines)] for place in (0, 1))
    markets = measured.markets if len(measured.markets) > 1 else []
    return Offer(measured.days, {str(each.pk): each for each in listed}, names, surfaces, markets, rivals)


def day_field() -> forms.DateField:
    """A field for a day, which browsers write in the language of their owner."""
    return forms.DateField(
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"), input_formats=DAY_FORMATS, required=False
    )


def period_of(key: str, measured: tuple[date, date] | None) -> tuple[date, date] | None:
    """The days of a period of PERIODS, which ends on the last measured day; None where nothing is measured."""
    if measured is None:
        return None
    first, last = measured
    days = PERIODS[key].days
    return (first if days is None else last - timedelta(days=days - 1)), last


class Filters(forms.Form):
    """The filters of an address. What is not valid counts as not chosen."""

    def __init__(self, query: QueryDict, brand: Brand, offer: Offer, first_period: str = FIRST_PERIOD) -> None:
        shown = query.copy()
        super().__init__(shown, auto_id=False)
        self.brand, self.offer, self.first_period = brand, offer, first_period
        periods = [(key, str(each.name)) for key, each in PERIODS.items()]
        offered: dict[str, list[tuple[str, Any]]] = {
            "period": [*periods, (OWN_DATES, gettext("Own dates"))],
            "topic": [("", gettext("All topics")), *((key, each.title) for key, each in offer.topics.items())],
            "engine": [("", gettext("All AI engines")), *((name, engine_name(name)) for name in offer.engines)],
            "market": [("", gettext("All markets")), *((each, market_name(each)) for each in offer.markets)],
            "figure": [(key, each[0]) for key, each in FIGURES.items()],
        }
        for name, choices in offered.items():
            self.fields[name] = forms.ChoiceField(choices=choices, required=False)
        for name in ("from", "to"):
            self.fields[name] = day_field()
        self.fields["vs"] = forms.MultipleChoiceField(choices=list(offer.rivals.items()), required=False)
        self.fields["before"] = forms.BooleanField(required=False)
        self.full_clean()
        # Fields show the filters that are used, also where nothing valid was chosen.
        shown["period"] = self.chosen_period
        if self.chosen_period == OWN_DATES and self.span:
            shown["from"], shown["to"] = map(str, self.span)

    def _said(self, name: str) -> Any:
        return self.cleaned_data.get(name) or None

    @cached_property
    def chosen_topic(self) -> Topic | None:
        """The chosen topic."""
        return self.offer.topics.get(self._said("topic") or "")

    @property
    def chosen_engine(self) -> str | None:
        """The chosen AI engine."""
        engine: str | None = self._said("engine")
        return engine

    @property
    def chosen_market(self) -> str | None:
        """The chosen market."""
        market: str | None = self._said("market")
        return market

    @property
    def chosen_figure(self) -> str:
        """The figure of the chart, of FIGURES."""
        return self._said("figure") or FIRST_FIGURE

    @property
    def chosen_period(self) -> str:
        """A key of PERIODS, or OWN_DATES."""
        dated = self._said("from") or self._said("to")
        return self._said("period") or (OWN_DATES if dated else self.first_period)

    @cached_property
    def span(self) -> tuple[date, date] | None:
        """The first and last day of the period; None where nothing is measured, or it ends before it begins."""
        if self.offer.measured is None or self.chosen_period != OWN_DATES:
            return period_of(self.chosen_period, self.offer.measured)
        begin, end = self.offer.measured
        first, last = self._said("from") or begin, self._said("to") or end
        return (first, last) if first <= last else None

    @property
    def span_before(self) -> tuple[date, date] | None:
        """As many days right before; None of all days."""
        if self.span is None or self.chosen_period == "all":
            return None
        first, last = self.span
        length = last - first + timedelta(days=1)
        return (first - length, first - timedelta(days=1)) if first - date.min > length else None

    @property
    def day(self) -> date | None:
        """The day as of which figures are, where the period ends before the last measured day; None: now."""
        if self.span is None or self.offer.measured is None or self.span[1] >= self.offer.measured[1]:
            return None
        return self.span[1]

    @property
    def rivals(self) -> list[UUID]:
        """The competitors with a line."""
        return [UUID(key) for key in (self._said("vs") or ())[:MOST_RIVALS]]

    @property
    def has_before(self) -> bool:
        """Whether the period before has a line."""
        return bool(self._said("before")) and self.span_before is not None

    @property
    def is_whole(self) -> bool:
        """Whether all topics, AI engines and markets are counted."""
        return self.chosen_topic is None and self.chosen_engine is None and self.chosen_market is None

    @property
    def part(self) -> Part:
        """What the lines of the chart count."""
        topic, engine, market = self.chosen_topic, self.chosen_engine, self.chosen_market
        return Part([topic] if topic else [], [engine] if engine else [], [market] if market else [], self.rivals)

    @cached_property
    def whole(self) -> Selection:
        """The answers of all topics, engines and markets that figures count: of the window that ends with the
        period."""
        return select_on(self.brand, self.day)

    @cached_property
    def now(self) -> Selection:
        """Those of the chosen topic, engine and market."""
        part = self.part
        return self.whole.narrow(topics=part.topics, engines=part.engines, markets=part.markets)

    @property
    def chosen(self) -> dict[str, Any]:
        """What is chosen, by the names of an address."""
        return {name: value for name, value in self._chosen() if value}

    def _chosen(self) -> Iterator[tuple[str, Any]]:
        is_own = self.chosen_period == OWN_DATES
        yield "topic", str(self.chosen_topic.pk) if self.chosen_topic else ""
        yield "engine", self.chosen_engine
        yield "market", self.chosen_market
        yield "figure", self.chosen_figure if self.chosen_figure != FIRST_FIGURE else ""
        yield "period", self.chosen_period if self.chosen_period != self.first_period else ""
        yield "from", self._said("from") if is_own else None
        yield "to", self._said("to") if is_own else None
        yield "vs", [str(each) for each in self.rivals]
        yield "before", "on" if self.has_before else ""

    @property
    def query(self) -> str:
        """The same in an address."""
        return urlencode(self.chosen, doseq=True)

    @property
    def words(self) -> list[str]:
        """The same for people: the figure, what it is narrowed to, and whom it is compared with."""
        topics, engines = [each.title for each in self.part.topics], map(engine_name, self.part.engines)
        markets = map(market_name, self.part.markets)
        names = [gettext("vs {name}").format(name=self.offer.rivals[str(each)]) for each in self.rivals]
        return [str(FIGURES[self.chosen_figure][0]), *topics, *engines, *markets, *names]

    @property
    def days(self) -> str:
        """The period for people."""
        if self.chosen_period != OWN_DATES:
            name = str(PERIODS[self.chosen_period].name)
            return name[0].lower() + name[1:]
        return span_words(*self.span) if self.span else gettext("no days")

    @property
    def base_words(self) -> str:
        """Which days figures count where the period does not say it by itself; empty where nobody chose one."""
        if not ({"period", "from", "to"} & self.chosen.keys()) or self.span is None:
            return ""
        return gettext("Figures count the seven days that end with the period; the line of a chart has all of it.")
