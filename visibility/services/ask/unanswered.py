"""What is said of a question that is not answered, or not as it was asked: one sentence for each reason."""

import re
from collections.abc import Sequence

from django.db.models import Count
from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.text.sentences import joined, shortened
from brands.models import Brand
from visibility.detection.rivals.suggesting import name_key
from visibility.insights.suggestions import newest_runs
from visibility.models import Answer, UntrackedName
from visibility.services.ask.about import About, UnknownEngine, UnknownName
from visibility.services.ask.fact import MAX_NAME_LENGTH, Fact, called, short_name
from visibility.services.ask.refusals import WHY
from visibility.services.ask.topics import (
    AUDIT,
    CHANGE,
    COMPETITORS,
    CONTENT,
    ENGINES,
    GAPS,
    PORTFOLIO,
    PROMPTS,
    QUOTAS,
    RECOMMENDATIONS,
    RUNS,
    SCORE,
    SOURCES,
    Topic,
)

_TOOL = re.compile(r"\{(\w+)\}")
UNMEASURED = (RUNS, AUDIT, QUOTAS)
"""What is told whatever engine, name or period is not known: it rests on no answer."""
_SITES = "how each site stands"
_BY_RIVAL = (SCORE, ENGINES, CHANGE, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT)
_BY_ENGINE = (SCORE, ENGINES, CHANGE, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, SOURCES)
_BY_PROMPTS = (SCORE, ENGINES, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, SOURCES)
_BY_PERIOD = (SCORE, ENGINES, CHANGE, COMPETITORS, SOURCES, RUNS)


def refused(about: About) -> Fact | None:
    """Why the question is not answered at all, and the tool that could help."""
    refusal = about.refusal
    if refusal is None:
        return None
    return Fact(_TOOL.sub(lambda match: called(match[1]), refusal.sentence), tool=refusal.tool)


def blocks(about: About) -> bool:
    """Whether what the question is about has no figures, so that any others would be another's."""
    nobody = about.unknown and not (about.own or about.rivals)
    no_engine = about.unknown_engines and not about.engines
    return bool(nobody or no_engine or _has_no_day(about))


def reasons(caller: Caller, brands: Sequence[Brand], about: About) -> list[Fact]:
    """What of the question is not known here: names, engines, days, and why."""
    facts = [_untracked(caller, brands, name) for name in about.unknown]
    facts += [_no_engine(brands, about, engine) for engine in about.unknown_engines]
    if _has_no_day(about):
        facts.append(_no_day(brands[0], about))
    elif about.unread and not blocks(about):
        facts.append(
            Fact(
                f"No topic or prompt here is about “{_quotable(about.unread)}”: what follows is not narrowed to it. "
                f"{called('list_prompts')} shows the topics.",
                tool="list_prompts",
            )
        )
    if about.left_out:
        facts.append(Fact(f"The exception of {joined(list(about.left_out))} is not taken into account."))
    if WHY.search(about.rest) and not blocks(about):
        facts.append(Fact("Reasons are not measured: what follows is what was counted."))
    return facts


def not_narrowed(about: About, topics: Sequence[Topic]) -> Fact | None:
    """Which of these topics are told without regard to what the question is about; None where all are narrowed."""
    restrictions = (
        (joined([rival.name for rival in about.rivals]) if about.rivals else "", _BY_RIVAL),
        (joined(about.engines) if about.engines else "", _BY_ENGINE),
        (str(about.narrowing or ""), _BY_PROMPTS),
        (f"“{about.period.words}”" if about.period else "", _BY_PERIOD),
    )
    whole = {
        words: [_SITES if topic == PORTFOLIO else topic.name for topic in topics if topic not in narrowed]
        for words, narrowed in restrictions
        if words
    }
    parts = [
        f"{joined(names)} {'is' if len(names) < 2 else 'are'} not narrowed to {words}"
        for words, names in whole.items()
        if names
    ]
    return Fact(f"What follows about {joined(parts)}.") if parts else None


def _has_no_day(about: About) -> bool:
    period = about.period
    return bool(
        period
        and about.days
        and not any(
            period.first <= day.day <= period.last and (not about.engines or day.engine in about.engines)
            for day in about.days
        )
    )


def _no_day(brand: Brand, about: About) -> Fact:
    days = [day.day for day in about.days if not about.engines or day.engine in about.engines]
    by_whom = f" by {joined(about.engines)}" if about.engines else ""
    first, last = date_format(days[-1]), date_format(days[0])
    span = f"on {first}" if first == last else f"between {first} and {last}"
    return Fact(
        f"Nothing was measured for {short_name(brand)}{by_whom} {_spoken(about)}: its measured days lie {span}. Ask "
        f"about these, or start a scan with {called('run_visibility_scan')}.",
        tool="get_visibility_scores",
    )


def _spoken(about: About) -> str:
    period = about.period
    if period is None:
        return ""
    return f"until {date_format(period.last)}" if period.first.year == 1 else str(period)


def _untracked(caller: Caller, brands: Sequence[Brand], name: UnknownName) -> Fact:
    """That nothing is counted for a name, with what answers list it, and what would bring it."""
    text, brand_name = _quotable(name.text), short_name(brands[0]) if len(brands) == 1 else "one of your sites"
    if Scope.READ_COMPETITORS not in caller.scopes:
        return Fact(
            f"Whether {text} is tracked cannot be shown: this key lacks {Scope.READ_COMPETITORS}.",
            tool="list_competitors",
        )
    if name.like:
        return Fact(
            f"{text} is not tracked: it is neither {brand_name} nor a competitor. Ask again if you mean {name.like}.",
            tool="list_competitors",
        )
    listed = _listed(brands[0], name.text) if len(brands) == 1 else ""
    return Fact(
        f"{text} is not tracked (it is neither {brand_name} nor a competitor), so it has no figures: {listed}"
        f"{called('add_competitor')} starts to count it.",
        tool="add_competitor",
    )


def _quotable(text: str) -> str:
    """Words of the question in bearable length."""
    return shortened(text, MAX_NAME_LENGTH)


def _listed(brand: Brand, name: str) -> str:
    """How many of the newest scans' answers list the name among their picks; empty where none does."""
    runs = newest_runs(brand.pk)
    rows = UntrackedName.objects.filter(answer__run__in=runs, lead=name_key(name.split()[0]), name__istartswith=name)
    count = rows.aggregate(answers=Count("answer", distinct=True))["answers"]
    if not count:
        return ""
    total = Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).count()
    return f"{count} of {total} answers of the newest scans list it among their picks, and "


def _no_engine(brands: Sequence[Brand], about: About, engine: UnknownEngine) -> Fact:
    """That an AI system is no engine here, or could be several, with those that there are."""
    if len(engine.candidates) > 1:
        return Fact(
            f"“{engine.words}” may be any of the engines {joined(engine.candidates)}: ask again with the name of "
            f"one.",
            tool="get_visibility_scores",
        )
    if len(brands) != 1:
        return Fact(
            f"For several sites there are no figures by engine: ask about {engine.words} with the siteId of one."
        )
    known = f"those asked are {joined(about.known_engines)}" if about.known_engines else "none was asked yet"
    return Fact(
        f"{_quotable(engine.words)} is not one of the engines asked for {short_name(brands[0])}, so it has no "
        f"figures; {known}.",
        tool="get_visibility_scores",
    )
