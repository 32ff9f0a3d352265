"""What a fact is, what the readers of facts are given, and how figures are put in words."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol
from uuid import UUID

from django.conf import settings

from apikeys.caller import Caller
from apikeys.resources import Quota
from apikeys.text.sentences import one_line, shortened
from brands.models import Brand
from visibility.metrics.shown import shown
from visibility.resources.brands import Percent
from visibility.services.ask.about import About
from visibility.services.reading.withheld import WithheldSections

MOST = 5
LONGEST = 400
MAX_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: a sentence, the brand it concerns (None: the account), the ids of what it speaks of, and the tool
    that tells more, where that is not its topic's."""

    statement: str
    refs: tuple[str, ...] = ()
    site: UUID | None = None
    tool: str = ""


@dataclass(frozen=True, slots=True)
class QuestionContext:
    """Who asks what of which brand, and what the question is about; `parts` note what is left out of the facts."""

    caller: Caller
    brand: Brand
    question: str
    sections: WithheldSections
    about: About


def short(fact: Fact, site: UUID) -> Fact:
    """The fact on one line of bearable length, as one of the site."""
    return replace(fact, statement=shortened(one_line(fact.statement), LONGEST), site=site)


def called(tool: str) -> str:
    """The tool by the name that it is called by."""
    return f"{settings.TOOL_PREFIX}{tool}"


def unmeasured(brand: Brand, topic: str) -> Fact:
    """That nothing is known of the topic before the first measured day, and how to get there."""
    return Fact(
        f"Nothing was measured for {brand.name} yet, so nothing is known about {topic}. Run a visibility scan."
    )


def listed(brands: Iterable[Brand]) -> str:
    """The brands by name and id, the first few of them."""
    every = list(brands)
    names = [f"{short_name(brand)} ({brand.pk})" for brand in every[:MOST]]
    return ", ".join(names) + (f" and {len(every) - MOST} more" if len(every) > MOST else "")


def short_name(brand: Brand) -> str:
    """The brand's name on one line of bearable length."""
    return shortened(one_line(brand.name), MAX_NAME_LENGTH)


def used(quota: Quota) -> str:
    """How much of a quota is used."""
    return f"{quota.used:,} of {quota.limit:,}"


class Ranged(Protocol):
    """What has an interval, or None for both of its ends."""

    @property
    def low(self) -> Percent: ...

    @property
    def high(self) -> Percent: ...


def interval(figure: Ranged) -> str:
    """The 95 % interval in brackets, behind a figure; empty where there is none."""
    return (
        ""
        if figure.low is None or figure.high is None
        else f" (95 % interval {shown(figure.low)} to {shown(figure.high)})"
    )


def percent(value: Percent) -> str:
    """A rate, or that there is none."""
    return "not measured" if value is None else f"{shown(value)} %"
