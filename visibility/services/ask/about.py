"""What a question is about: whom, which engines, which prompts, which days; and what in it is not known here."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.text.language_files import DEFAULT_LANGUAGE
from brands.models import Brand, Competitor
from brands.services.names import names_of
from visibility.detection.rivals.suggesting import name_key
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.reading import read_basis
from visibility.models import EngineConfig, Prompt, UntrackedName
from visibility.services.ask.assistants import KnownEngine, plain
from visibility.services.ask.assistants import UnknownEngine as UnknownEngine
from visibility.services.ask.days import measured_days
from visibility.services.ask.naming import REST, keys_in, most_like, unknown_names, unread_topic
from visibility.services.ask.naming import Named as OtherName
from visibility.services.ask.periods import Period, period_in
from visibility.services.ask.prompt_topics import Narrowing, Wording
from visibility.services.ask.reader import Meant, Reader
from visibility.services.ask.reading.choosing import Named, chosen_kinds
from visibility.services.ask.reading.language import language_of
from visibility.services.ask.reading.premises import premises_of
from visibility.services.ask.refusals import Refusal, refusal_of
from visibility.services.ask.types import Kind, Premise, Subject
from visibility.services.ask.vocabulary import any_of

_WE = re.compile(rf"\b(?:{any_of(lambda words: words.people.we)})\b", re.IGNORECASE)
MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that nobody tracks, the tracked one that it may be a slip of the pen for, and whether
    it is a name for sure."""

    text: str
    like: str | None = None
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """What a question is about. `rest` is the question with signs in the place of all that was understood.

    `kinds` is what it asks for, the most important first; none where no word tells. `premises` are what it takes for
    granted, of a single site only. `refusal`: why it is not answered at all. `own`: it speaks of the brand, by name
    or as "we". `days`: the measured days of all engines; `basis`: what now rests on. `unread` is what stands where a
    topic could, and is none. `left_out` are names behind an "except".
    """

    rest: str
    own: bool = False
    rivals: Sequence[Competitor] = ()
    unknown: Sequence[UnknownName] = ()
    engines: Sequence[str] = ()
    unknown_engines: Sequence[UnknownEngine] = ()
    narrowing: Narrowing | None = None
    unread: str = ""
    period: Period | None = None
    left_out: Sequence[str] = ()
    language: str = DEFAULT_LANGUAGE
    kinds: tuple[Kind, ...] = ()
    premises: tuple[Premise, ...] = ()
    refusal: Refusal | None = None
    days: Sequence[EngineDay] = field(default=(), repr=False)
    basis: Basis | None = field(default=None, repr=False)

    @property
    def is_narrowed(self) -> bool:
        """Whether it is about less than all engines, prompts and latest days."""
        return bool(self.engines or self.narrowing or self.period)

    @property
    def is_named(self) -> bool:
        """Whether it names anything that there are figures of."""
        return bool(self.own or self.rivals or self.is_narrowed)

    @property
    def known_engines(self) -> list[str]:
        """The engines that there are figures of, the latest asked first."""
        return list(dict.fromkeys(day.engine for day in self.days))


def about(caller: Caller, brands: Sequence[Brand], question: str) -> About:
    """What the question is about, of these brands; topics, engines and premises are known of a single one only."""
    reader = Reader(question)
    period = _period(reader)
    rivals = _rivals(caller, brands)
    single = brands[0] if len(brands) == 1 else None
    days = measured_days(single) if single else []
    engines = _engines(days)
    people = reader.subjects(_by_name(brands, rivals, engines))
    engine_names, unknown_engines = _named_engines(reader, people, engines, days)
    language = language_of(reader.text)
    narrowing = reader.narrowing(_wordings(single)) if single else None
    tracked = [name for names in (*map(names_of, brands), *map(names_of, rivals)) for name in names]
    leads = _leads(caller, brands, keys_in(reader.text))
    said = reader.text
    others = unknown_names(said, leads, tracked)
    reader.strike(others)
    named_rivals = tuple(subject for subject in people if isinstance(subject, Competitor))
    named = Named(len(named_rivals), len(engine_names), narrowing is not None, period is not None)
    kinds = chosen_kinds(reader.text, language, named)
    premises = _premises(reader, language, single) if single else ()
    return About(
        rest=reader.text,
        own=any(isinstance(subject, Brand) for subject in people) or _WE.search(question) is not None,
        rivals=named_rivals,
        unknown=_unknown(others, leads, tracked),
        engines=engine_names,
        unknown_engines=[*unknown_engines, *(UnknownEngine(name.text) for name in others if name.kind == "engine")],
        narrowing=narrowing,
        unread=_unread(others, reader.text, language),
        period=None if Kind.NEXT_SCAN in kinds else period,  # Beside the next scan it lies ahead.
        left_out=reader.left_out,
        language=language,
        kinds=kinds,
        premises=premises,
        refusal=refusal_of(said, kinds, has_premise=bool(premises)),
        days=days,
        basis=read_basis(single.pk) if single else None,
    )


