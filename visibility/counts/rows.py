"""Rows: how often a subject is named in a group of answers, with its share and how it does against the brand."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal, Protocol
from uuid import UUID

from visibility.answers.detect import BRAND
from visibility.counts.sums import Sums, rounded, table_of
from visibility.metrics import Headline, Interval, find_relations, measure_scores
from visibility.metrics import Relation as TestedRelation
from visibility.models import Prompt, Topic

Axis = Literal["subject", "topic", "engine", "prompt", "day"]
Relation = Literal["ahead", "behind", "level", "too_close"]
"""How a subject does against the brand by being named in the same answers: `level`, a difference of 10 points would
have shown; `too_close`, not told apart."""
_OTHER_SIDE: Mapping[str, Relation] = {
    "ahead": "behind",
    "behind": "ahead",
    "level": "level",
    "too_close": "too_close",
}
TALLIES = (
    *("mentioned", "ranked", "first", "recommended", "cautioned", "cited", "alone", "without_brand"),
    *("failed", "absent"),
)
UNTRACKED_TALLIES = ("mentioned", "ranked", "without_brand")
"""What is counted of names that nobody tracks."""


class Prompts(Protocol):
    """What can read the prompts of groups."""

    @property
    def prompts(self) -> Mapping[UUID, Prompt]:
        """By their ids."""


@dataclass(frozen=True, eq=False)
class Group:
    """The answers of one topic, engine, prompt or day, or all: sums by subject, the brand's (None) first. `names` are
    those of the subjects. Figures are computed when they are read."""

    names: Mapping[UUID | str | None, str]
    sums: Mapping[UUID | str | None, Sequence[Sums]]
    topic: Topic | None = None
    engine: str | None = None
    surface: str | None = None
    prompt_id: UUID | None = None
    prompts: Prompts | None = None

    @property
    def prompt(self) -> Prompt | None:
        """The prompt; None where rows are not by prompt."""
        return self.prompts.prompts[self.prompt_id] if self.prompts and self.prompt_id else None

    @property
    def own(self) -> Sequence[Sums]:
        """The brand's sums, which say how many answers there are."""
        return self.sums.get(None, ())

    @cached_property
    def tracked(self) -> Mapping[str, Headline]:
        """The scores of the brand and its competitors, by their keys."""
        subjects = [subject for subject in self.names if not isinstance(subject, str)]
        return {str(key): each for key, each in measure_scores(self._table(subjects)).items()}

    @cached_property
    def relations(self) -> Mapping[str, TestedRelation]:
        """How the brand does against each other subject; competitors are one family of tests, untracked names
        another."""
        others = [subject for subject in self.names if subject is not None]
        families = ([each for each in others if isinstance(each, str) is untracked] for untracked in (False, True))
        tables = [self._table([None, *family]) for family in families if family]
        return {str(key): each for table in tables for key, each in find_relations(table).items() if each.kind}

    @cached_property
    def first_relations(self) -> Mapping[str, TestedRelation]:
        """The same of competitors by being named first."""
        family = [subject for subject in self.names if isinstance(subject, UUID)]
        if not family:
            return {}
        sums = {
            subject: [
                each._replace(mentioned=each.first, without_brand=each.first) for each in self.sums.get(subject, ())
            ]
            for subject in (None, *family)
        }
        relations = find_relations(table_of((each for rows in sums.values() for each in rows), [*sums]))
        return {str(key): each for key, each in relations.items() if each.kind}

    def _table(self, subjects: Sequence[UUID | str | None]) -> Any:
        return table_of((each for subject in subjects for each in self.sums.get(subject, ())), subjects)


