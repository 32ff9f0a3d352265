"""What a question is about: whom, which engines, which prompts, which days; and what in it is not known here."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from brands.services.names import names_of
from visibility.detection.names.ambiguity import flag_ambiguous
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.reading import read_basis
from visibility.models import EngineConfig, Prompt, UntrackedName
from visibility.services.ask.assistants import KnownEngine, assistants_in, meant_by, plain
from visibility.services.ask.days import measured_days
from visibility.services.ask.naming import (
    ENGINE,
    NAME,
    REST,
    Named,
    keys_in,
    most_like,
    stands_as_a_name,
    unknown_names,
    unread_topic,
)
from visibility.services.ask.periods import Period, period_in
from visibility.services.ask.prompt_topics import Narrowing, Wording, narrowed_to
from visibility.services.ask.vocabulary import any_of
from visibility.writers.words import name_pattern

_WE = re.compile(rf"\b(?:{any_of(lambda words: words.people.we)})\b", re.IGNORECASE)
_EXCEPT = re.compile(
    rf"\b(?:{any_of(lambda words: words.people.except_)})\s+"
    rf"(?:(?:{any_of(lambda words: words.people.except_link)})\s+)?$",
    re.IGNORECASE,
)
_ENDING = r"(?P<ending>['’]s?|s)?"
"""What possessives and plurals add to a name."""
MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class UnknownEngine:
    """Words for an AI system that are no engine's here, or could be one of several."""

    words: str
    candidates: Sequence[str] = ()


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

    `own`: it speaks of the brand, by name or as "we". `days`: the measured days of all engines; `basis`: what
    now rests on. `unread` is what
    stands where a topic could, and is none. `left_out` are names behind an "except".
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
    """What the question is about, of these brands; topics and engines are known of a single one only."""
    reader = _Reader(question)
    period = period_in(question, timezone.localdate())
    if period is not None:
        reader.take(re.compile(re.escape(period.words)), REST)
    rivals = _rivals(caller, brands)
    single = brands[0] if len(brands) == 1 else None
    days = measured_days(single) if single else []
    engines = _engines(days)
    named = reader.subjects(_by_name(brands, rivals, engines))
    engine_names, unknown_engines = reader.assistants(engines, {day.engine for day in days})
    engine_names = [subject.name for subject in named if isinstance(subject, KnownEngine)] + engine_names
    measured_engines = {day.engine for day in days}
    unknown_engines += [UnknownEngine(name) for name in engine_names if name not in measured_engines]
    narrowing = reader.narrowing(_wordings(single)) if single else None
    tracked = [name for names in (*map(names_of, brands), *map(names_of, rivals)) for name in names]
    leads = _leads(caller, brands, keys_in(reader.text))
    others = unknown_names(reader.text, leads, tracked)
    subjects = [name for name in others if name.kind == "subject"][:MAX_NAMES]
    reader.strike(others)
    return About(
        rest=reader.text,
        own=any(isinstance(subject, Brand) for subject in named) or _WE.search(question) is not None,
        rivals=tuple(subject for subject in named if isinstance(subject, Competitor)),
        unknown=[UnknownName(name.text, most_like(name.text, tracked), name.is_sure) for name in subjects],
        engines=tuple(name for name in dict.fromkeys(engine_names) if name in measured_engines),
        unknown_engines=[*unknown_engines, *(UnknownEngine(name.text) for name in others if name.kind == "engine")],
        narrowing=narrowing,
        unread=next((name.text for name in others if name.kind == "place"), "") or unread_topic(reader.text),
        period=period,
        left_out=reader.left_out,
        days=days,
        basis=read_basis(single.pk) if single else None,
    )