def _period(reader: Reader) -> Period | None:
    """The days that the question names, which are struck out."""
    period = period_in(reader.text, timezone.localdate())
    if period is not None:
        reader.take(re.compile(re.escape(period.words)), REST)
    return period


def _named_engines(
    reader: Reader, people: Sequence[Meant], engines: Sequence[KnownEngine], days: Sequence[EngineDay]
) -> tuple[tuple[str, ...], list[UnknownEngine]]:
    """The measured engines that the question names, and the AI systems that are none of them."""
    measured = {day.engine for day in days}
    names, unknown = reader.assistants(engines, measured)
    names = [subject.name for subject in people if isinstance(subject, KnownEngine)] + names
    unknown += [UnknownEngine(name) for name in names if name not in measured]
    return tuple(name for name in dict.fromkeys(names) if name in measured), unknown


def _unknown(
    others: Sequence[OtherName], leads: Mapping[str, Sequence[str]], tracked: Sequence[str]
) -> list[UnknownName]:
    """The first of the names that nobody tracks."""
    subjects = [name for name in others if name.kind == "subject"][:MAX_NAMES]
    return [UnknownName(_spelled(name.text, leads), most_like(name.text, tracked), name.is_sure) for name in subjects]


def _unread(others: Sequence[OtherName], rest: str, language: str) -> str:
    """What stands where a topic could: a name, or a noun."""
    places = (name.text for name in others if name.kind == "place")
    return next(places, "") or unread_topic(rest, language)


def _spelled(name: str, leads: Mapping[str, Sequence[str]]) -> str:
    """The name in the letters that most answers have."""
    same = (listed for listed in leads.get(name_key(name), ()) if listed.casefold() == name.casefold())
    return next(same, name)


def _premises(reader: Reader, language: str, brand: Brand) -> tuple[Premise, ...]:
    own = Subject(brand.name)
    names = [
        own if isinstance(person, Brand) else Subject(person.name, person.pk) if person else None
        for person in reader.people
    ]
    return premises_of(reader.text, language, own, names)


def _by_name(
    brands: Sequence[Brand], rivals: Sequence[Competitor], engines: Sequence[KnownEngine]
) -> dict[str, Meant]:
    """Everybody by each name; a name of two is the brand's before a competitor's before an engine's."""
    names: dict[str, Meant] = {}
    for engine in engines:
        names |= {name: engine for name in (engine.name, engine.label) if name and not plain(name).isdigit()}
    for rival in rivals:
        names |= dict.fromkeys((*names_of(rival), rival.domain), rival)
    for brand in brands:
        names |= dict.fromkeys((*names_of(brand), brand.domain), brand)
    return names


def _rivals(caller: Caller, brands: Sequence[Brand]) -> list[Competitor]:
    """The competitors of the brands; none to a caller who may not read competitors."""
    if Scope.READ_COMPETITORS not in caller.scopes:
        return []
    return list(Competitor.objects.restrict(caller, "view").filter(brand__in=brands).prefetch_related("aliases"))


def _engines(days: Iterable[EngineDay]) -> list[KnownEngine]:
    """The engines that were asked, and those that are enabled."""
    configured = EngineConfig.objects.values_list("name", "label", "provider", "model", "enabled")
    by_name = {name: (KnownEngine(name, *rest), enabled) for name, *rest, enabled in configured}
    engine_names = dict.fromkeys(day.engine for day in days)
    known = {name: by_name[name][0] if name in by_name else KnownEngine(name) for name in engine_names}
    return list({**known, **{name: engine for name, (engine, enabled) in by_name.items() if enabled}}.values())


def _wordings(brand: Brand) -> list[Wording]:
    prompts = Prompt.objects.filter(brand=brand).active()
    return [Wording(pk, text, topic) for pk, text, topic in prompts.values_list("pk", "text", "topic")]


def _leads(caller: Caller, brands: Sequence[Brand], keys: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The names that answers list and nobody tracks, the most listed first, by the key of their first word; for those
    who may read them."""
    names_by_lead: dict[str, list[str]] = defaultdict(list)
    if keys and Scope.READ_COMPETITORS in caller.scopes:
        rows = UntrackedName.objects.filter(answer__brand__in=brands, lead__in=keys).values_list("lead", "name")
        for lead, name in (
            rows.annotate(answers=Count("answer")).order_by("-answers", "name").values_list("lead", "name")
        ):
            names_by_lead[lead].append(name)
    return names_by_lead