@dataclass(frozen=True, eq=False)
class CountRow:
    """So many of the answers (`of`) name the subject: the brand (`competitor_id` None), a competitor, or a name that
    nobody tracks; `ranked` offer it. What is not counted of it is None.

    Prompts that name the subject or the brand are left out, but in rows by prompt, where `named` says so.
    """

    group: Group
    subject: str
    competitor_id: UUID | None
    tracked: bool
    first_day: date
    last_day: date
    of: int
    named: bool
    mentioned: int
    ranked: int
    first: int | None = None
    recommended: int | None = None
    cautioned: int | None = None
    cited: int | None = None
    sourced: int | None = None
    alone: int | None = None
    without_brand: int | None = None
    failed: int | None = None
    absent: int | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is of the brand."""
        return self.tracked and self.competitor_id is None

    @property
    def key(self) -> str:
        """The subject's key in tables of figures."""
        if self.tracked:
            return BRAND if self.competitor_id is None else str(self.competitor_id)
        return self.subject

    @property
    def topic(self) -> str | None:
        """The name of the topic; None where rows are not by topic."""
        return self.group.topic.name if self.group.topic else None

    @property
    def engine(self) -> str | None:
        """The name of the engine; None where rows are not by engine."""
        return self.group.engine

    @property
    def surface(self) -> str | None:
        """What the engine was asked through."""
        return self.group.surface

    @property
    def prompt(self) -> Prompt | None:
        """The prompt; None where rows are not by prompt."""
        return self.group.prompt

    @property
    def wording(self) -> int:
        """Of rows by prompt the number of its newest wording that these answers are to."""
        return max(each.number for each in self.group.own)

    @property
    def period(self) -> str:
        """The day, or the first and last as an ISO interval."""
        return str(self.first_day) if self.first_day == self.last_day else f"{self.first_day}/{self.last_day}"

    @property
    def headline(self) -> Headline | None:
        """Score and share of voice with their intervals; None of a single prompt, which is k of n, and of names that
        nobody tracks."""
        return self.group.tracked.get(self.key) if self.tracked and self.group.prompt_id is None else None

    @property
    def score(self) -> float | None:
        """The mean over engines of the mean over prompts, 0 to 100."""
        return rounded(self.headline.score.value) if self.headline else None

    @property
    def low(self) -> float | None:
        """The lower end of the score's interval over topics; None below four topics."""
        return rounded(interval.low) if (interval := self._interval("topic")) else None

    @property
    def high(self) -> float | None:
        """The upper end of it."""
        return rounded(interval.high) if (interval := self._interval("topic")) else None

    @property
    def panel_low(self) -> float | None:
        """The lower end of the score's interval on these prompts."""
        return rounded(interval.low) if (interval := self._interval("panel")) else None

    @property
    def panel_high(self) -> float | None:
        """The upper end of it."""
        return rounded(interval.high) if (interval := self._interval("panel")) else None

    @property
    def share_of_voice(self) -> float | None:
        """The mentions of the subject among those of all tracked subjects, 0 to 100."""
        return rounded(self.headline.share_of_voice) if self.headline else None

    @property
    def against_brand(self) -> TestedRelation | None:
        """What `relation` rests on, seen from the brand; None of the brand itself."""
        return None if self.is_own else self.group.relations.get(self.key)

    @property
    def relation(self) -> Relation | None:
        """How the subject does against the brand; None of the brand itself, and where no answer is of both."""
        relation = self.against_brand
        return _OTHER_SIDE[relation.kind] if relation and relation.kind else None

    @property
    def first_relation(self) -> Relation | None:
        """The same by being named first; None of names that nobody tracks, too."""
        relation = None if self.is_own or not self.tracked else self.group.first_relations.get(self.key)
        return _OTHER_SIDE[relation.kind] if relation and relation.kind else None

    @property
    def only_brand(self) -> int | None:
        """The answers that name the brand and not the subject."""
        return self.against_brand.only_one if self.against_brand else None

    @property
    def chance(self) -> float | None:
        """How often luck alone gives such a difference, 0 to 1, given how many are compared at once."""
        relation = self.against_brand
        return None if relation is None or relation.chance is None else round(relation.chance, 3)

    @property
    def units(self) -> str | None:
        """What the relation was tested over: topics, prompts or answers."""
        return self.against_brand.units if self.against_brand else None

    def is_of_same_answers(self, other: "CountRow") -> bool:
        """Whether both count the same answers, apart from those to prompts that name one of them."""
        return self.group is other.group

    def _interval(self, name: Literal["topic", "panel"]) -> Interval | None:
        return getattr(self.headline.score, name) if self.headline else None


def rows_of(group: Group, subjects: Collection[UUID | str | None]) -> list[CountRow]:
    """The rows of these subjects in a group, the brand's among them."""
    return [row for subject in group.names if subject in subjects for row in [_row(group, subject)] if row.of]


def _row(group: Group, subject: UUID | str | None) -> CountRow:
    tracked = not isinstance(subject, str)
    sums = group.sums.get(subject, ())
    named = {each.version for each in sums if each.named}
    left_out = set[int]() if group.prompt_id else named
    asked = [each for each in group.own if each.version not in left_out]
    counted = [each for each in sums if each.version not in left_out]
    tallies = {
        name: sum(getattr(each, name) for each in counted) for name in TALLIES if tracked or name in UNTRACKED_TALLIES
    }
    of = sum(each.answers for each in asked)
    return CountRow(
        group=group,
        subject=group.names[subject],
        competitor_id=None if isinstance(subject, str) else subject,
        tracked=tracked,
        first_day=min(each.first_day for each in group.own),
        last_day=max(each.last_day for each in group.own),
        of=of,
        named=bool(named),
        sourced=of - sum(each.unsourced for each in asked) if tracked else None,
        **tallies,
    )