class _Reader:
    """A question, of which one thing after the other is understood and struck out."""

    def __init__(self, question: str) -> None:
        self.text = re.sub(r"[\x00-\x02]", " ", question)
        self.left_out: list[str] = []

    def take(
        self, pattern: re.Pattern[str], sign: str, is_meant: Callable[[re.Match[str]], bool] | None = None
    ) -> bool:
        """Strike out what the pattern finds; whether it found something that is not left out by an "except"."""
        is_found = False

        def replaced(match: re.Match[str]) -> str:
            nonlocal is_found
            if is_meant is not None and not is_meant(match):
                return match[0]
            if _EXCEPT.search(self.text[: match.start()]):
                self.left_out.append(match[0])
            else:
                is_found = True
            return sign

        self.text = pattern.sub(replaced, self.text)
        return is_found

    def subjects(
        self, names: Mapping[str, Brand | Competitor | KnownEngine]
    ) -> list[Brand | Competitor | KnownEngine]:
        """Whom the question calls by one of these names, the longest names first, in the order of the question."""
        places: dict[int, Brand | Competitor | KnownEngine] = {}
        for name in sorted(names, key=len, reverse=True):
            subject = names[name]
            pattern, check = name_pattern(name, ending=_ENDING), partial(_is_meant, name)
            place = next(filter(check, pattern.finditer(self.text)), None)
            sign = ENGINE if isinstance(subject, KnownEngine) else NAME
            if place and self.take(pattern, sign, check) and subject not in places.values():
                places[place.start()] = subject
        return [places[place] for place in sorted(places)]

    def assistants(self, engines: Sequence[KnownEngine], measured: set[str]) -> tuple[list[str], list[UnknownEngine]]:
        """The engines that the AI systems of the question certainly are, and those that are not known."""
        known, unknown = [], []
        for match, assistant in sorted(assistants_in(self.text), key=lambda pair: pair[0].start()):
            if _EXCEPT.search(self.text[: match.start()]):
                self.left_out.append(match[0])
                continue
            candidates = meant_by(match, assistant, engines)
            if len(candidates) > 1 and len(measured_names := [name for name in candidates if name in measured]) == 1:
                candidates = measured_names
            if len(candidates) == 1:
                known.append(candidates[0])
            else:
                unknown.append(UnknownEngine(re.sub(r"['’]s?$", "", match[0]), candidates))
        for match, _ in sorted(assistants_in(self.text), key=lambda pair: -pair[0].start()):
            self.text = f"{self.text[: match.start()]}{ENGINE}{self.text[match.end() :]}"
        return known, unknown

    def narrowing(self, wordings: Sequence[Wording]) -> Narrowing | None:
        """The prompts that it is about; their words are struck out."""
        narrowing = narrowed_to(self.text, wordings)
        for word in narrowing.words.split() if narrowing else ():
            self.text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", REST, self.text)
        return narrowing

    def strike(self, names: Iterable[Named]) -> None:
        """Strike out names that nobody tracks."""
        for name in names:
            self.text = re.sub(rf"(?<!\w){re.escape(name.text)}(?!\w)", NAME, self.text)


def _is_meant(name: str, match: re.Match[str]) -> bool:
    """Whether the name is meant there: a bare s needs a capital, and a plain word in small letters a name's place."""
    if match["ending"] == "s" and not match[0][0].isupper():
        return False
    if match[0].startswith(name) or flag_ambiguous(name) is None:
        return True
    return match["ending"] in ("'s", "’s") or stands_as_a_name(match.string, match.start(), match.end())


def _by_name(
    brands: Sequence[Brand], rivals: Sequence[Competitor], engines: Sequence[KnownEngine]
) -> dict[str, Brand | Competitor | KnownEngine]:
    """Everybody by each name; a name of two is the brand's before a competitor's before an engine's."""
    names: dict[str, Brand | Competitor | KnownEngine] = {}
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
    """The names that answers list and nobody tracks, by the key of their first word; for those who may read them."""
    names_by_lead: dict[str, list[str]] = defaultdict(list)
    if keys and Scope.READ_COMPETITORS in caller.scopes:
        rows = UntrackedName.objects.filter(answer__brand__in=brands, lead__in=keys).order_by()
        for lead, name in rows.values_list("lead", "name").distinct():
            names_by_lead[lead].append(name)
    return names_by_lead
